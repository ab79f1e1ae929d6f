"""A standing tank with a sight glass that shows its `level`. Own design."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from conflictbench.envs.visual.procedural.brush import Brush
from conflictbench.envs.visual.procedural.colours import RGB, heat, mix
from conflictbench.envs.visual.procedural.glyph import (
    Floor,
    Glow,
    Glows,
    Glyph,
    Key,
    Moment,
    Part,
    Placed,
    Sprite,
    Under,
)

RADIUS, HIGH = 0.62, 1.75
STEEL: RGB = (0.56, 0.58, 0.61)
LIQUID: RGB = (0.25, 0.80, 1.0)
STEPS = 64


def build(placed: Placed) -> Iterator[Part]:
    """One tank a spot, all at one level."""
    has_level = "level" in placed.bound

    def liquid(warmth: int) -> RGB:
        return LIQUID if warmth < 0 else heat(warmth / 16)

    def key(moment: Moment) -> Key:
        warmth = max((moment.step(prop, 16, 0.0) for prop in ("heat", "tint") if prop in placed.bound), default=-1)
        level = moment.step("level", STEPS, 0.5) if moment.known("level") else -1
        return (level, warmth, round(4 * max(moment.work, moment.alert)))

    def there(moment: Moment, number: int) -> bool:
        return moment.number("present", placed.count) > number + 0.5

    def shown(moment: Moment, number: int) -> Key | None:
        return key(moment) if there(moment, number) else None

    def vessel(brush: Brush, key: Key, x: float, y: float) -> None:
        busy = int(key[0] or 0)
        profile = [
            (RADIUS * 0.92, 0.0), (RADIUS * 0.92, 0.14), (RADIUS, 0.18), (RADIUS, HIGH - 0.16),
            (RADIUS * 0.93, HIGH - 0.05), (RADIUS * 0.62, HIGH + 0.09), (RADIUS * 0.2, HIGH + 0.12),
            (RADIUS * 0.2, HIGH + 0.24),
        ]  # fmt: skip
        brush.lathe(profile, mix(STEEL, (1.0, 1.0, 1.0), 0.12 * busy), centre=(x, y))
        for z in (0.55, 1.2):
            band = [
                (x + dx * RADIUS, y - dy * RADIUS, z)
                for dx, dy in ((-0.98, 0.2), (-0.7, 0.71), (0.0, 1.0), (0.7, 0.71), (0.98, 0.2))
            ]
            brush.line(band, 0.03, brush.lit((0.36, 0.37, 0.39), band[2], (0.0, -1.0, 0.0)))

    def tank(brush: Brush, key: Key, x: float, y: float) -> None:
        level, warmth, _ = (int(k or 0) for k in key)
        if not has_level:
            return
        corner = (x - 0.13, y - RADIUS - 0.02, HIGH - 0.2)
        with brush.sheet(corner, (0.26, 0.0, 0.0), (0.0, 0.0, -1.36), 26.0) as glass:
            glass.rect(0, 0, glass.wide, glass.high, (0.55, 0.57, 0.60), radius=6)
            glass.rect(3, 3, glass.wide - 6, glass.high - 6, (0.05, 0.06, 0.08), radius=4, lit=True)
            inner = glass.high - 10
            top = 5 + inner * (1 - max(level, 0) / STEPS)
            if level > 0:
                glass.rect(5, top, glass.wide - 10, 5 + inner - top, liquid(warmth), radius=2, lit=True)
                glass.rect(5, top, glass.wide - 10, 2.5, (1.0, 1.0, 1.0), alpha=0.7, lit=True)
            for mark in range(1, 10):
                y_mark = 5 + inner * mark / 10
                glass.line([(5, y_mark), (9 if mark % 5 else 13, y_mark)], (0.85, 0.88, 0.9), 0.9, lit=True)
            if level < 0:
                glass.text(glass.wide / 2, glass.high / 2, "--", 12, (0.9, 0.9, 0.9), align="center", lit=True)

    def glows(moment: Moment) -> Iterator[Glow]:
        level, warmth, busy = (int(k or 0) for k in key(moment))
        if has_level and level > 0:
            for x, y, _ in (spot for number, spot in enumerate(placed.spots) if there(moment, number)):
                height = 0.25 + 1.2 * level / STEPS / 2
                yield Glow((x, y - RADIUS - 0.1, height), 0.55, liquid(warmth), 0.35 + 0.1 * busy)

    def floor(brush: Brush) -> None:
        for x, y, _ in placed.spots:
            brush.shadow(RADIUS * 1.5, RADIUS * 1.35, 0.6, (x, y, 0.0))

    yield Floor(draw=floor)
    for number, (x, y, _) in enumerate(placed.spots):
        yield Sprite(
            draw=partial(tank, x=x, y=y),
            under=Under(draw=partial(vessel, x=x, y=y), key=lambda key: key[2:]),
            key=partial(shown, number=number),
            box=((x - RADIUS, y - RADIUS, 0.0), (x + RADIUS, y + RADIUS, HIGH + 0.25)),
            depth=(x, y - RADIUS),
        )
    yield Glows(at=glows)


GLYPH = Glyph(
    name="tank",
    summary="a standing tank with a sight glass: level fills it, heat or tint colours what is in it",
    words="a steel tank with a sight glass",
    build=build,
    props={"level": "share", "heat": "share", "tint": "share", "present": "count"},
    footprint=(2 * RADIUS, 2 * RADIUS),
    height=HIGH,
    contact=lambda placed: (placed.spots[0][0] + 0.3, placed.spots[0][1] - RADIUS, 1.35),
)
