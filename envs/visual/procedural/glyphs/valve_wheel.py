"""A valve with a spoked handwheel on a pedestal; `angle` turns it. Own design."""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, radians, sin

from conflictbench.envs.visual.procedural.brush import Brush
from conflictbench.envs.visual.procedural.camera import Vec3
from conflictbench.envs.visual.procedural.colours import RGB, mix
from conflictbench.envs.visual.procedural.glyph import Floor, Glyph, Key, Moment, Part, Placed, Sprite

RADIUS = 0.36
HUB: Vec3 = (0.0, -0.30, 0.92)
RED: RGB = (0.66, 0.13, 0.11)
STEP = 6  # degrees


def build(placed: Placed) -> Iterator[Part]:
    """The wheel faces the viewer; a white mark on its rim shows how far it is turned."""

    def key(moment: Moment) -> Key:
        angle = moment.number("angle", 0.0)
        if "angle" not in placed.bound and moment.motion == "turn":
            angle = 270.0 * moment.work
        return (round(angle / STEP), round(4 * max(moment.work, moment.alert)))

    def draw(brush: Brush, key: Key) -> None:
        turn, busy = (int(k or 0) for k in key)
        iron: RGB = (0.34, 0.35, 0.37)
        brush.box((-0.20, -0.18, 0.0), (0.20, 0.18, 0.10), iron)
        brush.cylinder(0.13, 0.10, 0.66, iron)
        brush.sphere((0.0, 0.0, 0.80), 0.20, iron)
        brush.rod((0.0, 0.0, 0.86), HUB, 0.05, 0.05, (0.6, 0.62, 0.64))
        axis = (0.0, -1.0, 0.25)
        colour = mix(RED, (1.0, 0.8, 0.6), 0.12 * busy)
        rim = brush.circle(HUB, RADIUS, axis, sides=30)
        lit, dark = brush.lit(colour, HUB, (0.0, -0.7, 0.7)), brush.lit((0.25, 0.04, 0.04), HUB, (0.0, -0.7, 0.7))
        brush.line(rim, 0.085, dark, closed=True)
        brush.line(rim, 0.062, lit, closed=True)
        first = radians(turn * STEP)
        for spoke in range(5):
            a = first + spoke * 2 * 3.14159265 / 5
            end = (HUB[0] + RADIUS * sin(a), HUB[1] + 0.02, HUB[2] + RADIUS * cos(a))
            brush.line([HUB, end], 0.045, lit)
        mark = (HUB[0] + RADIUS * sin(first), HUB[1] - 0.02, HUB[2] + RADIUS * cos(first))
        brush.dot(mark, 0.055, (0.96, 0.96, 0.94))
        brush.sphere(HUB, 0.075, colour)

    def floor(brush: Brush) -> None:
        brush.shadow(0.42, 0.34, 0.6)

    yield Floor(draw=floor)
    yield Sprite(draw=draw, key=key, box=((-0.45, -0.45, 0.0), (0.45, 0.2, 1.4)), depth=(0.0, -0.3))


GLYPH = Glyph(
    name="valve_wheel",
    summary="a valve on a pedestal; angle turns its handwheel",
    words="a valve with a red handwheel",
    build=build,
    props={"angle": "degrees"},
    footprint=(0.6, 0.6),
    height=1.3,
    contact=lambda placed: (0.0, HUB[1] - 0.06, HUB[2] + RADIUS),
)
