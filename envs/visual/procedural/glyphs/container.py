"""A steel container: a store, a cabin, a bank of cells. Own design."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import cos, sin

from conflictbench.envs.visual.procedural.brush import Brush
from conflictbench.envs.visual.procedural.colours import NAMED, RGB, heat, mix, scaled
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
from conflictbench.envs.visual.procedural.sheet import Sheet
from conflictbench.envs.visual.procedural.vehicles import CARGO, WARM, faded

WIDE, DEEP, HIGH = 1.9, 1.0, 1.35
UNITS = 60.0  # of the front a metre
DOOR = (1.12, 1.82)  # of its front, metres from the left
CELLS = 8
GLASS: RGB = (0.09, 0.11, 0.14)


def build(placed: Placed) -> Iterator[Part]:
    """A door on the right of its front, a lit window and what it reads on the left."""
    paint = scaled(mix(placed.colour, (0.7, 0.7, 0.7), 0.25), 0.55)
    measured = "level" in placed.bound or "tint" in placed.bound or "heat" in placed.bound

    def warmth(moment: Moment) -> int:
        if "tint" in placed.bound or "heat" in placed.bound:
            return max(moment.step("tint", 16, 0.0), moment.step("heat", 16, 0.0))
        return -1

    def key(number: int, moment: Moment) -> Key | None:
        there = moment.number("present", placed.count) if moment.known("present") else float(placed.count)
        seen = round(8 * min(max(there - number, 0.0), 1.0))
        if not seen:
            return None
        gap = moment.number("open", 0.0)
        if "open" not in placed.bound and moment.motion in ("open", "close", "pull"):
            gap = moment.work
        level = moment.step("level", 32, 0.0) if moment.known("level") else -2
        return (
            seen, round(12 * gap), moment.step("load", 3, 1.0), warmth(moment),
            level if "level" in placed.bound else -1,
            max(moment.step("glow", 8, 0.15), round(8 * moment.alert)), round(4 * max(moment.work, moment.alert)),
            1 + moment.phase(2, 1.5) if moment.dead > number / placed.count + 0.02 else 0,
        )  # fmt: skip

    def draw(brush: Brush, key: Key, x: float, y: float) -> None:
        seen, gap, load, warm, level, glow, busy, dead = (int(k or 0) for k in key)
        body = mix(scaled(paint, 0.5 if dead else 1.0), (1.0, 1.0, 1.0), 0.05 * busy)
        x0, y0 = x - WIDE / 2, y - DEEP / 2
        with faded(brush, seen / 8):
            brush.shadow(WIDE * 0.62, DEEP * 0.78, 0.6, (x, y, 0.0))
            brush.box((x0, y0, 0.06), (x0 + WIDE, y0 + DEEP, HIGH), body)
            for foot in (x0, x0 + WIDE - 0.16):
                brush.box((foot, y0 - 0.01, 0.0), (foot + 0.16, y0 + 0.14, 0.1), (0.15, 0.155, 0.17))
            with brush.sheet((x0, y0 - 0.004, HIGH), (WIDE, 0.0, 0.0), (0.0, 0.0, 0.06 - HIGH), WIDE * UNITS) as face:
                steel(face, body)
                inside(face, gap, load, glow)
                if measured:
                    readings(face, warm, level, bool(dead))
                window(face, glow, load, bool(dead))
                if dead == 1:
                    face.circle(7, 8, 3, (0.95, 0.12, 0.08), lit=True)
            leaf(brush, body, x0, y0, gap)

    def steel(face: Sheet, body: RGB) -> None:
        left = 4.0
        while left < face.wide - 4:
            face.rect(left, 5, 2.6, face.high - 10, scaled(body, 0.66))
            face.rect(left + 2.6, 5, 1.2, face.high - 10, mix(body, (1.0, 1.0, 1.0), 0.16))
            left += 7.2
        for edge in ((0.0, 0.0, face.wide, 5.0), (0.0, face.high - 5, face.wide, 5.0)):
            face.rect(*edge, scaled(body, 0.8))
        for corner in (0.0, face.wide - 4):
            face.rect(corner, 0, 4, face.high, scaled(body, 0.8))

    def inside(face: Sheet, gap: int, load: int, glow: int) -> None:
        left, wide = DOOR[0] * UNITS, (DOOR[1] - DOOR[0]) * UNITS
        face.rect(left - 2, 6, wide + 4, face.high - 10, (0.08, 0.085, 0.095))
        if not gap:
            return
        face.rect(left, 8, wide, face.high - 13, mix((0.035, 0.04, 0.05), WARM, 0.5 * glow / 8), lit=True)
        for k in range(load):
            face.rect(
                left + 5 + 11 * k % 22, face.high - 5 - 14 * (1 + k // 2), 12, 13, scaled(CARGO, 0.9 + 0.2 * (k % 2))
            )

    def window(face: Sheet, glow: int, load: int, dead: bool) -> None:
        bright = 0.0 if dead else glow / 8
        top = 14.0
        face.rect(11, top - 2, 50, 20, (0.10, 0.105, 0.115), radius=2)
        face.rect(13, top, 46, 16, mix(GLASS, WARM, bright), radius=1, lit=bright > 0.1)
        for k in range(load if "load" in placed.bound else 0):  # what it holds is seen behind the glass
            face.rect(16 + 14 * k, top + 6 - 2 * (k % 2), 12, 10 + 2 * (k % 2), scaled(CARGO, 0.7 + 0.3 * bright))
        face.rect(35, top, 2, 16, (0.10, 0.105, 0.115))
        face.polygon(
            [(15, top + 15), (24, top + 1), (28, top + 1), (19, top + 15)], (1.0, 1.0, 1.0), alpha=0.10, lit=True
        )

    def readings(face: Sheet, warm: int, level: int, dead: bool) -> None:
        if level != -1:
            face.rect(11, 40, 50, 14, (0.05, 0.055, 0.065), radius=1.5, lit=True)
            colour = NAMED["green"] if level > 10 else NAMED["amber"] if level > 4 else NAMED["red"]
            for cell in range(CELLS):
                share = 0.0 if dead else min(max(level * CELLS / 32 - cell, 0.0), 1.0)
                face.rect(13 + 5.85 * cell, 42, 4.9, 10, (0.15, 0.16, 0.17), lit=True)
                face.rect(13 + 5.85 * cell, 42 + 10 * (1 - share), 4.9, 10 * share, colour, lit=True)
            if level < 0:
                face.text(36, 50.5, "--", 10, (0.9, 0.9, 0.9), align="center", lit=True)
        if warm >= 0:
            face.rect(11, 58, 50, 9, (0.05, 0.055, 0.065), radius=1.5, lit=True)
            for k in range(10):
                face.rect(13 + 4.6 * k, 60, 4.7, 5, heat(k / 9), alpha=0.9 if k <= 9 * warm / 16 else 0.18, lit=True)
            place = 13 + 46 * warm / 16
            face.rect(place - 1.4, 56.5, 2.8, 12, (1.0, 1.0, 1.0), lit=True)

    def leaf(brush: Brush, body: RGB, x0: float, y0: float, gap: int) -> None:
        a = 1.9 * gap / 12
        hinge = x0 + DOOR[1]
        wide = DOOR[1] - DOOR[0]
        tip = (hinge - wide * cos(a), y0 - 0.012 - wide * sin(a))
        with brush.sheet(
            (tip[0], tip[1], HIGH - 0.1), (hinge - tip[0], y0 - 0.012 - tip[1], 0.0), (0.0, 0.0, 0.22 - HIGH), 40.0
        ) as door:
            door.rect(0, 0, 40, door.high, scaled(body, 1.12), radius=1)
            door.rect(1, 1, 38, door.high - 2, scaled(body, 0.6), radius=1, stroke=1.5)
            for bar in (9.0, 30.0):
                door.rect(bar, 2, 2.4, door.high - 4, (0.55, 0.56, 0.58))
                door.rect(bar - 1, door.high * 0.55, 8, 2.6, (0.62, 0.63, 0.65))
            door.stripes(3, door.high - 10, 34, 6, scaled(NAMED["amber"], 0.8), (0.08, 0.08, 0.08), step=5)

    def glows(moment: Moment) -> Iterator[Glow]:
        for number, (x, y, _) in enumerate(placed.spots):
            state = key(number, moment)
            if state is None or state[7]:
                continue
            seen, glow = float(state[0] or 0) / 8, float(state[5] or 0) / 8
            yield Glow((x - 0.35, y - DEEP / 2 - 0.05, HIGH - 0.36), 0.6, WARM, 0.55 * glow * seen)
            if int(state[3] or 0) >= 0 and warmth(moment) >= 0:
                yield Glow((x - 0.35, y - DEEP / 2 - 0.05, 0.36), 0.5, heat(warmth(moment) / 16), 0.3 * seen)

    def lamp(moment: Moment) -> RGB:
        there = min(moment.number("present", 1.0), 1.0) if moment.known("present") else 1.0
        return scaled(WARM, 0.5 * moment.number("glow", 0.0) * there * (1.0 - moment.dead))

    def floor(brush: Brush) -> None:
        for x, y, _ in placed.spots:
            brush.shadow(WIDE * 0.68, DEEP * 0.85, 0.3, (x, y, 0.0))

    if "present" not in placed.bound:
        yield Floor(draw=floor)
    for number, (x, y, _) in enumerate(placed.spots):
        yield Sprite(
            draw=partial(draw, x=x, y=y),
            key=partial(key, number),
            box=(
                (x - WIDE / 2 - 0.3, y - DEEP / 2 - 0.8, -0.05),
                (x + WIDE / 2 + 0.3, y + DEEP / 2 + 0.3, HIGH + 0.05),
            ),
            depth=(x, y - DEEP / 2),
        )
    yield Glows(at=glows)
    yield Lamp(at=(-0.35, -DEEP / 2 - 0.5, 0.9), reach=1.2, shine=lamp)


GLYPH = Glyph(
    name="container",
    summary="a steel container; level lights its cells, glow its window, tint or heat its scale, open its door",
    words="a steel container",
    build=build,
    props={
        "present": "count",
        "open": "share",
        "load": "share",
        "level": "share",
        "glow": "share",
        "tint": "share",
        "heat": "share",
    },
    movable=True,
    places=("at", "zone"),
    footprint=(WIDE, DEEP),
    height=HIGH,
    contact=lambda placed: (placed.spots[0][0] + 0.3, placed.spots[0][1] - DEEP / 2 - 0.05, 0.8),
)
