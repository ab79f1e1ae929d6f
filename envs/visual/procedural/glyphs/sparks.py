"""Sparks from a torn cable end, or from several places of a zone; `density` makes them more. Own design."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import pi, sin

from conflictbench.envs.visual.procedural.brush import Brush
from conflictbench.envs.visual.procedural.camera import Vec3
from conflictbench.envs.visual.procedural.colours import RGB, scaled
from conflictbench.envs.visual.procedural.glyph import (
    Billboards,
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
    Stand,
)
from conflictbench.envs.visual.procedural.vapour import filled

GOLD: RGB = (1.0, 0.74, 0.30)
BLUE: RGB = (0.62, 0.80, 1.0)
HIGH = 0.95  # metres of the end they come from
DROPS, LEANS = 42, 9
LIFE, FALL = 0.8, 4.2  # seconds; metres a second squared


def build(placed: Placed) -> Iterator[Part]:
    """A short cable stands at every place; drops fly from its end in bursts."""
    ends: tuple[Vec3, ...] = placed.spots
    if (zone := filled(placed)) is not None:
        x0, y0, x1, y1 = zone
        ends = tuple((x0 + (x1 - x0) * a, y0 + (y1 - y0) * b, 0.0) for a, b in ((0.2, 0.7), (0.55, 0.35), (0.85, 0.75)))
    gold = placed.own or GOLD

    def burst(moment: Moment, number: int) -> float:
        """How strongly an end sparks now: in fits."""
        beat = moment.phase(16, 0.5, placed.noise("beat", number))
        return moment.number("density", 1.0) * (1.0 if placed.noise("fit", number, beat) < 0.7 else 0.3)

    def drop(brush: Brush, key: Key) -> None:
        lean, young = (int(k or 0) for k in key)
        a = pi * (lean / (LEANS - 1) - 0.5)
        tail = (-0.13 * sin(a), 0.0, 0.13 * (1.0 if abs(lean - LEANS // 2) > 2 else 0.8))
        brush.line([(0.0, 0.0, 0.0), tail], 0.035, scaled(gold, 0.5 if not young else 0.8))
        brush.dot((0.0, 0.0, 0.0), 0.03, (1.0, 0.95, 0.8) if young else gold)

    def place(moment: Moment) -> Iterator[Stand]:
        density = moment.number("density", 1.0)
        for number, (x, y, _) in enumerate(ends):
            for k in range(round(DROPS * density)):
                turn = moment.t / LIFE + placed.noise("start", number, k)
                age, again = turn % 1.0, int(turn) % 7
                way = 1.5 * (placed.noise("way", number, k, again) - 0.5) * 1.6
                up = 1.0 + 1.5 * placed.noise("up", number, k, again)
                t = age * LIFE
                z = HIGH + up * t - FALL * t * t / 2
                if z > 0.02:
                    fall = min(max(way * 0.9 / max(abs(up - FALL * t), 0.6), -1.0), 1.0)
                    lean = round((LEANS - 1) * (0.5 + 0.5 * fall))
                    yield Stand((x + way * t, y + 0.2 * way * t, z), (lean, int(age < 0.45)), 1.0 - 0.7 * age, 1.0)

    def stump(brush: Brush, key: Key, x: float, y: float) -> None:
        brush.box((x - 0.2, y - 0.14, 0.0), (x + 0.2, y + 0.14, 0.30), (0.20, 0.21, 0.23))
        with brush.sheet((x - 0.16, y - 0.145, 0.26), (0.32, 0.0, 0.0), (0.0, 0.0, -0.2), 32.0) as face:
            face.rect(0, 0, 32, 20, (0.85, 0.66, 0.12), radius=2)
            face.polygon([(18, 2), (10, 11), (15, 11), (12, 18), (21, 8), (16, 8)], (0.06, 0.06, 0.06))
        brush.tube(
            [(x, y, 0.3), (x + 0.05, y, 0.62), (x - 0.03, y, 0.82), (x, y, HIGH - 0.05)], 0.045, (0.09, 0.09, 0.10)
        )
        for lean in (-0.05, 0.0, 0.05):
            brush.line([(x, y, HIGH - 0.06), (x + lean, y, HIGH + 0.02)], 0.018, (0.78, 0.42, 0.2))

    def glows(moment: Moment) -> Iterator[Glow]:
        for number, (x, y, _) in enumerate(ends):
            power = burst(moment, number)
            if power > 0.02:
                yield Glow((x, y, HIGH), 0.45 + 0.5 * power, gold, 0.25 + 0.55 * power)
                yield Glow((x, y, HIGH), 0.34, BLUE, 0.9 * power)

    def lamp(moment: Moment) -> RGB:
        return scaled(gold, 0.55 * burst(moment, 0))

    def floor(brush: Brush) -> None:
        for x, y, _ in ends:
            brush.shadow(0.4, 0.3, 0.6, (x, y, 0.0))

    yield Floor(draw=floor)
    for x, y, _ in ends:
        yield Sprite(
            draw=partial(stump, x=x, y=y),
            box=((x - 0.25, y - 0.2, 0.0), (x + 0.25, y + 0.2, HIGH + 0.1)),
            depth=(x, y - 0.14),
        )
    yield Billboards(draw=drop, box=((-0.2, -0.05, -0.08), (0.2, 0.05, 0.2)), place=place, glows=True)
    yield Glows(at=glows)
    yield Lamp(at=(ends[0][0], ends[0][1] - 0.3, HIGH), reach=1.1, shine=lamp)


GLYPH = Glyph(
    name="sparks",
    summary="sparks from a torn cable, or from three places of a zone; density makes them more",
    words="a shower of sparks",
    build=build,
    props={"density": "share"},
    places=("at", "zone"),
    footprint=(0.6, 0.5),
    height=1.0,
)
