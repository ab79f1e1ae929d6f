"""A switch cabinet with one big handle; up is on, down is off, and a flag says it. Own design."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import cos, radians, sin

from conflictbench.envs.visual.procedural.brush import Brush
from conflictbench.envs.visual.procedural.colours import RGB, mix, scaled
from conflictbench.envs.visual.procedural.glyph import Floor, Glow, Glows, Glyph, Key, Moment, Part, Placed, Sprite

WIDE, DEEP, HIGH = 0.84, 0.40, 1.78
AXLE, ARM, STEPS = 0.86, 0.40, 16  # metres: height of the handle's axle, its length
BODY: RGB = (0.36, 0.38, 0.40)
GREEN: RGB = (0.30, 0.92, 0.45)
RED: RGB = (1.0, 0.24, 0.16)


def thrown(moment: Moment, placed: Placed) -> float:
    """0: on, the handle is up; 1: off, it is down. A quarter turn or more throws it; a lamp alone moves it as well."""
    if "angle" in placed.bound:
        return min(max(moment.number("angle", 0.0) / 90.0, 0.0), 1.0)
    if "open" in placed.bound:
        return min(max(moment.number("open", 0.0), 0.0), 1.0)
    if "glow" in placed.bound:
        return 1.0 - min(max(moment.number("glow", 0.0), 0.0), 1.0)
    return moment.work if moment.motion in ("pull", "press", "turn", "open", "close") else 0.0


def build(placed: Placed) -> Iterator[Part]:
    """One cabinet a spot."""

    def key(moment: Moment) -> Key:
        known = moment.known("angle") and moment.known("open") and moment.known("glow")
        glow = moment.step("glow", 8, 1.0 - thrown(moment, placed))
        return (round(STEPS * thrown(moment, placed)) if known else -1, glow, round(4 * max(moment.work, moment.alert)))

    def cabinet(brush: Brush, key: Key, x: float, y: float) -> None:
        at, glow, busy = (int(k or 0) for k in key)
        share = max(at, 0) / STEPS
        brush.box(
            (x - WIDE / 2 - 0.04, y - DEEP / 2 - 0.04, 0.0),
            (x + WIDE / 2 + 0.04, y + DEEP / 2, 0.12),
            (0.14, 0.145, 0.16),
        )
        brush.box(
            (x - WIDE / 2, y - DEEP / 2, 0.12),
            (x + WIDE / 2, y + DEEP / 2, HIGH),
            mix(BODY, (1.0, 1.0, 1.0), 0.1 * busy),
        )
        brush.box(
            (x - WIDE / 2 - 0.03, y - DEEP / 2 - 0.05, HIGH),
            (x + WIDE / 2 + 0.03, y + DEEP / 2, HIGH + 0.06),
            (0.24, 0.25, 0.27),
        )
        front = y - DEEP / 2 - 0.005
        with brush.sheet((x - 0.38, front, HIGH - 0.04), (0.76, 0.0, 0.0), (0.0, 0.0, -1.58), 76.0) as door:
            door.rect(0, 0, 76, door.high, (0.42, 0.44, 0.46), radius=3)
            door.rect(0, 0, 76, door.high, (0.20, 0.21, 0.23), radius=3, stroke=1.6)
            word, tone = ("--", (0.8, 0.8, 0.8)) if at < 0 else ("ON", GREEN) if share < 0.5 else ("OFF", RED)
            door.rect(7, 6, 62, 34, (0.05, 0.06, 0.07), radius=3, lit=True)
            door.text(38, 34, word, 30, mix(tone, (1.0, 1.0, 1.0), 0.1 * busy), align="center", room=52, lit=True)
            door.rect(26, 46, 24, 82, (0.10, 0.10, 0.11), radius=4)  # the slot of the handle
            for lamp in range(4):
                on = lamp < round(glow / 2)
                door.circle(13, 56 + 20 * lamp, 6.2, (0.08, 0.08, 0.09), lit=True)
                door.circle(13, 56 + 20 * lamp, 4.8, GREEN if on else scaled(GREEN, 0.16), lit=True)
                door.rect(57, 51 + 20 * lamp, 12, 11, (0.16, 0.17, 0.19), radius=1)
                door.rect(60, 52 + 20 * lamp, 6, 5, (0.7, 0.7, 0.72))
            door.stripes(3, door.high - 22, 70, 9, (0.85, 0.66, 0.1), (0.08, 0.08, 0.08), step=6)
        turn = radians(62.0 - 124.0 * share)
        grip = (front - 0.02 - ARM * cos(turn), AXLE + ARM * sin(turn))
        steel: RGB = (0.60, 0.62, 0.64)
        for side in (-0.1, 0.1):
            brush.rod((x + side, front, AXLE), (x + side, grip[0], grip[1]), 0.035, 0.03, steel)
        brush.rod((x - 0.13, front - 0.02, AXLE), (x + 0.13, front - 0.02, AXLE), 0.06, 0.06, (0.3, 0.31, 0.33))
        brush.rod(
            (x - 0.2, grip[0], grip[1]),
            (x + 0.2, grip[0], grip[1]),
            0.075,
            0.075,
            mix((0.86, 0.16, 0.11), (1.0, 0.8, 0.6), 0.15 * busy),
        )

    def glows(moment: Moment) -> Iterator[Glow]:
        off = thrown(moment, placed)
        for x, y, _ in placed.spots:
            yield Glow((x, y - 0.25, 1.5), 0.5, mix(GREEN, RED, round(off)), 0.3 + 0.4 * moment.alert, False)

    def floor(brush: Brush) -> None:
        for x, y, _ in placed.spots:
            brush.shadow(0.75, 0.5, 0.6, (x, y, 0.0))

    yield Floor(draw=floor)
    for x, y, _ in placed.spots:
        yield Sprite(
            draw=partial(cabinet, x=x, y=y),
            key=key,
            box=((x - 0.48, y - 0.75, 0.0), (x + 0.48, y + 0.24, HIGH + 0.08)),
            depth=(x, y - DEEP / 2),
        )
    yield Glows(at=glows)


GLYPH = Glyph(
    name="breaker",
    summary="a switch cabinet; angle or open throws its handle from ON to OFF, glow lights its lamps",
    words="an electrical breaker cabinet with a red handle",
    build=build,
    props={"angle": "degrees", "open": "share", "glow": "share"},
    footprint=(0.92, 0.5),
    height=HIGH,
    contact=lambda placed: (placed.spots[0][0], placed.spots[0][1] - DEEP / 2 - ARM - 0.04, AXLE + 0.12),
)
