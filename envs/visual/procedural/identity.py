"""Which entity every pixel shows: the picture without light, grain or print. Source: visual.md 3.4, own design.

Made from the very pictures that frames are made of, so it cannot tell another story than they do. What is see-through
(smoke, glass, flames) hides nothing: it owns only pixels that show no entity.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from conflictbench.envs.visual.procedural.director import Director
from conflictbench.envs.visual.procedural.layers import surface
from conflictbench.envs.visual.procedural.motion import Plan
from conflictbench.envs.visual.procedural.osd import overlay_box
from conflictbench.envs.visual.procedural.stage import Item, Stage
from conflictbench.envs.visual.procedural.timeline import STILL, Beat, beat
from conflictbench.envs.visual.scene import AnyTransition, Scene, Transition

SOLID = 128  # alpha from which a pixel is the thing's own
FAINT = 40  # alpha from which something see-through is seen

Ids = NDArray[np.uint16]


def render_ids(scene: Scene, state: int, seed: int = 0) -> Ids:
    """(h, w): 0 for the room, 1 + index into `block.entities` (actors follow the entities) for everything else."""
    director = Director(scene, seed)
    plan = director.plan(None)
    plan.before = plan.after = state
    return ids_of(director, plan, STILL)


def frame_ids(director: Director, transition: AnyTransition | None, index: int) -> Ids:
    """The same for one frame of a clip."""
    plan = director.plan(transition)
    return ids_of(director, plan, beat(index, director.scene.geometry.frames))


def ids_of(director: Director, plan: Plan, now: Beat, *, only: frozenset[str] | None = None) -> Ids:
    """The identity picture of a moment; `only`: as if nothing but these entities were there."""
    stage = director.stage
    geometry = director.scene.geometry
    moments = plan.moments(now, plan.depth * geometry.seconds)
    items = stage.items(moments, plan.urgency(now).level)
    if only is not None:
        items = [item for item in items if item.node.id in only]
    return _painted(stage, items)


def overlay_mask(scene: Scene) -> NDArray[np.bool_]:
    """(h, w): where the overlay may print."""
    width, height = scene.geometry.width, scene.geometry.height
    mask = np.zeros((height, width), np.bool_)
    for x0, y0, x1, y1 in overlay_box(scene.overlay, len(scene.loaded.spec.visible)):
        rows = slice(int(y0 * height / 480), -int(-y1 * height // 480))
        mask[rows, int(x0 * width / 832) : -int(-x1 * width // 832)] = True
    return mask


def _painted(stage: Stage, items: Iterable[Item]) -> Ids:
    height, width = stage.raster.height, stage.raster.width
    ids = np.zeros((height, width), np.uint16)
    for item in items:
        number = item.node.index + 1
        if number == 0 and item.veil:
            continue
        _mark(ids, *item_alpha(stage, item), number, item.veil)
    return ids


def item_alpha(stage: Stage, item: Item) -> tuple[NDArray[np.uint8], int, int]:
    """How solid an item is, (h, w) of 0..255, and where its top left is in the picture, in pixels."""
    if item.live is not None:
        return _live_alpha(stage, item), 0, 0
    if item.picture is None:
        return np.zeros((0, 0), np.uint8), 0, 0
    alpha = item.picture.pixels[:, :, 3]
    if item.alpha < 255:
        alpha = (alpha.astype(np.uint16) * item.alpha // 255).astype(np.uint8)
    return alpha, item.x, item.y


def _mark(ids: Ids, alpha: NDArray[np.uint8], x: int, y: int, number: int, veil: bool) -> None:
    height, width = ids.shape
    left, top = max(0, -x), max(0, -y)
    right, bottom = min(alpha.shape[1], width - x), min(alpha.shape[0], height - y)
    if right <= left or bottom <= top:
        return
    part = ids[y + top : y + bottom, x + left : x + right]
    seen = alpha[top:bottom, left:right] >= (FAINT if veil else SOLID)
    part[seen & (part == 0) if veil else seen] = number


def _live_alpha(stage: Stage, item: Item) -> NDArray[np.uint8]:
    pixels = np.zeros((stage.raster.height, stage.raster.width, 4), np.uint8)
    target = surface(pixels)
    stage.live(target.getCanvas(), item, 0)
    target.flushAndSubmit()
    return pixels[:, :, 3]


def changed_entities(transition: AnyTransition, scene: Scene) -> frozenset[str]:
    """Ids of the entities whose bound values or readings differ between the states before and after."""
    if not isinstance(transition, Transition):
        return frozenset()  # a stage of the regret test leaves the state as it is
    before, after = scene.view(transition.before), scene.view(transition.after)
    found = set()
    for entity in scene.block.entities:
        names = [gauge.var for gauge in entity.gauges] + [line.var for line in entity.lines]
        if before.properties(entity) != after.properties(entity) or any(
            before.reading(name) != after.reading(name) for name in names
        ):
            found.add(entity.id)
    return frozenset(found)
