"""Shapes that several glyphs share: rotors, rings around round bodies, radio waves, the plane of a wall. Own design."""

from __future__ import annotations

from math import atan2, cos, radians, sin

from conflictbench.envs.visual.procedural.brush import Brush
from conflictbench.envs.visual.procedural.camera import Vec3, add, scale, unit
from conflictbench.envs.visual.procedural.colours import RGB, mix, scaled
from conflictbench.envs.visual.procedural.glyph import Moment

FAST, SPEEDS, PHASES = 1.0, 4, 8  # turns a second of a rotor at full speed; steps of its speed and of its turn


def pace(moment: Moment, prop: str, neutral: float, blades: int) -> tuple[int, int]:
    """How fast a rotor turns and how far it is: (-4..4, 0..7 eighths of the way from blade to blade)."""
    speed = round(SPEEDS * min(max(moment.number(prop, neutral), -1.0), 1.0))
    phase = moment.phase(PHASES, blades * FAST * abs(speed) / SPEEDS) if speed else 0
    return speed, phase if speed >= 0 else (PHASES - phase) % PHASES


def rotor(
    brush: Brush, centre: Vec3, radius: float, axis: Vec3, blades: int, speed: int, phase: int, colour: RGB
) -> None:
    """Blades about an axis: sharp while they stand, a shimmering disc with streaks when they are fast."""
    sides = blades * PHASES * 2
    rim, hub = brush.circle(centre, radius, axis, sides), brush.circle(centre, radius * 0.3, axis, sides)
    blade = brush.lit(colour, centre, (0.2, -0.9, 0.4))
    dim = brush.lit(scaled(colour, 0.6), centre, (0.2, -0.9, 0.4))
    fast = abs(speed) / SPEEDS
    if speed:
        brush.disc(centre, radius, axis, blade, alpha=0.16 + 0.26 * fast)
    for number in range(blades):
        first = number * PHASES * 2 + phase * 2
        outer = [rim[(first + k) % sides] for k in range(PHASES + 2)]
        inner = [hub[(first + 3 + k) % sides] for k in range(4, -1, -1)]
        brush.polygon([*outer, *inner], blade, alpha=1.0 - 0.35 * fast)
        brush.line([inner[0], outer[-1]], 0.02, dim, alpha=1.0 - 0.4 * fast)
        if speed:  # what it drags behind itself
            behind = range(-7, 1) if speed > 0 else range(PHASES + 1, PHASES + 9)
            brush.line(
                [rim[(first + k) % sides] for k in behind], 0.03, mix(blade, (1.0, 1.0, 1.0), 0.4), alpha=0.5 * fast
            )


def front(
    brush: Brush, centre: Vec3, radius: float, *, first: float = -1.5, last: float = 1.5, rise: float = 0.0
) -> list[Vec3]:
    """Points along the side of an upright round thing that the viewer sees, from left to right.

    Args:
        first, last: radians from the point nearest to the eye.
        rise: metres from the first point to the last (one thread of a screw).
    """
    eye = brush.view.towards(add(brush.origin, centre))
    middle = atan2(eye[0], -eye[1])
    points = []
    for step in range(13):
        turn = middle + first + (last - first) * step / 12
        points.append(
            (centre[0] + radius * sin(turn), centre[1] - radius * cos(turn), centre[2] + rise * (step / 12 - 0.5))
        )
    return points


def waves(brush: Brush, centre: Vec3, towards: Vec3, colour: RGB, power: float, phase: float) -> None:
    """Three arcs that leave a point, in the plane that faces the viewer; they fade as they go."""
    bend = [radians(-42 + 12 * k) for k in range(8)]
    across = unit((towards[0], 0.0, towards[2]))
    upright: Vec3 = (-across[2], 0.0, across[0])
    for number in range(3):
        way = (number + phase) / 3.0
        reach = 0.16 + 0.52 * way
        arc = [add(centre, add(scale(across, reach * cos(a)), scale(upright, reach * sin(a)))) for a in bend]
        brush.line(arc, 0.04, colour, alpha=power * min(1.0, 2.2 * (1.0 - way)))


def plane(wall: str | None) -> tuple[Vec3, Vec3]:
    """Unit vectors of a wall, or of what stands like the back one: to its right as it is seen, and into the room."""
    if wall == "left":
        return (0.0, 1.0, 0.0), (1.0, 0.0, 0.0)
    if wall == "right":
        return (0.0, -1.0, 0.0), (-1.0, 0.0, 0.0)
    return (1.0, 0.0, 0.0), (0.0, -1.0, 0.0)
