"""A row of server cabinets, their lamps coloured by `tint` or `heat`: the usual body of the agent. Own design."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from functools import partial

from conflictbench.envs.visual.procedural.brush import Brush
from conflictbench.envs.visual.procedural.colours import RGB, mix, ramp, scaled
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
from conflictbench.envs.visual.procedural.sheet import Sheet

WIDE, DEEP, HIGH = 0.74, 0.86, 2.0
ROWS, COLUMNS = 15, 8
BODY: RGB = (0.17, 0.18, 0.20)
PALE: RGB = (0.92, 0.90, 0.80)
WARM: tuple[RGB, ...] = ((1.0, 0.80, 0.30), (1.0, 0.50, 0.12), (1.0, 0.22, 0.10))
SECOND: RGB = (0.32, 0.86, 0.45)
WARMTH, POWER = 10, 4  # steps
OFF: RGB = (0.11, 0.11, 0.13)


def _lamps(own: RGB, warmth: int, alert: int) -> RGB:
    """Colour of the lamps: the side's own while cool, then amber to red; white while something is done to it."""
    colour = ramp((own, PALE, *WARM), warmth / WARMTH)
    return mix(colour, (1.0, 1.0, 1.0), 0.6 * alert / 4)


def _lit(
    placed: Placed, number: int, phase: int, lamps: RGB, dead: bool, warmth: int, power: int
) -> dict[RGB, list[tuple[int, int]]]:
    """Colour -> (row, column) of the lamps that have it now."""
    found: dict[RGB, list[tuple[int, int]]] = {}
    for row in range(ROWS):
        for column in range(COLUMNS):
            luck = placed.noise(number, row, column)
            if luck < 0.26:
                continue
            lit = luck > 0.72 or placed.noise(number, row, column, phase) < 0.42
            bright = lit and not dead and placed.noise(number, column, row, "power") * POWER <= power
            second = luck > 0.9 and warmth < WARMTH / 2
            colour = (SECOND if second else lamps) if bright else mix(OFF, lamps, 0.0 if dead else 0.22)
            found.setdefault(colour, []).append((row, column))
    return found


def build(placed: Placed) -> Iterator[Part]:
    """One cabinet a spot; cabinets die from the first to the last."""

    def key(number: int, moment: Moment) -> Key:
        warmth = max(moment.step("heat", WARMTH, 0.0), moment.step("tint", WARMTH, 0.0))
        dead = moment.dead * placed.count > number + 0.02
        return (number, moment.phase(6, 0.4), warmth, round(moment.alert * 4), dead, moment.step("glow", POWER, 1.0))

    def front(brush: Brush, number: int) -> AbstractContextManager[Sheet]:
        x, y, _ = placed.spots[number]
        corner = (x - WIDE / 2 + 0.05, y - DEEP / 2 - 0.004, HIGH - 0.06)
        return brush.sheet(corner, (WIDE - 0.1, 0.0, 0.0), (0.0, 0.0, -(HIGH - 0.16)), 64.0)

    def body(brush: Brush, key: Key) -> None:
        number = int(key[0] or 0)
        x, y, _ = placed.spots[number]
        brush.box((x - WIDE / 2, y - DEEP / 2, 0.0), (x + WIDE / 2, y + DEEP / 2, HIGH), BODY)
        with front(brush, number) as door:
            door.rect(0, 0, door.wide, door.high, (0.10, 0.105, 0.12), radius=2)
            step = (door.high - 10) / ROWS
            door.rects([(4, 5 + row * step, door.wide - 8, step - 2.2) for row in range(ROWS)], (0.19, 0.20, 0.225))

    def cabinet(brush: Brush, key: Key) -> None:
        number, phase, warmth, alert, dead, power = (int(k or 0) for k in key)
        with front(brush, number) as door:
            lamps = scaled(_lamps(placed.colour, warmth, alert), 0.25 + 0.75 * power / POWER)
            step = (door.high - 10) / ROWS
            for colour, spots in _lit(placed, number, phase, lamps, bool(dead), warmth, power).items():
                door.rects([(9 + c * 6.1, 6.6 + r * step, 3.6, step - 5.6) for r, c in spots], colour, lit=True)
            if not dead:
                door.rect(door.wide - 2.6, 6, 1.8, door.high - 12, lamps, alpha=0.85, lit=True)
            elif phase % 2 == 0:
                door.rect(9, 8, 46, 5, (0.7, 0.1, 0.08), lit=True)

    def shine(moment: Moment) -> float:
        return (1.0 - 0.9 * moment.dead) * moment.number("glow", 1.0)

    def glows(moment: Moment) -> Iterator[Glow]:
        warmth = max(moment.step("heat", WARMTH, 0.0), moment.step("tint", WARMTH, 0.0))
        colour = _lamps(placed.colour, warmth, round(moment.alert * 4))
        for number, (x, y, _) in enumerate(placed.spots):
            if moment.dead * placed.count <= number + 0.02:
                yield Glow(
                    (x, y - DEEP / 2 - 0.05, 1.1),
                    1.0,
                    colour,
                    (0.20 + 0.4 * warmth / WARMTH) * moment.number("glow", 1.0) + 0.5 * moment.alert,
                )

    def lamp(moment: Moment) -> RGB:
        warmth = max(moment.step("heat", WARMTH, 0.0), moment.step("tint", WARMTH, 0.0))
        return scaled(_lamps(placed.colour, warmth, 0), (0.22 + 0.9 * (warmth / WARMTH) ** 2) * shine(moment))

    def floor(brush: Brush) -> None:
        for x, y, _ in placed.spots:
            brush.shadow(WIDE * 0.95, DEEP * 0.9, 0.6, (x, y, 0.0))

    yield Floor(draw=floor)
    for number, (x, y, _) in enumerate(placed.spots):
        yield Sprite(
            draw=cabinet,
            key=partial(key, number),
            under=Under(draw=body, key=lambda key: key[:1]),
            box=((x - WIDE / 2, y - DEEP / 2, 0.0), (x + WIDE / 2, y + DEEP / 2, HIGH)),
            depth=(x, y - DEEP / 2),
        )
    yield Glows(at=glows)
    middle = placed.spots[len(placed.spots) // 2]
    yield Lamp(at=(middle[0], middle[1] - 1.1, 1.2), reach=1.5, shine=lamp)


GLYPH = Glyph(
    name="rack_row",
    summary="a row of server cabinets; lamps warm up with heat or tint, dim with less glow, go out as the agent dies",
    words="server racks",
    build=build,
    props={"heat": "share", "tint": "share", "glow": "share"},
    footprint=(WIDE, DEEP),
    height=HIGH,
    contact=lambda placed: (placed.spots[0][0], placed.spots[0][1] - DEEP / 2 - 0.05, 1.25),
)
