"""A board on two legs with one dial a gauge: needle, coloured arc, number. Own design."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from math import cos, radians, sin

from conflictbench.envs.visual.procedural.brush import Brush
from conflictbench.envs.visual.procedural.colours import RGB
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
from conflictbench.envs.visual.procedural.readings import key_of, keyed
from conflictbench.envs.visual.procedural.sheet import Sheet

DIAL = 0.80  # metres of board a dial
HIGH, FOOT = 1.02, 0.62
GOOD: RGB = (0.30, 0.80, 0.42)
CARE: RGB = (0.98, 0.78, 0.22)
BAD: RGB = (0.92, 0.22, 0.17)


def build(placed: Placed) -> Iterator[Part]:
    """The board leans back, towards a camera under the ceiling."""
    dials = max(1, placed.readings)
    wide = 0.14 + DIAL * dials

    def key(moment: Moment) -> Key:
        return (round(4 * moment.alert), *key_of(moment.readings))

    def board(brush: Brush) -> AbstractContextManager[Sheet]:
        return brush.sheet((-wide / 2, 0.22, FOOT + HIGH), (wide, 0.0, 0.0), (0.0, -0.30, -HIGH), wide * 100)

    def frame(brush: Brush, key: Key) -> None:
        for x in (-wide * 0.36, wide * 0.36):
            brush.rod((x, 0.12, 0.0), (x, 0.06, FOOT + 0.3), 0.045, 0.045, (0.34, 0.35, 0.37))
        with board(brush) as s:
            s.rect(0, 0, s.wide, s.high, (0.16, 0.17, 0.19), radius=9)
            s.rect(2.5, 2.5, s.wide - 5, s.high - 5, (0.60, 0.63, 0.66), radius=7, stroke=2.5)

    def draw(brush: Brush, key: Key) -> None:
        alert = int(key[0] or 0)
        with board(brush) as s:
            if alert:
                s.rect(0, 0, s.wide, s.high, (0.5, 0.9, 1.0), alpha=0.05 * alert, radius=9, lit=True)
            for number, reading in enumerate(keyed(key[1:])):
                _dial(s, 7 + DIAL * 100 * (number + 0.5), 44, 33, reading.share, reading.bad)
                x = 7 + DIAL * 100 * (number + 0.5)
                s.text(
                    x,
                    s.high - 9,
                    reading.label,
                    14,
                    (0.94, 0.95, 0.96),
                    face="mono_bold",
                    align="center",
                    room=DIAL * 96,
                )
                s.rect(x - 21, 52, 42, 15, (0.06, 0.065, 0.07), radius=3, lit=True)
                s.text(x, 64, reading.text, 13, (1.0, 0.86, 0.5), face="mono_bold", align="center", room=38, lit=True)

    def glows(moment: Moment) -> Iterator[Glow]:
        yield Glow((0.0, -0.2, FOOT + HIGH / 2), 0.8, (0.8, 0.9, 1.0), 0.10 + 0.4 * moment.alert)

    def floor(brush: Brush) -> None:
        brush.shadow(wide * 0.6, 0.3, 0.5)

    yield Floor(draw=floor)
    yield Sprite(
        draw=draw,
        key=key,
        under=Under(draw=frame),
        box=((-wide / 2 - 0.1, -0.25, 0.0), (wide / 2 + 0.1, 0.3, FOOT + HIGH + 0.1)),
        depth=(0.0, -0.1),
    )
    yield Glows(at=glows)


def _dial(s: Sheet, x: float, y: float, radius: float, share: float | None, bad: str | None) -> None:
    s.circle(x, y, radius + 3, (0.30, 0.31, 0.33))
    s.circle(x, y, radius, (0.93, 0.93, 0.90), lit=False)
    colours = [GOOD, GOOD, CARE, BAD] if bad != "low" else [BAD, CARE, GOOD, GOOD]
    for part, colour in enumerate(colours if bad else [(0.55, 0.70, 0.80)] * 4):
        s.arc(x, y, radius - 6, 150 + part * 60, 59, colour, stroke=8)
    for mark in range(9):
        a = radians(150 + 30 * mark)
        s.line(
            [
                (x + (radius - 13) * cos(a), y + (radius - 13) * sin(a)),
                (x + (radius - 10) * cos(a), y + (radius - 10) * sin(a)),
            ],
            (0.2, 0.2, 0.2),
            1.4,
        )
    if share is not None:
        a = radians(150 + 240 * min(max(share, 0.0), 1.0))
        s.line(
            [(x - 7 * cos(a), y - 7 * sin(a)), (x + (radius - 9) * cos(a), y + (radius - 9) * sin(a))],
            (0.10, 0.10, 0.11),
            3.4,
        )
    s.circle(x, y, 4.5, (0.16, 0.16, 0.17))


GLYPH = Glyph(
    name="gauge_panel",
    summary="a board of dials on two legs, one for each gauge; the arc says which end is bad",
    words="a board of dials",
    build=build,
    footprint=(1.6, 0.5),
    height=HIGH + FOOT,
    reads=("gauges",),
    contact=lambda placed: (0.0, -0.25, FOOT + HIGH * 0.4),
)
