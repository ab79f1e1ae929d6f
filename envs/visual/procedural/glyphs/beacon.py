"""A lamp on a post; with `tint` bound a signal of three lenses, whose place says as much as its colour. Own design."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import cos, pi

from conflictbench.envs.visual.procedural.brush import Brush
from conflictbench.envs.visual.procedural.camera import Vec3
from conflictbench.envs.visual.procedural.colours import RGB, mix, scaled
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

IRON: RGB = (0.30, 0.31, 0.34)
LENSES: tuple[RGB, ...] = ((0.24, 0.95, 0.42), (1.0, 0.70, 0.16), (1.0, 0.20, 0.14))  # from the bottom to the top
POST, STEPS, PHASES = 1.12, 8, 8


def build(placed: Placed) -> Iterator[Part]:
    """One lamp a spot. Bright ones flash; without a binding it flashes gently."""
    signal = "tint" in placed.bound
    head = POST + (0.62 if signal else 0.22)
    own = placed.colour if placed.side or max(placed.colour) - min(placed.colour) > 0.1 else (1.0, 0.70, 0.22)

    def lens(moment: Moment) -> int:
        return min(int(3 * moment.number("tint", 0.0)), 2)

    def colour(lit: int) -> RGB:
        return LENSES[lit] if signal else own

    def here(number: int, moment: Moment) -> bool:
        return not moment.known("present") or moment.number("present", placed.count) > number

    def bright(moment: Moment) -> int:
        return STEPS if moment.alert > 0.5 else moment.step("glow", STEPS, 0.6)

    def phase(number: int, moment: Moment) -> int:
        if signal and moment.alert <= 0.0:
            return 0
        return moment.phase(PHASES, 0.9, placed.noise("phase", number)) if bright(moment) else 0

    def flash(step: int) -> float:
        return 0.78 + 0.22 * cos(2 * pi * step / PHASES)

    def key(number: int, moment: Moment) -> Key | None:
        if not here(number, moment):
            return None
        return (lens(moment), bright(moment), phase(number, moment), round(4 * max(moment.work, moment.alert)))

    def post(brush: Brush, key: Key, x: float, y: float) -> None:
        busy = int(key[0] or 0)
        brush.lathe([(0.28, 0.0), (0.28, 0.08), (0.15, 0.16)], IRON, centre=(x, y))
        brush.cylinder(
            0.075, 0.16, POST, mix((0.52, 0.53, 0.56), (1.0, 1.0, 1.0), 0.15 * busy), centre=(x, y), foot=1.0
        )
        with brush.sheet((x - 0.08, y - 0.08, 0.74), (0.16, 0.0, 0.0), (0.0, 0.0, -0.32), 16.0) as band:
            band.stripes(0, 0, 16, 32, (0.85, 0.66, 0.1), (0.08, 0.08, 0.08), step=5)
        if signal:
            brush.box((x - 0.22, y - 0.12, POST - 0.06), (x + 0.22, y + 0.12, POST + 1.02), (0.12, 0.125, 0.14))
        else:
            brush.lathe([(0.20, POST), (0.20, POST + 0.07)], IRON, centre=(x, y))

    def beacon(brush: Brush, key: Key, x: float, y: float) -> None:
        lit, glow, step, busy = (int(k or 0) for k in key)
        power = glow / STEPS * flash(step)
        if signal:
            with brush.sheet((x - 0.22, y - 0.125, POST + 1.02), (0.44, 0.0, 0.0), (0.0, 0.0, -1.08), 44.0) as face:
                face.rect(0, 0, 44, 108, (0.32, 0.33, 0.36), radius=4, stroke=2)
                for place, tone in enumerate(LENSES):
                    middle = 90 - 36 * place
                    on = place == lit
                    face.circle(22, middle, 16, (0.03, 0.03, 0.035), lit=True)
                    face.circle(
                        22, middle, 13, scaled(tone, 0.25 + 0.75 * power) if on else scaled(tone, 0.13), lit=True
                    )
                    if on:
                        face.circle(22, middle, 7, mix(tone, (1.0, 1.0, 1.0), 0.6), alpha=power, lit=True)
            return
        light = mix(own, (1.0, 1.0, 1.0), 0.25 * busy / 4)
        dome = mix(scaled(own, 0.24), light, min(1.0, 0.15 + power) if glow else 0.0)
        profile = [(0.175, POST + 0.07), (0.175, POST + 0.30), (0.145, POST + 0.40), (0.06, POST + 0.45)]
        brush.lathe(profile, dome, centre=(x, y), gloss=0.5, foot=1.0, shine=0.15 + 0.8 * power)
        if glow:
            brush.puff((x, y - 0.18, POST + 0.23), 0.20, mix(light, (1.0, 1.0, 1.0), 0.7), alpha=power)
        for side in (-0.155, 0.0, 0.155):  # the cage
            rise: list[Vec3] = [
                (x + side, y - 0.19, POST + 0.08),
                (x + side * 0.9, y - 0.17, POST + 0.38),
                (x, y, POST + 0.49),
            ]
            brush.line(rise, 0.016, brush.lit(IRON, rise[0], (0.0, -0.8, 0.5)))

    def glows(moment: Moment) -> Iterator[Glow]:
        lit = lens(moment)
        for number, (x, y, _) in enumerate(placed.spots):
            if here(number, moment):
                height = POST + 0.12 + 0.36 * lit if signal else head
                power = bright(moment) / STEPS * flash(phase(number, moment))
                yield Glow((x, y - 0.15, height), 0.42 + 0.35 * power, colour(lit), 0.95 * power)

    def shine(moment: Moment) -> RGB:
        lit = lens(moment) if signal else 0
        seen = sum(here(number, moment) for number in range(placed.count)) / placed.count
        return scaled(colour(lit), 0.45 * seen * bright(moment) / STEPS * flash(phase(0, moment)))

    def floor(brush: Brush) -> None:
        if "present" not in placed.bound:
            for x, y, _ in placed.spots:
                brush.shadow(0.42, 0.36, 0.6, (x, y, 0.0))

    yield Floor(draw=floor)
    for number, (x, y, _) in enumerate(placed.spots):
        yield Sprite(
            draw=partial(beacon, x=x, y=y),
            key=partial(key, number),
            under=Under(draw=partial(post, x=x, y=y), key=lambda key: key[3:]),
            box=((x - 0.3, y - 0.3, 0.0), (x + 0.3, y + 0.3, POST + 1.08)),
            depth=(x, y - 0.15),
        )
    yield Glows(at=glows)
    x, y, _ = placed.spots[len(placed.spots) // 2]
    yield Lamp(at=(x, y - 0.2, head), reach=1.0, shine=shine)


GLYPH = Glyph(
    name="beacon",
    summary="a lamp on a post; glow lights it, present counts several, tint makes it a signal: green, amber, red",
    words="a warning lamp on a post",
    build=build,
    props={"glow": "share", "tint": "share", "present": "count"},
    footprint=(0.54, 0.54),
    height=1.55,
    contact=lambda placed: (placed.spots[0][0], placed.spots[0][1] - 0.2, POST + 0.2),
)
