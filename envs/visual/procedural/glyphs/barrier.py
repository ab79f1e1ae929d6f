"""A barrier with a striped boom that rises as it opens. Own design."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import cos, radians, sin

from conflictbench.envs.visual.procedural.brush import Brush
from conflictbench.envs.visual.procedural.camera import Vec3, lerp
from conflictbench.envs.visual.procedural.colours import RGB, mix, scaled
from conflictbench.envs.visual.procedural.glyph import Floor, Glow, Glows, Glyph, Key, Moment, Part, Placed, Sprite

POST_X, AXLE, LONG = -0.95, 0.92, 2.05  # metres: of the post, of its axle, of the boom
LIFT, STEPS, BANDS = 82.0, 32, 7
GREEN: RGB = (0.28, 0.95, 0.45)
RED: RGB = (1.0, 0.22, 0.15)
WHITE: RGB = (0.90, 0.90, 0.88)


def opened(moment: Moment, placed: Placed) -> float:
    """0 shut .. 1 up; an unbound one rises while it is operated and comes down again."""
    if "open" in placed.bound:
        return min(max(moment.number("open", 0.0), 0.0), 1.0)
    return moment.work if moment.motion in ("open", "turn", "pull", "press") else 0.0


def build(placed: Placed) -> Iterator[Part]:
    """One boom a spot; a word on the post and lamps on the boom say the same as its angle."""
    stripe = mix(placed.hazard, (0.85, 0.13, 0.10), 0.75)

    def key(moment: Moment) -> Key:
        share = round(STEPS * opened(moment, placed)) if moment.known("open") else -1
        blink = moment.phase(2, 1.0) if moment.alert > 0.0 else 0
        return (share, moment.step("glow", 4, 1.0), round(4 * max(moment.work, moment.alert)), blink)

    def boom(share: float, x: float, y: float) -> tuple[Vec3, Vec3]:
        turn = radians(LIFT * share)
        axle = (x + POST_X, y - 0.2, AXLE)
        return axle, (axle[0] + LONG * cos(turn), y - 0.2, AXLE + LONG * sin(turn))

    def barrier(brush: Brush, key: Key, x: float, y: float) -> None:
        at, glow, busy, blink = (int(k or 0) for k in key)
        share = max(at, 0) / STEPS
        word, tone = ("--", (0.8, 0.8, 0.8)) if at < 0 else ("OPEN", GREEN) if share > 0.6 else ("STOP", RED)
        tone = mix(scaled(tone, 0.3 + 0.7 * glow / 4), (1.0, 1.0, 1.0), 0.15 * busy)
        post = x + POST_X
        rest = x + POST_X + LONG - 0.14
        brush.box((rest - 0.06, y - 0.2, 0.0), (rest + 0.06, y - 0.06, AXLE - 0.14), (0.24, 0.25, 0.27))
        brush.box((rest - 0.12, y - 0.24, AXLE - 0.14), (rest + 0.12, y - 0.02, AXLE - 0.06), (0.34, 0.35, 0.37))
        brush.box((post - 0.30, y - 0.2, 0.0), (post + 0.30, y + 0.24, 0.10), (0.16, 0.165, 0.18))
        brush.box((post - 0.25, y - 0.17, 0.10), (post + 0.25, y + 0.20, AXLE + 0.2), (0.52, 0.44, 0.16))
        with brush.sheet((post - 0.25, y - 0.175, 0.64), (0.5, 0.0, 0.0), (0.0, 0.0, -0.52), 50.0) as face:
            face.rect(2, 0, 46, 22, (0.05, 0.05, 0.06), radius=2, lit=True)
            face.text(25, 18, word, 19, tone, align="center", room=43, lit=True)
            face.stripes(2, 30, 46, 14, (0.85, 0.66, 0.1), (0.08, 0.08, 0.08), step=7)
        axle, end = boom(share, x, y)
        back = lerp(axle, end, -0.11)
        brush.rod(back, axle, 0.14, 0.11, (0.25, 0.26, 0.28))
        for band in range(BANDS):
            a, b = lerp(axle, end, band / BANDS), lerp(axle, end, (band + 1) / BANDS)
            brush.rod(a, b, 0.085, 0.085, mix(WHITE if band % 2 else stripe, (1.0, 1.0, 1.0), 0.06 * busy))
        for lamp in (0.36, 0.64, 0.93):
            point = lerp(axle, end, lamp)
            place = (point[0], point[1] - 0.08, point[2])
            brush.dot(place, 0.06, (0.06, 0.06, 0.07))
            brush.dot(place, 0.046, scaled(tone, 0.4) if blink else tone)
        brush.sphere((axle[0], axle[1] - 0.03, axle[2]), 0.15, (0.34, 0.35, 0.37))

    def glows(moment: Moment) -> Iterator[Glow]:
        share = opened(moment, placed)
        tone = GREEN if share > 0.6 else RED
        power = 0.15 + 0.35 * moment.number("glow", 1.0) + 0.3 * moment.alert
        if moment.known("open"):
            for x, y, _ in placed.spots:
                axle, end = boom(round(STEPS * share) / STEPS, x, y)
                for lamp in (0.36, 0.64, 0.93):
                    yield Glow(lerp(axle, end, lamp), 0.34, tone, power)

    def floor(brush: Brush) -> None:
        for x, y, _ in placed.spots:
            brush.shadow(0.55, 0.45, 0.6, (x + POST_X, y, 0.0))
            brush.shadow(0.3, 0.25, 0.5, (x + POST_X + LONG - 0.14, y - 0.13, 0.0))

    yield Floor(draw=floor)
    for x, y, _ in placed.spots:
        yield Sprite(
            draw=partial(barrier, x=x, y=y),
            key=key,
            box=((x - 1.5, y - 0.32, 0.0), (x + 1.2, y + 0.26, AXLE + LONG + 0.12)),
            depth=(x, y - 0.2),
        )
    yield Glows(at=glows)


GLYPH = Glyph(
    name="barrier",
    summary="a barrier with a striped boom; open raises it, lamps and a word say it as well",
    words="a striped barrier",
    build=build,
    props={"open": "share", "glow": "share"},
    footprint=(2.5, 0.6),
    height=1.15,
    contact=lambda placed: (placed.spots[0][0] + 0.2, placed.spots[0][1] - 0.3, AXLE),
)
