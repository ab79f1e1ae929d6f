"""A lattice mast with a drum that turns, a lamp on its top, waves when it sends. Own design."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from math import cos, pi, radians, sin

from conflictbench.envs.visual.procedural.brush import Brush
from conflictbench.envs.visual.procedural.camera import Vec3, add, lerp, scale, unit
from conflictbench.envs.visual.procedural.colours import RGB, heat, mix, scaled
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
from conflictbench.envs.visual.procedural.shapes import waves

HIGH, FOOT, TIP, BAYS = 3.3, 0.42, 0.13, 6
STEEL: RGB = (0.58, 0.60, 0.63)
RED: RGB = (0.72, 0.16, 0.12)
FIRST, STEP, STEPS, PHASES = -40.0, 6, 8, 8  # degrees at angle 0, degrees a step; steps of its power and its waves


def build(placed: Placed) -> Iterator[Part]:
    """One mast a spot: glow lights its lamp and sends waves, tint colours them, angle turns the drum."""

    def colour(warmth: int) -> RGB:
        return heat(0.3 + 0.7 * warmth / STEPS) if "tint" in placed.bound else placed.colour

    def turned(moment: Moment) -> int:
        angle = moment.number("angle", 0.0)
        if "angle" not in placed.bound and moment.motion == "turn":
            angle = 120.0 * moment.work
        return round(angle / STEP)

    def sends(moment: Moment) -> int:
        return round(max(moment.number("glow", 0.4), moment.alert) * STEPS * (1.0 - moment.dead))

    def key(moment: Moment) -> Key:
        power, busy = sends(moment), round(4 * max(moment.work, moment.alert))
        return (turned(moment), power, moment.step("tint", STEPS, 0.0), moment.phase(PHASES, 0.7) if power else 0, busy)

    def corner(x: float, y: float, leg: int, z: float) -> Vec3:
        half = FOOT + (TIP - FOOT) * z / HIGH
        turn = 2 * pi * leg / 3 + pi / 6
        return (x + 1.15 * half * cos(turn), y + 1.15 * half * sin(turn), z)

    def lattice(brush: Brush, x: float, y: float) -> None:
        for leg in range(3):
            foot = corner(x, y, leg, 0.0)
            brush.box(add(foot, (-0.1, -0.1, 0.0)), add(foot, (0.1, 0.1, 0.08)), (0.33, 0.33, 0.34))
        heights = [HIGH * bay / BAYS for bay in range(BAYS + 1)]
        for side in range(3):  # leg 2 is the nearest: its two faces come last
            for bay, (low, high) in enumerate(pairwise(heights)):
                a, b = (side, (side + 1) % 3) if bay % 2 else ((side + 1) % 3, side)
                tone = brush.lit(scaled(RED if bay % 2 else STEEL, 0.7), corner(x, y, a, low), (0.0, -0.9, 0.3))
                brush.line([corner(x, y, a, low), corner(x, y, b, high)], 0.028, tone)
                brush.line([corner(x, y, a, high), corner(x, y, b, high)], 0.028, tone)
        for leg in range(3):
            for bay, (low, high) in enumerate(pairwise(heights)):
                ends = corner(x, y, leg, low), corner(x, y, leg, high)
                brush.rod(*ends, 0.042, 0.038, RED if bay % 2 else STEEL)
        brush.rod((x, y, HIGH), (x, y, HIGH + 0.30), 0.035, 0.02, STEEL)

    def drum(brush: Brush, hub: Vec3, aim: Vec3, light: RGB, share: float) -> None:
        back, face = add(hub, scale(aim, 0.14)), add(hub, scale(aim, 0.42))
        shell: RGB = (0.70, 0.72, 0.75)
        far, near = (back, face) if aim[1] < 0.0 else (face, back)
        for slice_ in range(9):
            place = lerp(far, near, slice_ / 8)
            brush.disc(place, 0.31, aim, brush.lit(scaled(shell, 0.6), place, (0.0, -0.5, 0.7)))
        front = brush.lit(mix(shell, light, 0.5 * share) if near is face else shell, near, (0.0, -0.9, 0.3))
        brush.disc(near, 0.29, aim, front)
        if near is face:
            brush.disc(add(face, scale(aim, 0.01)), 0.13, aim, mix(scaled(light, 0.3), light, share))

    def aimed(turn: int) -> Vec3:
        heading = radians(FIRST + turn * STEP)
        return unit((sin(heading), -cos(heading), 0.1))

    def behind(brush: Brush, key: Key, x: float, y: float) -> None:
        if key[0]:  # the drum is turned to the viewer, before the lattice
            lattice(brush, x, y)

    def mast(brush: Brush, key: Key, x: float, y: float) -> None:
        turn, power, warmth, phase, busy = (int(k or 0) for k in key)
        share = power / STEPS
        light = mix(colour(warmth), (1.0, 1.0, 1.0), 0.2 * busy / 4)
        aim = aimed(turn)
        if aim[1] >= 0.0:
            drum(brush, (x, y, 2.45), aim, light, share)
            lattice(brush, x, y)
        if aim[1] < 0.0:
            drum(brush, (x, y, 2.45), aim, light, share)
        for level in range(4):  # how strongly it sends, as a ladder of lamps on the nearest leg
            on = level < -(-4 * power // STEPS)
            spot = add(corner(x, y, 2, 0.5 + 0.22 * level), (0.0, -0.06, 0.0))
            brush.dot(spot, 0.055, light if on else scaled(light, 0.16))
        top: Vec3 = (x, y - 0.02, HIGH + 0.34)
        brush.sphere(top, 0.11, mix(scaled(light, 0.28), light, share), shine=0.2 + 0.8 * share)
        if power:
            for direction in (-1.0, 1.0):
                waves(brush, top, (direction, 0.0, 0.0), light, 0.25 + 0.75 * share, phase / PHASES)

    def glows(moment: Moment) -> Iterator[Glow]:
        share = sends(moment) / STEPS
        for x, y, _ in placed.spots:
            yield Glow(
                (x, y, HIGH + 0.34), 0.45 + 0.3 * share, colour(moment.step("tint", STEPS, 0.0)), 0.9 * share, False
            )

    def floor(brush: Brush) -> None:
        for x, y, _ in placed.spots:
            brush.shadow(0.8, 0.65, 0.45, (x, y, 0.0))

    yield Floor(draw=floor)
    for x, y, _ in placed.spots:
        yield Sprite(
            draw=partial(mast, x=x, y=y),
            under=Under(draw=partial(behind, x=x, y=y), key=lambda key: (aimed(int(key[0] or 0))[1] < 0.0,)),
            key=key,
            box=((x - 0.95, y - 0.75, 0.0), (x + 0.95, y + 0.75, HIGH + 0.95)),
            depth=(x, y - 0.4),
        )
    yield Glows(at=glows)


GLYPH = Glyph(
    name="mast",
    summary="a lattice mast; glow lights it and sends waves, tint colours them, angle turns its drum",
    words="a lattice radio mast",
    build=build,
    props={"glow": "share", "tint": "share", "angle": "degrees"},
    footprint=(1.0, 0.9),
    height=3.3,
    contact=lambda placed: (placed.spots[0][0], placed.spots[0][1] - 0.55, 1.0),
)
