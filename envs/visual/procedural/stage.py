"""One scene in one size, ready to be drawn in any moment: its nodes, its room, its pictures that are kept. Own design.

A frame is the room, then every part from far to near, then added light. What a frame shows is a function of the
moments alone; the caches change only what it costs.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from math import exp, log
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from conflictbench.envs.visual.block import Block
from conflictbench.envs.visual.procedural.backdrop import FLOOR, Backdrop
from conflictbench.envs.visual.procedural.brush import Brush, View
from conflictbench.envs.visual.procedural.camera import Camera, Upright, Vec2, Vec3, add
from conflictbench.envs.visual.procedural.compiling import Compiler, Node
from conflictbench.envs.visual.procedural.enclosures import enclosure_nodes
from conflictbench.envs.visual.procedural.glyph import (
    Billboards,
    Box,
    Floor,
    Glow,
    Glows,
    Key,
    Lamp,
    Live,
    Moment,
    Sprite,
    Under,
)
from conflictbench.envs.visual.procedural.layers import (
    MAX_SPRITE_BYTES,
    Bounds,
    Picture,
    Pixels,
    Raster,
    SpriteCache,
    image,
    surface,
)
from conflictbench.envs.visual.procedural.lightbuffer import LightBuffer
from conflictbench.envs.visual.procedural.lighting import LEVELS, Lighting
from conflictbench.envs.visual.procedural.room import ROUGH, RoomPainter
from conflictbench.envs.visual.procedural.scenery import alarm_nodes

SIZE_STEP: Final = log(1.04)  # billboards come in sizes 4 % apart
SOFT_STEP: Final = log(1.15)  # what is soft comes in fewer
SHIFT_STEP: Final = 0.02  # metres: places of what moves
STILL: Final = Moment(t=0.0)


@dataclass(slots=True, eq=False)  # not frozen: there are a hundred a frame, and that would treble what one costs
class Item:
    """Something to blit, or to draw at once."""

    depth: float
    node: Node
    picture: Picture | None
    x: int = 0
    y: int = 0
    alpha: int = 255
    plus: bool = False
    veil: bool = False
    live: Live | None = None
    moment: Moment = STILL


class Stage:
    """Not for use by two threads at once: its buffers are reused."""

    def __init__(
        self, block: Block, width: int, height: int, seed: int, *, cache_bytes: int = MAX_SPRITE_BYTES
    ) -> None:
        """`cache_bytes` 0: keep nothing (what a plain redraw costs)."""
        self.block = block
        self.raster = Raster(width, height)
        self.room: Vec3 = block.room.size
        compiler = Compiler(block, seed)
        self.camera: Camera = compiler.camera
        self.nodes = compiler.nodes()
        self.sides = compiler.sides()
        self.scenery = [*alarm_nodes(compiler), *enclosure_nodes(block, compiler)]
        self.sprites = SpriteCache(cache_bytes)
        self._keep = cache_bytes > 0
        self._lightings = [Lighting(level, self.room) for level in range(LEVELS)]
        down = -self.camera.forward[2]
        self._upright = (down, (1.0 - down * down) ** 0.5)
        self._backdrop = self._make_backdrop()
        self._slabs: dict[int, tuple[Any, Pixels]] = {}  # an image, and the pixels that it needs
        self._responses: dict[tuple[Vec3, float], NDArray[np.float32]] = {}
        self.lights = LightBuffer(self.raster, self._backdrop.quarter.plane == FLOOR)
        self._buffer = np.zeros((height, width, 4), np.uint8)
        self._surface = surface(self._buffer)

    def node(self, name: str) -> Node | None:
        """The node of an entity or actor."""
        return next((node for node in self.nodes if node.id == name), None)

    # ---- a frame

    def draw(self, moments: Mapping[str, Moment], level: int) -> Pixels:
        """The scene without added light: (h, w, 4) BGRA, valid until the next call.

        Args:
            moments: entity or actor id -> what it does; what is not named stands still.
            level: urgency 0..3 whose constant lights are on.
        """
        import skia

        canvas = self._surface.getCanvas()
        canvas.drawImage(self._slab(level), 0, 0)
        for item in self.items(moments, level):
            if item.live is not None:
                self.live(canvas, item, level)
            elif item.picture is not None:
                if item.alpha < 255 or item.plus:
                    paint = skia.Paint(Alpha=item.alpha)
                    if item.plus:
                        paint.setBlendMode(skia.BlendMode.kPlus)
                    canvas.drawImage(item.picture.image, item.x, item.y, skia.SamplingOptions(), paint)
                else:
                    canvas.drawImage(item.picture.image, item.x, item.y)
        self._surface.flushAndSubmit()
        return self._buffer

    def shine(self, moments: Mapping[str, Moment]) -> None:
        """Put every glow and lamp of this moment into the light buffer."""
        for node in (*self.scenery, *self.nodes):
            moment = moments.get(node.id, STILL)
            if moment.gone >= 1.0:
                continue
            for part in node.parts:
                if isinstance(part, Glows):
                    for glow in part.at(moment):
                        self.glow(glow, add(node.placed.at, moment.shift), 1.0 - moment.gone)
                elif isinstance(part, Lamp):
                    colour = part.shine(moment)
                    if max(colour) > 0.004:
                        self.lights.lamp(self.response(add(node.placed.at, part.at), part.reach), colour)

    def glow(self, glow: Glow, origin: Vec3, share: float = 1.0) -> None:
        """One glow and its reflection."""
        if glow.power * share < 0.01:
            return
        at = add(origin, glow.at)
        x, y = self.camera.project(at)
        reach = glow.radius * self.camera.size(at)
        sx, sy = self.raster.sx, self.raster.sy
        self.lights.glow((x * sx, y * sy), reach * sx, reach * sy, glow.colour, glow.power * share)
        if glow.mirrored and 0.0 < at[2] < 3.0:
            low = (at[0], at[1], -at[2])
            x, y = self.camera.project(low)
            power = glow.power * share * 0.42 / (1.0 + at[2])
            self.lights.glow((x * sx, y * sy), reach * sx, 1.5 * reach * sy, glow.colour, power, floor_only=True)

    def response(self, at: Vec3, reach: float) -> NDArray[np.float32]:
        """How a lamp's light falls on the room, worked out once."""
        key = (at, reach)
        if key not in self._responses or not self._keep:
            self._responses[key] = self._backdrop.response(at, reach)
        return self._responses[key]

    def items(self, moments: Mapping[str, Moment], level: int) -> list[Item]:
        """Everything to be drawn, from far to near."""
        found: list[Item] = []
        for node in (*self.scenery, *self.nodes):
            moment = moments.get(node.id, STILL)
            if moment.gone < 1.0:
                found.extend(self._node_items(node, moment, level))
        found.sort(key=lambda item: -item.depth)  # stable: as in the block where depths agree
        return found

    def live(self, canvas: Any, item: Item, level: int) -> None:
        """Draw a live part onto a canvas in pixels."""
        assert item.live is not None
        canvas.save()
        canvas.scale(self.raster.sx, self.raster.sy)
        origin = add(item.node.placed.at, item.moment.shift)
        item.live.draw(Brush(canvas, self.camera, self._lightings[level], origin), item.moment)
        canvas.restore()

    # ---- within

    def _node_items(self, node: Node, moment: Moment, level: int) -> Iterator[Item]:
        shift = _stepped(moment.shift)
        origin = add(node.placed.at, shift)
        alpha = round(255 * (1.0 - moment.gone))
        for number, part in enumerate(node.parts):
            if isinstance(part, Sprite):
                key = part.key(moment)
                if key is None:
                    continue
                picture = self.sprites.get(
                    (node.id, number, level, shift, key),
                    partial(self._sprite, part, key, origin, level, (node.id, number, shift)),
                )
                if picture is not None:
                    depth = self._depth(origin, part.depth)
                    yield Item(depth, node, picture, picture.x, picture.y, alpha, veil=part.veil)
            elif isinstance(part, Live):
                if (bounds := self._bounds(self.camera, origin, part.box)) and bounds[0] < bounds[2]:
                    yield Item(self._depth(origin, part.depth), node, None, veil=part.veil, live=part, moment=moment)
            elif isinstance(part, Billboards):
                yield from self._billboards(node, number, part, moment, level, origin, alpha)

    def _sprite(self, part: Sprite, key: Key, origin: Vec3, level: int, whose: Hashable) -> Picture | None:
        bounds = self._bounds(self.camera, origin, part.box)

        def by(draw: Callable[[Brush, Key], None], key: Key) -> Callable[[Any], None]:
            return lambda canvas: draw(Brush(canvas, self.camera, self._lightings[level], origin), key)

        def below(under: Under, key: Key) -> Picture | None:
            pixels = self.raster.painted(bounds, by(under.draw, key))
            return None if pixels is None else Picture(bounds[0], bounds[1], pixels, None)

        if part.under is None:
            return self.raster.paint(bounds, by(part.draw, key))
        lower = part.under.key(key)
        kept = self.sprites.get((whose, "under", level, lower), partial(below, part.under, lower))
        return None if kept is None else self.raster.paint(bounds, by(part.draw, key), kept.pixels)

    def _billboards(
        self, node: Node, number: int, part: Billboards, moment: Moment, level: int, origin: Vec3, alpha: int
    ) -> Iterator[Item]:
        soft = part.veil or part.glows
        step = SOFT_STEP if soft else SIZE_STEP
        level = 0 if part.glows else level  # light of its own looks the same under any other
        for stand in part.place(moment):
            seen = round(alpha * min(max(stand.alpha, 0.0), 1.0))
            if seen == 0:
                continue
            at = add(origin, stand.at)
            size = round(log(self.camera.size(at) * stand.size) / step)
            picture = self.sprites.get(
                (node.id, number, level, size, stand.key),
                partial(self._billboard, part, stand.key, exp(size * step), level),
            )
            if picture is None:
                continue
            x, y = self.camera.project(at)
            left, top = round(x * self.raster.sx) + picture.x, round(y * self.raster.sy) + picture.y
            yield Item(self._depth(at, (0.0, 0.0)), node, picture, left, top, seen, plus=part.glows, veil=soft)

    def _billboard(self, part: Billboards, key: Key, size: float, level: int) -> Picture | None:
        view = Upright(size, *self._upright)
        middle = (self.room[0] * 0.5, self.room[1] * 0.40, 1.2)

        def draw(canvas: Any) -> None:
            part.draw(Brush(canvas, view, self._lightings[level], (0.0, 0.0, 0.0), middle), key)

        return self.raster.paint(self._bounds(view, (0.0, 0.0, 0.0), part.box, clip=False), draw)

    def _bounds(self, view: View, origin: Vec3, box: Box, *, clip: bool = True) -> Bounds:
        low, high = box
        at = view.projector(origin)
        corners: list[Vec2] = [
            at((x, y, z)) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])
        ]
        xs, ys = [c[0] for c in corners], [c[1] for c in corners]
        return self.raster.bounds(min(xs), min(ys), max(xs), max(ys), clip=clip)

    def _depth(self, origin: Vec3, point: Vec2) -> float:
        x = origin[0] + point[0]
        aside = 0.06 * abs(x - self.camera.pos[0])  # of two side by side, the one nearer the middle is before the other
        return self.camera.depth((x, origin[1] + point[1], 0.0)) + aside

    def _slab(self, level: int) -> Any:
        if level not in self._slabs or not self._keep:
            pixels = self._backdrop.lit(level)
            self._slabs[level] = (image(pixels, opaque=True), pixels)
        return self._slabs[level][0]

    def _make_backdrop(self) -> Backdrop:
        albedo = np.zeros((self.raster.height, self.raster.width, 4), np.uint8)
        target = surface(albedo)
        canvas = target.getCanvas()
        canvas.scale(self.raster.sx, self.raster.sy)
        flat = _Unlit(0, self.room)
        painter = RoomPainter(self.block, self.camera, self.sides)
        brush = Brush(canvas, self.camera, flat, (0.0, 0.0, 0.0))
        painter.walls(brush)
        painter.floor(brush)
        for node in (*self.scenery, *self.nodes):
            for part in node.parts:
                if isinstance(part, Floor):
                    part.draw(Brush(canvas, self.camera, flat, node.placed.at))
        target.flushAndSubmit()
        rough = (ROUGH[self.block.room.floor], ROUGH[self.block.room.wall])
        return Backdrop(self.camera, self.room, self.raster, albedo, rough)


class _Unlit(Lighting):
    """White light from everywhere: for colours that are lit later."""

    def _shade(self, point: Vec3, normal: Vec3) -> tuple[float, float, float]:
        return (1.0, 1.0, 1.0)


def _stepped(shift: Vec3) -> Vec3:
    if shift == (0.0, 0.0, 0.0):
        return shift
    return tuple(round(s / SHIFT_STEP) * SHIFT_STEP for s in shift)  # type: ignore[return-value]
