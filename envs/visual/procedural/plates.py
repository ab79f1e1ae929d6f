"""The name of a thing on a plate above it, where it would not be known otherwise: whose boat it is. Own design."""

from __future__ import annotations

from collections.abc import Iterator

from conflictbench.envs.visual.procedural.brush import Brush
from conflictbench.envs.visual.procedural.colours import RGB, mix
from conflictbench.envs.visual.procedural.glyph import Glyph, Key, Moment, Part, Placed, Sprite

HIGH = 0.30  # metres
LETTER = 0.155  # metres a character takes up
ABOVE = 0.10  # metres over the thing
WHITE: RGB = (1.0, 1.0, 1.0)


def plates(placed: Placed, glyph: Glyph) -> Iterator[Part]:
    """A plate where the entity has a label; it moves with its thing, and goes where `present` says that it is gone."""
    if not placed.label or placed.path:
        return
    half = (LETTER * len(placed.label) + 0.16) / 2
    xs, ys, zs = zip(*placed.spots, strict=True)
    x, y, foot = (min(xs) + max(xs)) / 2, max(ys), max(zs) + glyph.height + ABOVE
    front = min(ys) - glyph.footprint[1] / 2 - 0.12  # drawn after all of its things
    if placed.wall is not None:
        y, foot, front = -0.12, glyph.height / 2 + ABOVE, -0.2

    def key(moment: Moment) -> Key | None:
        return None if moment.number("present", 1.0) <= 0.0 else ()

    def draw(brush: Brush, key: Key) -> None:
        with brush.sheet(
            (x - half, y, foot + HIGH), (2 * half, 0.0, 0.0), (0.0, 0.0, -HIGH), 2 * half * 100.0
        ) as plate:
            plate.rect(0, 0, plate.wide, plate.high, (0.04, 0.05, 0.065), radius=4, alpha=0.88, lit=True)
            edge = mix(placed.colour, WHITE, 0.15)
            plate.rect(1.5, 1.5, plate.wide - 3, plate.high - 3, edge, radius=4, stroke=2.0, alpha=0.8, lit=True)
            plate.text(
                plate.wide / 2, 22.5, placed.label, 21, mix(placed.colour, WHITE, 0.55), align="center",
                room=plate.wide - 12, lit=True,
            )  # fmt: skip

    yield Sprite(
        draw=draw,
        key=key,
        box=((x - half, y - 0.01, foot), (x + half, y + 0.01, foot + HIGH)),
        depth=(x, front),
    )
