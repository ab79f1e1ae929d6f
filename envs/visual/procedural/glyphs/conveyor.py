"""A conveyor; its belt runs with `flow` or `spin`, boxes on it show its load. Own design."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import pi

from conflictbench.envs.visual.procedural.brush import Brush
from conflictbench.envs.visual.procedural.colours import NAMED, RGB, heat, mix, scaled
from conflictbench.envs.visual.procedural.glyph import Floor, Glow, Glows, Glyph, Key, Moment, Part, Placed, Sprite

LONG, WIDE, HIGH = 2.6, 0.72, 0.74
PHASES = 16
SLOTS = 4  # boxes along the belt
HOOD = 0.40
FRAME: RGB = (0.30, 0.315, 0.34)
BELT: RGB = (0.095, 0.10, 0.11)
BOX: RGB = (0.64, 0.47, 0.28)


def build(placed: Placed) -> Iterator[Part]:
    """The belt moves by one box a cycle, so that its pictures repeat; hoods hide where boxes come and go."""
    driven = "flow" in placed.bound or "spin" in placed.bound

    def running(moment: Moment) -> int:
        """-1, 0, 1: which way."""
        if moment.dead > 0.3:
            return 0
        if driven:
            speed = moment.number("spin", 0.0) or moment.number("flow", 0.0)
        else:
            speed = 1.0 if moment.motion and moment.work > 0.05 else 0.0
        return 0 if abs(speed) < 0.05 else 1 if speed > 0 else -1

    def key(moment: Moment) -> Key:
        way = running(moment)
        phase = moment.phase(PHASES, 0.5) * way % PHASES
        tint = moment.step("tint", 16, 0.0) if "tint" in placed.bound else -1
        return (
            way,
            phase,
            moment.step("load", SLOTS, 0.5),
            tint,
            round(4 * max(moment.work, moment.alert)),
            int(moment.dead > 0.3),
        )

    def draw(brush: Brush, key: Key, x: float, y: float) -> None:
        way, phase, count, tint, busy, dead = (int(k or 0) for k in key)
        left, right, front, back = x - LONG / 2, x + LONG / 2, y - WIDE / 2, y + WIDE / 2
        for leg in (left + 0.24, x, right - 0.24):
            for side in (back - 0.05, front + 0.05):
                brush.rod((leg, side, 0.0), (leg, side, HIGH - 0.1), 0.045, 0.045, FRAME)
        brush.rod((left + 0.24, front + 0.05, 0.2), (right - 0.24, front + 0.05, 0.2), 0.03, 0.03, FRAME)
        brush.box((left, front, HIGH - 0.16), (right, back, HIGH), mix(FRAME, placed.colour, 0.16), foot=0.8)
        with brush.sheet(
            (left, back - 0.07, HIGH + 0.004), (LONG, 0.0, 0.0), (0.0, 0.14 - WIDE, 0.0), LONG * 100
        ) as belt:
            belt.rect(0, 0, belt.wide, belt.high, BELT)
            step = belt.wide / (SLOTS * 4)
            for k in range(-1, SLOTS * 4 + 1):
                at = (k + phase / PHASES * 4 % 1) * step
                belt.rect(at, 0, 2.4, belt.high, scaled(BELT, 2.1))
        for k in range(13):
            roller = (left + 0.1 + k * (LONG - 0.2) / 12, front - 0.004, HIGH - 0.08)
            brush.dot(roller, 0.035, brush.lit((0.5, 0.51, 0.53), roller, (0.0, -1.0, 0.2)))
            turned = 2 * pi * phase / PHASES
            brush.dot(
                (roller[0] + 0.018 * (1 if turned < pi else -1), roller[1] - 0.002, roller[2]), 0.01, (0.1, 0.1, 0.11)
            )
        pitch = (LONG - HOOD) / SLOTS
        places = [(k + 0.5 + phase / PHASES) % SLOTS * pitch + left + HOOD / 2 for k in range(count)]
        for hooded in (True, False):
            for k, at in enumerate(places):
                if hooded == (at < left + HOOD or at > right - HOOD):
                    tone = mix(BOX, (0.42, 0.46, 0.5), 0.7 * (placed.noise("box", k) > 0.5))
                    brush.box((at - 0.17, y - 0.18, HIGH), (at + 0.17, y + 0.18, HIGH + 0.27), tone)
                    brush.box(
                        (at - 0.03, y - 0.183, HIGH), (at + 0.03, y - 0.18, HIGH + 0.27), scaled(tone, 0.6), edge=0.0
                    )
            if hooded:
                end(brush, left, front, back, tint, dead, way < 0)
                end(brush, right - HOOD, front, back, tint, dead, way > 0)
        with brush.sheet((x - 0.28, front - 0.012, HIGH - 0.02), (0.56, 0.0, 0.0), (0.0, 0.0, -0.26), 56.0) as panel:
            panel.rect(0, 0, 56, panel.high, (0.12, 0.125, 0.14), radius=3)
            on = NAMED["green"] if way and not dead else (0.16, 0.2, 0.17)
            off = (0.95, 0.2, 0.14) if not way or dead else (0.24, 0.12, 0.11)
            panel.circle(11, 13, 5.5, mix(on, (1.0, 1.0, 1.0), 0.1 * busy), lit=True)
            panel.circle(27, 13, 5.5, off, lit=True)
            tip, tail = (50.0, 38.0) if way >= 0 else (38.0, 50.0)
            colour = NAMED["green"] if way and not dead else (0.3, 0.31, 0.33)
            panel.polygon([(tail, 6), (tail, 20), (tip, 13)], colour, lit=True)

    def end(brush: Brush, left: float, front: float, back: float, tint: int, dead: int, out: bool) -> None:
        brush.box(
            (left, front + 0.02, HIGH),
            (left + HOOD, back - 0.02, HIGH + 0.42),
            scaled(mix((0.5, 0.5, 0.5), placed.colour, 0.6), 0.5),
        )
        lamp: RGB = (0.8, 0.12, 0.1) if dead else heat(tint / 16) if tint >= 0 else placed.colour
        with brush.sheet((left, front + 0.015, HIGH + 0.42), (HOOD, 0.0, 0.0), (0.0, 0.0, -0.42), 40.0) as side:
            side.stripes(2, 35, 36, 5, scaled(NAMED["amber"], 0.8), (0.08, 0.08, 0.08), step=5)
            side.rect(6, 8, 28, 5, mix((0.1, 0.1, 0.11), lamp, 1.0 if out or tint >= 0 else 0.35), radius=2, lit=True)

    def glows(moment: Moment) -> Iterator[Glow]:
        if running(moment) or moment.alert:
            for x, y, _ in placed.spots:
                yield Glow((x - 0.15, y - WIDE / 2 - 0.05, HIGH - 0.1), 0.35, NAMED["green"], 0.35 + 0.5 * moment.alert)

    def floor(brush: Brush) -> None:
        for x, y, _ in placed.spots:
            brush.shadow(LONG * 0.6, WIDE * 0.8, 0.6, (x, y, 0.0))

    yield Floor(draw=floor)
    for x, y, _ in placed.spots:
        yield Sprite(
            draw=partial(draw, x=x, y=y),
            key=key,
            box=(
                (x - LONG / 2 - 0.15, y - WIDE / 2 - 0.05, 0.0),
                (x + LONG / 2 + 0.15, y + WIDE / 2 + 0.05, HIGH + 0.5),
            ),
            depth=(x, y - WIDE / 2),
        )
    yield Glows(at=glows)


GLYPH = Glyph(
    name="conveyor",
    summary="a conveyor; flow or spin runs its belt, load puts boxes on it, tint colours its lamps",
    words="a conveyor with boxes on it",
    build=build,
    props={"flow": "share", "spin": "signed", "load": "share", "tint": "share"},
    footprint=(LONG, WIDE),
    height=1.1,
    contact=lambda placed: (placed.spots[0][0], placed.spots[0][1] - WIDE / 2 - 0.03, HIGH - 0.06),
)
