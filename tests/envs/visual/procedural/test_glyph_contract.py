"""What every glyph owes a scene, in each place where it may stand: boxes, a contact, keys, rest after an action."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.envs.visual.procedural.glyph_scenes import ME, MOTIONS, acted, bindings, block, built, busy, places, valued

from conflictbench.envs.visual.procedural import glyphs as folder
from conflictbench.envs.visual.procedural.brush import Brush, View
from conflictbench.envs.visual.procedural.camera import Upright, Vec3, add
from conflictbench.envs.visual.procedural.compiling import Node
from conflictbench.envs.visual.procedural.glyph import Billboards, Box, Glows, Key, Lamp, Live, Moment, Sprite
from conflictbench.envs.visual.procedural.layers import Bounds, Raster
from conflictbench.envs.visual.procedural.lighting import Lighting
from conflictbench.envs.visual.procedural.stage import Stage
from conflictbench.envs.visual.procedural.viewpoint import camera_of
from conflictbench.envs.visual.procedural.vocabulary import glyph_for, glyphs

pytest.importorskip("skia", reason="the pictures need the extra `visual`")

FILES = sorted(path.stem for path in Path(next(iter(folder.__path__))).glob("[!_]*.py"))
WORDS = sorted(glyphs())
MARGIN = 300.0  # design units around the picture that a drawing is looked for in
AROUND = 90.0  # and around its box
ORIGIN: Vec3 = (0.0, 0.0, 0.0)
UPRIGHT = Upright(60.0, 0.44, 0.9)  # what a billboard is drawn in


@pytest.mark.parametrize("name", FILES)
def test_glyph__bears_the_name_of_its_file_and_moves_or_docks(name: str) -> None:
    glyph = glyph_for(name)
    assert glyph.name == name
    assert not (glyph.dock and glyph.movable)
    assert min(*glyph.footprint, glyph.height) > 0
    assert glyph.stacks >= 1
    assert glyph.summary == glyph.summary.strip(" .\n")


def corners(box: Box) -> Iterator[Vec3]:
    """The eight corners of a box."""
    (x0, y0, z0), (x1, y1, z1) = box
    yield from ((x, y, z) for x in (x0, x1) for y in (y0, y1) for z in (z0, z1))


class Easel:
    """Draws the parts of one node with room around them, and fails where a drawing comes out of its box."""

    def __init__(self, name: str, place: str, bound: tuple[str, ...]) -> None:
        self.node = built(name, place, bound)
        self.camera = camera_of(block(name, place))
        self.raster = Raster(208, 120)
        self.lighting = Lighting(0, self.node.placed.room)
        self.seen: set[tuple[int, Key]] = set()
        self.drawn = 0

    def check(self, moment: Moment) -> None:
        """Draw what this moment shows and was not drawn before; lights must be of a sensible strength."""
        for number, part in enumerate(self.node.parts):
            if isinstance(part, Sprite):
                key = part.key(moment)
                if key is not None and self._new(number, key):
                    self._compare(self.camera, part.box, partial(part.whole, key=key), key)
            elif isinstance(part, Live):
                self._compare(self.camera, part.box, partial(part.draw, moment=moment), moment)
            elif isinstance(part, Billboards):
                for stand in part.place(moment):
                    assert 0.0 <= stand.alpha <= 1.0
                    assert stand.size > 0.0
                    if self._new(number, stand.key):
                        self._compare(UPRIGHT, part.box, partial(part.draw, key=stand.key), stand.key)
            elif isinstance(part, Glows):
                for glow in part.at(moment):
                    assert glow.radius >= 0.3
                    assert -1e-9 <= glow.power <= 2.0
                    assert all(0.0 <= channel <= 1.5 for channel in glow.colour)
            elif isinstance(part, Lamp):
                assert all(0.0 <= channel <= 2.5 for channel in part.shine(moment))

    def compare_under(self, part: Sprite, keys: Iterable[Key | None]) -> None:
        """Fail where a sprite drawn over what is kept differs from one drawn at once, for any of the keys."""
        assert part.under is not None
        bounds = (0, 0, self.raster.width, self.raster.height)

        def by(draw: Callable[[Brush, Key], None], key: Key) -> Callable[[Any], None]:
            return lambda canvas: draw(Brush(canvas, self.camera, self.lighting, self.node.placed.at), key)

        for key in {key for key in keys if key is not None}:
            kept = self.raster.painted(bounds, by(part.under.draw, part.under.key(key)))
            over, whole = (
                self.raster.painted(bounds, by(part.draw, key), kept),
                self.raster.painted(bounds, by(part.whole, key)),
            )
            assert over is not None
            assert whole is not None
            assert over.any()
            assert np.array_equal(over, whole), f"{self.node.glyph.name} {key}"

    def _new(self, number: int, key: Key) -> bool:
        fresh = (number, key) not in self.seen
        self.seen.add((number, key))
        return fresh

    def _compare(self, view: View, box: Box, draw: Callable[[Brush], None], what: object) -> None:
        upright = view is UPRIGHT
        origin = ORIGIN if upright else self.node.placed.at
        flat = [view.project(add(origin, corner)) for corner in corners(box)]
        xs, ys = [p[0] for p in flat], [p[1] for p in flat]
        inside = self.raster.bounds(min(xs), min(ys), max(xs), max(ys), clip=False)

        def paint(canvas: Any) -> None:
            draw(Brush(canvas, view, self.lighting, origin, (6.5, 4.0, 1.2) if upright else None))

        picture = self.raster.paint(self._window(min(xs), min(ys), max(xs), max(ys)), paint)
        if picture is None:
            return
        self.drawn += 1
        high, wide = picture.pixels.shape[:2]
        right, bottom = picture.x + wide, picture.y + high
        out = max(inside[0] - picture.x, inside[1] - picture.y, right - inside[2], bottom - inside[3])
        assert out <= 0, f"{self.node.glyph.name} {what}: {out} pixels out of its box"

    def _window(self, x0: float, y0: float, x1: float, y1: float) -> Bounds:
        return self.raster.bounds(
            max(x0 - AROUND, -MARGIN),
            max(y0 - AROUND, -MARGIN),
            min(x1 + AROUND, 832.0 + MARGIN),
            min(y1 + AROUND, 480.0 + MARGIN),
            clip=False,
        )


@pytest.mark.parametrize("name", WORDS)
def test_glyph__draws_inside_its_boxes_in_every_place_with_every_property_and_motion(name: str) -> None:
    glyph = glyph_for(name)
    for place in places(glyph):
        drawn = 0
        for bound in bindings(glyph):
            easel = Easel(name, place, bound)
            for moment in (*valued(glyph, bound, t=0.7), *(() if bound else busy())):
                easel.check(moment)
            drawn += easel.drawn
        assert drawn, f"{name} {place!r} draws nothing"


@pytest.mark.parametrize("name", [name for name in WORDS if not glyph_for(name).dock])
def test_glyph__is_touched_where_it_is(name: str) -> None:
    glyph = glyph_for(name)
    reach = (0.5, 0.5, 1.2)  # metres; a hand hovers above what lies flat
    for place in places(glyph):
        node = built(name, place)
        boxes = [part.box for part in node.parts if isinstance(part, Sprite | Live)]
        boxes += [
            (add(stand.at, part.box[0]), add(stand.at, part.box[1]))
            for part in node.parts
            if isinstance(part, Billboards)
            for stand in part.place(Moment(t=0.0))
        ]
        spot = glyph.contact(node.placed)
        assert not boxes or any(
            all(low[axis] - reach[axis] <= spot[axis] <= high[axis] + reach[axis] for axis in range(3))
            for low, high in boxes
        ), f"{name} {place!r}: nothing of it is at {spot}"


def shown(node: Node, moment: Moment) -> list[object]:
    """All that a moment decides: keys, stands, glows, light."""
    found: list[object] = []
    for number, part in enumerate(node.parts):
        if isinstance(part, Sprite):
            found.append((number, part.key(moment)))
        elif isinstance(part, Billboards):
            found.extend((number, stand) for stand in part.place(moment))
        elif isinstance(part, Glows):
            found.extend((number, glow) for glow in part.at(moment))
        elif isinstance(part, Lamp):
            found.append((number, part.shine(moment)))
    return found


@pytest.mark.parametrize("name", WORDS)
def test_glyph__unbound_is_at_rest_again_when_an_action_is_over(name: str) -> None:
    glyph = glyph_for(name)
    for place in places(glyph):
        node = built(name, place)
        rest = shown(node, acted("", 0, 3.0))
        for motion in MOTIONS:
            assert shown(node, acted(motion, 48, 3.0)) == rest, f"{name} {place!r} after {motion}"


@pytest.mark.parametrize("name", WORDS)
def test_glyph__picture_is_the_same_in_any_order_from_an_empty_cache_or_none(name: str) -> None:
    glyph = glyph_for(name)
    place, bound = places(glyph)[0], tuple(sorted(glyph.props))
    moments = [*valued(glyph, bound, t=0.2), *list(busy())[1::5]]
    kept, plain = (Stage(block(name, place, bound), 104, 60, 0, **how) for how in ({}, {"cache_bytes": 0}))
    pictures = [kept.draw({ME: moment}, number % 2 * 3).copy() for number, moment in enumerate(moments)]
    for number in sorted(range(len(moments)), key=lambda k: (k * 7) % 5):
        kept.sprites.clear()
        for stage in (kept, plain):
            again = stage.draw({ME: moments[number]}, number % 2 * 3)
            assert np.array_equal(again, pictures[number]), f"{name}: moment {number}"


@pytest.mark.parametrize("name", WORDS)
def test_glyph__what_is_kept_under_a_sprite_is_the_beginning_of_its_drawing(name: str) -> None:
    glyph = glyph_for(name)
    for place in places(glyph):
        for bound in bindings(glyph):
            easel = Easel(name, place, bound)
            for part in easel.node.parts:
                if isinstance(part, Sprite) and part.under is not None:
                    easel.compare_under(part, [part.key(moment) for moment in valued(glyph, bound, t=0.7)])
