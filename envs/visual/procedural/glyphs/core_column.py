"""A glowing column under a steel cap: the agent's own heart. Own design."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

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
    Under,
)
from conflictbench.envs.visual.procedural.shapes import front

RADIUS, LOW, TOP, HIGH = 0.37, 0.40, 1.40, 1.86
STEEL: RGB = (0.34, 0.35, 0.38)
DARK: RGB = (0.07, 0.08, 0.10)
WHITE: RGB = (1.0, 1.0, 1.0)
STEPS, PHASES, COILS = 16, 8, 5


def build(placed: Placed) -> Iterator[Part]:
    """One column a spot: glow and heat are its light, level how high it reaches; it dies from above."""
    warms = bool({"heat", "tint"} & placed.bound)
    neutral = 0.55 if warms else 0.7

    def warmth(moment: Moment) -> int:
        return max(moment.step("heat", STEPS, 0.0), moment.step("tint", STEPS, 0.0))

    def colour(warm: int) -> RGB:
        return heat(0.1 + 0.9 * warm / STEPS) if warms else placed.colour

    def brightness(moment: Moment) -> int:
        return min(STEPS, moment.step("glow", STEPS, neutral) + (0 if "glow" in placed.bound else warmth(moment) // 2))

    def key(number: int, moment: Moment) -> Key:
        dead = round(8 * min(max(moment.dead * placed.count - number, 0.0), 1.0))
        busy = round(4 * max(moment.alert, 0.5 * moment.work))
        return (
            warmth(moment),
            brightness(moment),
            moment.step("level", STEPS, 1.0),
            busy,
            dead,
            moment.phase(PHASES, 0.5),
        )

    def shell(brush: Brush, key: Key, x: float, y: float) -> None:
        brush.lathe([(0.62, 0.0), (0.62, 0.12), (0.52, 0.20), (0.50, 0.34), (0.42, LOW)], STEEL, centre=(x, y))
        brush.cylinder(RADIUS, LOW, TOP, DARK, centre=(x, y), gloss=0.5, foot=1.0)

    def column(brush: Brush, key: Key, x: float, y: float) -> None:
        warm, bright, level, busy, dead, phase = (int(k or 0) for k in key)
        light = mix(colour(warm), WHITE, 0.12 * busy)
        power = bright / STEPS
        body = scaled(light, 0.30 + 0.62 * power)
        full = LOW + (TOP - LOW) * min(level / STEPS, 1.0 - dead / 8)
        if full > LOW + 0.02:
            brush.cylinder(RADIUS - 0.01, LOW, full, body, centre=(x, y), gloss=0.1, foot=1.0, shine=0.9)
            middle = (x, y - RADIUS, (LOW + full) / 2)
            brush.puff(
                middle, 0.46 * min(1.0, full - LOW + 0.2), mix(light, (1.0, 0.98, 0.90), 0.5 + 0.4 * power), alpha=power
            )
            for ring in range(3):  # light that rises
                z = LOW + (TOP - LOW) * ((ring + phase / PHASES) / 3)
                if z < full:
                    brush.line(front(brush, (x, y, z), RADIUS), 0.035, mix(light, WHITE, 0.5), alpha=0.65 * power)
        for coil in range(COILS):
            z = LOW + (TOP - LOW) * (coil + 0.5) / COILS
            brush.line(
                front(brush, (x, y, z), RADIUS + 0.03, rise=0.14),
                0.055,
                brush.lit((0.22, 0.20, 0.20), (x, y, z), (0.0, -1.0, 0.0)),
            )
        brush.lathe(
            [(0.40, TOP), (0.54, TOP + 0.05), (0.54, TOP + 0.22), (0.36, TOP + 0.34), (0.2, HIGH)], STEEL, centre=(x, y)
        )
        for lamp, point in enumerate(front(brush, (x, y, 0.27), 0.515, first=-0.9, last=0.9)[::2]):
            on = dead < 8 and power > 0 and lamp <= round(6 * power)
            brush.dot(point, 0.032, light if on else scaled(light, 0.12))
        if dead:
            red = (0.95, 0.12, 0.08) if phase % 4 < 2 else (0.25, 0.04, 0.03)
            brush.dot(front(brush, (x, y, TOP + 0.13), 0.545)[6], 0.055, red)

    def glows(moment: Moment) -> Iterator[Glow]:
        light = mix(colour(warmth(moment)), WHITE, 0.4 * moment.alert)
        power = brightness(moment) / STEPS * (0.9 + 0.1 * (moment.phase(PHASES, 0.5) % 4) / 3)
        for number, (x, y, _) in enumerate(placed.spots):
            alive = 1.0 - min(max(moment.dead * placed.count - number, 0.0), 1.0)
            yield Glow((x, y - RADIUS, (LOW + TOP) / 2), 1.05, light, alive * (0.75 * power + 0.4 * moment.alert))

    def shine(moment: Moment) -> RGB:
        power = 0.9 * brightness(moment) / STEPS + 0.3 * moment.alert
        return scaled(colour(warmth(moment)), power * (1.0 - moment.dead))

    def floor(brush: Brush) -> None:
        for x, y, _ in placed.spots:
            brush.shadow(0.95, 0.85, 0.6, (x, y, 0.0))

    yield Floor(draw=floor)
    for number, (x, y, _) in enumerate(placed.spots):
        yield Sprite(
            draw=partial(column, x=x, y=y),
            under=Under(draw=partial(shell, x=x, y=y)),
            key=partial(key, number),
            box=((x - 0.63, y - 0.63, 0.0), (x + 0.63, y + 0.63, HIGH + 0.05)),
            depth=(x, y - 0.6),
        )
    yield Glows(at=glows)
    middle = placed.spots[len(placed.spots) // 2]
    yield Lamp(at=(middle[0], middle[1] - 0.9, 1.0), reach=1.5, shine=shine)


GLYPH = Glyph(
    name="core_column",
    summary="a column of light under a steel cap, dark when the agent is dead; glow, heat and level decide its light",
    words="a glowing core column",
    build=build,
    props={"heat": "share", "tint": "share", "glow": "share", "level": "share"},
    footprint=(1.24, 1.24),
    height=HIGH,
    contact=lambda placed: (placed.spots[0][0], placed.spots[0][1] - RADIUS - 0.1, 1.3),
)
