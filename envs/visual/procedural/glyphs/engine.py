"""A generator set: an engine block with glowing ports, a big flywheel, a stack. Own design."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import cos, pi

from conflictbench.envs.visual.procedural.brush import Brush
from conflictbench.envs.visual.procedural.camera import Vec3
from conflictbench.envs.visual.procedural.colours import RGB, heat, mix, scaled
from conflictbench.envs.visual.procedural.glyph import (
    Floor,
    Glow,
    Glows,
    Glyph,
    Key,
    Lamp,
    Moment,
    Part,
    Placed,
    Sprite,
)
from conflictbench.envs.visual.procedural.shapes import pace, rotor

IRON: RGB = (0.26, 0.27, 0.30)
STEEL: RGB = (0.50, 0.52, 0.55)
AXIS: Vec3 = (0.0, -1.0, 0.0)
WHEEL, SPOKES = 0.5, 6
PISTONS, PORTS = 4, 3
STEPS = 16


def build(placed: Placed) -> Iterator[Part]:
    """One engine a spot. Spin turns the wheel and works the pistons, heat or glow light the ports one by one."""
    warms = "heat" in placed.bound
    paint = mix(placed.colour, (0.26, 0.28, 0.31), 0.62)

    def pace_of(moment: Moment) -> tuple[int, int]:
        return pace(moment, "spin", 0.5, SPOKES)

    def burning(moment: Moment) -> int:
        return moment.step("heat", STEPS, 0.0) if warms else moment.step("glow", STEPS, 0.4)

    def colour(fire: int) -> RGB:
        return heat(0.1 + 0.9 * fire / STEPS) if warms else mix(placed.colour, (1.0, 0.6, 0.2), 0.5)

    def key(moment: Moment) -> Key:
        speed, phase = pace_of(moment)
        return (speed, phase, burning(moment), round(4 * max(moment.work, moment.alert)), round(4 * moment.dead))

    def engine(brush: Brush, key: Key, x: float, y: float) -> None:
        speed, phase, fire, busy, dead = (int(k or 0) for k in key)
        if dead >= 4:
            speed, fire = 0, 0
        shell = mix(paint, (1.0, 1.0, 1.0), 0.08 * busy)
        brush.box((x - 1.05, y - 0.42, 0.0), (x + 1.05, y + 0.42, 0.16), IRON)
        brush.rod((x + 0.72, y + 0.22, 0.9), (x + 0.72, y + 0.22, 1.9), 0.11, 0.11, IRON)
        brush.rod((x + 0.72, y + 0.22, 1.82), (x + 0.72, y + 0.22, 1.94), 0.15, 0.15, STEEL)
        brush.tube([(x - 0.85, y + 0.26, 1.22), (x + 0.72, y + 0.26, 1.22), (x + 0.72, y + 0.22, 1.0)], 0.085, STEEL)
        brush.box((x - 0.98, y - 0.34, 0.16), (x + 0.30, y + 0.34, 0.98), shell)
        for piston in range(PISTONS):
            lift = 0.045 * cos(2 * pi * (phase / 8 + piston / PISTONS)) if speed else 0.0
            at = x - 0.80 + 0.30 * piston
            brush.cylinder(0.115, 0.98, 1.16, STEEL, centre=(at, y), foot=1.0)
            brush.cylinder(0.07, 1.16, 1.25 + lift, (0.72, 0.73, 0.75), centre=(at, y), foot=1.0)
        light = mix(colour(fire), (1.0, 1.0, 1.0), 0.1 * busy)
        with brush.sheet((x - 0.94, y - 0.345, 0.92), (1.2, 0.0, 0.0), (0.0, 0.0, -0.70), 120.0) as side:
            side.rect(0, 0, 120, side.high, scaled(shell, 0.85), radius=3)
            for port in range(PORTS):
                left = 5 + 32 * port
                part = min(max(fire / STEPS * PORTS - port, 0.0), 1.0)
                side.rect(left, 8, 27, 36, (0.08, 0.08, 0.09), radius=4)
                side.rect(left + 3, 11, 21, 30, mix((0.05, 0.05, 0.06), light, 0.12 + 0.88 * part), radius=3, lit=True)
                for bar in range(3):
                    side.rect(left + 3, 17 + 8 * bar, 21, 2, (0.08, 0.08, 0.09))
            side.stripes(5, 54, 108, 8, (0.85, 0.66, 0.1), (0.08, 0.08, 0.08), step=7)
        hub = (x + 0.56, y - 0.44, 0.62)
        brush.box((x + 0.30, y - 0.3, 0.16), (x + 0.86, y + 0.3, 0.80), IRON)
        for back in (0.16, 0.08, 0.0):
            at_back = (hub[0], hub[1] + back, hub[2])
            brush.disc(at_back, WHEEL, AXIS, brush.lit(scaled(STEEL, 0.55 if back else 0.9), at_back, (0.0, -0.6, 0.7)))
        brush.disc(hub, WHEEL * 0.82, AXIS, brush.lit((0.08, 0.085, 0.095), hub, AXIS))
        rotor(brush, hub, WHEEL * 0.82, AXIS, SPOKES, speed, phase, (0.66, 0.68, 0.71))
        brush.ring(hub, WHEEL * 0.88, AXIS, 0.05, brush.lit(scaled(paint, 1.3), hub, (0.0, -0.8, 0.5)))
        brush.dot(hub, 0.1, brush.lit(STEEL, hub, (0.0, -0.8, 0.5)))
        if dead and dead < 4:
            brush.dot((x - 0.9, y - 0.36, 1.05), 0.06, (0.95, 0.12, 0.08))

    def power(moment: Moment) -> float:
        return burning(moment) / STEPS * (1.0 - moment.dead)

    def glows(moment: Moment) -> Iterator[Glow]:
        for x, y, _ in placed.spots:
            yield Glow((x - 0.4, y - 0.4, 0.66), 0.8, colour(burning(moment)), 0.6 * power(moment) + 0.4 * moment.alert)

    def floor(brush: Brush) -> None:
        for x, y, _ in placed.spots:
            brush.shadow(1.4, 0.75, 0.6, (x, y, 0.0))

    yield Floor(draw=floor)
    for x, y, _ in placed.spots:
        yield Sprite(
            draw=partial(engine, x=x, y=y),
            key=key,
            box=((x - 1.08, y - 0.5, 0.0), (x + 1.1, y + 0.46, 1.98)),
            depth=(x, y - 0.42),
        )
    yield Glows(at=glows)
    x, y, _ = placed.spots[len(placed.spots) // 2]
    yield Lamp(
        at=(x - 0.4, y - 0.9, 0.6), reach=1.1, shine=lambda moment: scaled(colour(burning(moment)), 0.6 * power(moment))
    )


GLYPH = Glyph(
    name="engine",
    summary="a generator set; spin turns its flywheel and pistons, heat or glow light its ports one by one",
    words="a heavy engine with a flywheel",
    build=build,
    props={"heat": "share", "spin": "signed", "glow": "share"},
    footprint=(2.1, 0.9),
    height=1.9,
    contact=lambda placed: (placed.spots[0][0] - 0.35, placed.spots[0][1] - 0.42, 1.0),
)
