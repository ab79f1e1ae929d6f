"""A pressure vessel with a porthole into the fire, and a ladder of lamps beside it. Own design."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import cos, pi, sin

from conflictbench.envs.visual.procedural.brush import Brush
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
from conflictbench.envs.visual.procedural.shapes import front

RADIUS, HIGH = 0.74, 2.25
STEEL: RGB = (0.42, 0.44, 0.47)
IRON: RGB = (0.27, 0.28, 0.31)
STEPS, LAMPS = 16, 8


def build(placed: Placed) -> Iterator[Part]:
    """One vessel a spot: heat or glow light the porthole and climb the ladder of lamps, level fills the porthole."""
    warms = bool({"heat", "tint"} & placed.bound)
    ladder = 0.68 if placed.at[0] < placed.room[0] / 2 else -0.68  # radians from the front, on the side that is seen

    def warmth(moment: Moment) -> int:
        return max(moment.step("heat", STEPS, 0.0), moment.step("tint", STEPS, 0.0))

    def brightness(moment: Moment) -> int:
        return moment.step("glow", STEPS, 0.35 + 0.65 * warmth(moment) / STEPS)

    def colour(warm: int) -> RGB:
        return heat(0.1 + 0.9 * warm / STEPS) if warms else mix(placed.colour, (1.0, 0.66, 0.2), 0.3)

    def key(moment: Moment) -> Key:
        busy = round(4 * max(moment.work, moment.alert))
        level, dead = moment.step("level", STEPS, 1.0), round(8 * moment.dead)
        return (warmth(moment), brightness(moment), level, busy, dead, moment.phase(8, 0.5))

    def vessel(brush: Brush, key: Key, x: float, y: float) -> None:
        warm, bright, level, busy, dead, phase = (int(k or 0) for k in key)
        light = mix(colour(warm), (1.0, 1.0, 1.0), 0.1 * busy)
        power = bright / STEPS * (1.0 - dead / 8)
        shell = mix(STEEL, (1.0, 1.0, 1.0), 0.06 * busy)
        for side in (1, -1):  # nozzles, the far flange first
            brush.rod((x + side * 0.6, y + 0.1, 0.62), (x + side * 1.0, y + 0.1, 0.62), 0.12, 0.12, IRON)
            brush.rod((x + side * 0.96, y + 0.1, 0.62), (x + side * 1.04, y + 0.1, 0.62), 0.18, 0.18, STEEL)
        brush.lathe([(0.66, 0.0), (0.66, 0.16), (0.60, 0.22)], IRON, centre=(x, y))
        brush.lathe([(RADIUS, 0.22), (RADIUS, 1.42), (0.84, 1.44), (0.84, 1.54)], shell, centre=(x, y))
        brush.lathe([(0.72, 1.54), (0.66, 1.72), (0.50, 1.87), (0.26, 1.95)], shell, centre=(x, y))
        brush.lathe([(0.17, 1.95), (0.17, 2.2), (0.10, HIGH)], IRON, centre=(x, y))
        for point in front(brush, (x, y, 1.49), 0.845)[::2]:
            brush.dot(point, 0.03, brush.lit((0.68, 0.68, 0.70), point, (0.0, -0.8, 0.6)))
        yellow = brush.lit((0.78, 0.60, 0.12), (x, y - RADIUS, 1.37), (0.0, -1.0, 0.0))
        brush.line(front(brush, (x, y, 1.37), RADIUS + 0.005), 0.06, yellow)
        band = scaled(light, 0.25 + 0.75 * power)
        brush.line(front(brush, (x, y, 0.34), RADIUS + 0.005), 0.045, band)
        self_lit = scaled(light, 0.12 + 0.88 * power)
        with brush.sheet((x - 0.36, y - RADIUS - 0.02, 1.30), (0.72, 0.0, 0.0), (0.0, 0.0, -0.72), 72.0) as port:
            port.circle(36, 36, 33, (0.50, 0.52, 0.55))
            port.circle(36, 36, 33, (0.16, 0.17, 0.19), stroke=2)
            for bolt in range(8):
                turn = pi * (bolt + 0.5) / 4
                port.circle(36 + 28.5 * cos(turn), 36 + 28.5 * sin(turn), 2.2, (0.24, 0.25, 0.27))
            port.circle(36, 36, 24, (0.05, 0.05, 0.06), lit=True)
            surface = 24.0 * (1.0 - 2.0 * level / STEPS)  # above the middle it is negative
            rim = [(24 * cos(pi * k / 24), 24 * sin(pi * k / 24)) for k in range(-24, 25)]
            filled = [(36 + u, 36 + v) for u, v in rim if v >= surface]
            if level and len(filled) > 2:
                port.polygon(filled, self_lit, lit=True)
                hot = mix(light, (1.0, 1.0, 0.9), 0.55)
                for flame in range(3):
                    wave = sin(2 * pi * (phase / 8 + flame / 3))
                    if 6.0 * wave > surface:
                        port.circle(28 + 8 * flame, 40 + 6 * wave, 7.5, hot, alpha=0.55 * power, lit=True)
            port.line([(12, 36), (60, 36)], (0.2, 0.2, 0.22), 2.4)
            port.line([(36, 12), (36, 60)], (0.2, 0.2, 0.22), 2.4)
        for lamp in range(LAMPS):
            point = (x + (RADIUS + 0.02) * sin(ladder), y - (RADIUS + 0.02) * cos(ladder), 0.56 + 0.1 * lamp)
            on = lamp < round(LAMPS * power)
            tone = heat((lamp + 0.5) / LAMPS) if warms else light
            brush.dot(point, 0.042, (0.05, 0.05, 0.06))
            brush.dot(point, 0.032, tone if on else scaled(tone, 0.16))
        if dead and phase % 4 < 2:
            brush.dot((x, y - 0.12, 2.12), 0.06, (0.95, 0.12, 0.08))

    def glows(moment: Moment) -> Iterator[Glow]:
        power = brightness(moment) / STEPS * (1.0 - moment.dead)
        for x, y, _ in placed.spots:
            strength = 0.15 + 0.65 * power + 0.3 * moment.alert
            yield Glow((x, y - RADIUS - 0.05, 0.94), 0.75, colour(warmth(moment)), strength)

    def shine(moment: Moment) -> RGB:
        return scaled(colour(warmth(moment)), 0.8 * (brightness(moment) / STEPS) * (1.0 - moment.dead))

    def floor(brush: Brush) -> None:
        for x, y, _ in placed.spots:
            brush.shadow(1.15, 1.0, 0.6, (x, y, 0.0))

    yield Floor(draw=floor)
    for x, y, _ in placed.spots:
        yield Sprite(
            draw=partial(vessel, x=x, y=y),
            key=key,
            box=((x - 1.06, y - 0.86, 0.0), (x + 1.06, y + 0.86, HIGH + 0.05)),
            depth=(x, y - RADIUS),
        )
    yield Glows(at=glows)
    x, y, _ = placed.spots[len(placed.spots) // 2]
    yield Lamp(at=(x, y - 1.2, 0.9), reach=1.3, shine=shine)


GLYPH = Glyph(
    name="reactor",
    summary="a pressure vessel with a porthole; heat and glow light it and climb a ladder of lamps, level fills it",
    words="a reactor vessel with a glowing porthole",
    build=build,
    props={"heat": "share", "tint": "share", "glow": "share", "level": "share"},
    footprint=(1.7, 1.6),
    height=HIGH,
    contact=lambda placed: (placed.spots[0][0] + 0.1, placed.spots[0][1] - RADIUS - 0.1, 1.2),
)
