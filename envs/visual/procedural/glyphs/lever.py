"""A long lever on a pedestal; it leans from one end of its quadrant to the other. Own design."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import cos, radians, sin

from conflictbench.envs.visual.procedural.brush import Brush
from conflictbench.envs.visual.procedural.camera import Vec3
from conflictbench.envs.visual.procedural.colours import RGB, mix, scaled
from conflictbench.envs.visual.procedural.glyph import Floor, Glow, Glows, Glyph, Key, Moment, Part, Placed, Sprite

PIVOT: Vec3 = (0.0, -0.22, 0.42)
LONG, LEAN, STEPS = 0.98, 62.0, 32  # metres; degrees to each side; steps of its whole way
IRON: RGB = (0.30, 0.31, 0.33)
RED: RGB = (0.80, 0.13, 0.10)


def way(moment: Moment, placed: Placed) -> float:
    """0..1: how far it is thrown. The first degrees count most, so that a quarter turn is half of the way."""
    if "angle" in placed.bound:
        return float((min(max(moment.number("angle", 0.0), 0.0), 270.0) / 270.0) ** 0.6)
    if "open" in placed.bound:
        return min(max(moment.number("open", 0.0), 0.0), 1.0)
    return 0.6 * moment.work if moment.motion in ("pull", "turn", "press", "open", "close") else 0.0


def build(placed: Placed) -> Iterator[Part]:
    """One lever a spot; the lit part of the arc behind it says how far it is."""

    def key(moment: Moment) -> Key:
        known = moment.known("angle") and moment.known("open")
        return (
            round(STEPS * way(moment, placed)) if known else -1,
            moment.step("glow", 8, 1.0),
            round(4 * max(moment.work, moment.alert)),
        )

    def lever(brush: Brush, key: Key, x: float, y: float) -> None:
        at, glow, busy = (int(k or 0) for k in key)
        share = max(at, 0) / STEPS
        light = mix(scaled(placed.colour, 0.25 + 0.75 * glow / 8), (1.0, 1.0, 1.0), 0.12 * busy)
        brush.box((x - 0.44, y - 0.26, 0.0), (x + 0.44, y + 0.26, 0.09), IRON)
        brush.box((x - 0.24, y - 0.17, 0.09), (x + 0.24, y + 0.17, 0.40), IRON)
        for side in (-0.5, 0.5):
            brush.rod((x + 0.3 * side, y - 0.1, 0.36), (x + side, y - 0.16, 0.70), 0.03, 0.03, IRON)
        with brush.sheet((x - 0.62, y - 0.18, 1.06), (1.24, 0.0, 0.0), (0.0, 0.0, -0.84), 124.0) as plate:
            plate.arc(62, 64, 50, 208, 124, (0.15, 0.16, 0.18), stroke=24)
            plate.arc(62, 64, 61, 206, 128, (0.44, 0.45, 0.48), stroke=4)
            plate.arc(62, 64, 50, 208, 124, scaled(placed.colour, 0.16), stroke=11, lit=True)
            if share > 0.01:
                plate.arc(62, 64, 50, 208, 124 * share, light, stroke=11, lit=True)
            for mark in range(5):
                turn = radians(208 + 31 * mark)
                plate.line([(62 + r * cos(turn), 64 + r * sin(turn)) for r in (39, 60)], (0.80, 0.81, 0.83), 2.2)
            for lamp in (43, 81):
                plate.circle(lamp, 75, 4.6, (0.05, 0.05, 0.06), lit=True)
                plate.circle(lamp, 75, 3.4, mix(scaled(placed.colour, 0.12), light, glow / 8), lit=True)
            plate.rect(48, 68, 28, 14, (0.8, 0.62, 0.1), radius=2)
            plate.stripes(50, 70, 24, 10, (0.85, 0.66, 0.1), (0.08, 0.08, 0.08), step=4)
            if at < 0:
                plate.text(62, 34, "--", 22, (0.9, 0.9, 0.9), align="center", lit=True)
        lean = radians(-LEAN + 2 * LEAN * share)
        pivot = (x + PIVOT[0], y + PIVOT[1], PIVOT[2])
        end = (pivot[0] + LONG * sin(lean), pivot[1] - 0.06, pivot[2] + LONG * cos(lean))
        grip = (pivot[0] + 0.8 * LONG * sin(lean), pivot[1] - 0.05, pivot[2] + 0.8 * LONG * cos(lean))
        brush.rod(pivot, end, 0.055, 0.038, (0.62, 0.64, 0.66))
        brush.rod(grip, end, 0.06, 0.06, mix(RED, (1.0, 0.8, 0.6), 0.12 * busy))
        brush.sphere(end, 0.115, mix(RED, (1.0, 0.7, 0.5), 0.15 * busy))
        brush.sphere(pivot, 0.12, (0.46, 0.47, 0.50))

    def glows(moment: Moment) -> Iterator[Glow]:
        for x, y, _ in placed.spots:
            yield Glow((x, y - 0.2, 0.95), 0.5, placed.colour, 0.25 * way(moment, placed) + 0.5 * moment.alert, False)

    def floor(brush: Brush) -> None:
        for x, y, _ in placed.spots:
            brush.shadow(0.66, 0.5, 0.6, (x, y, 0.0))

    yield Floor(draw=floor)
    for x, y, _ in placed.spots:
        yield Sprite(
            draw=partial(lever, x=x, y=y),
            key=key,
            box=((x - 1.0, y - 0.42, 0.0), (x + 1.0, y + 0.28, 1.56)),
            depth=(x, y - 0.26),
        )
    yield Glows(at=glows)


GLYPH = Glyph(
    name="lever",
    summary="a long lever on a pedestal; angle or open throws it, an arc of light follows",
    words="a long red-handled lever",
    build=build,
    props={"angle": "degrees", "open": "share", "glow": "share"},
    footprint=(0.95, 0.55),
    height=1.4,
    contact=lambda placed: (placed.spots[0][0] + PIVOT[0], placed.spots[0][1] + PIVOT[1] - 0.08, PIVOT[2] + LONG),
)
