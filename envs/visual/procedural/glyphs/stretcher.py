"""A wheeled stretcher with a drip stand; somebody lies on it. Own design."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from conflictbench.envs.visual.procedural.brush import Brush
from conflictbench.envs.visual.procedural.camera import Vec2
from conflictbench.envs.visual.procedural.colours import RGB, mix
from conflictbench.envs.visual.procedural.glyph import Glow, Glows, Glyph, Key, Moment, Part, Placed, Sprite

STEEL: RGB = (0.64, 0.66, 0.69)
SHEET: RGB = (0.82, 0.85, 0.86)
SKINS: tuple[RGB, ...] = ((0.86, 0.66, 0.52), (0.62, 0.42, 0.30), (0.78, 0.58, 0.43), (0.42, 0.28, 0.21))
TOP = 0.82


def build(placed: Placed) -> Iterator[Part]:
    """One stretcher a spot: present counts them, load (else always) puts somebody on it, glow is its monitor."""
    blanket = mix(placed.colour, (0.42, 0.46, 0.52), 0.35)

    def key(number: int, moment: Moment) -> Key | None:
        if moment.known("present") and moment.number("present", placed.count) <= number:
            return None
        taken = moment.number("load", 1.0) * placed.count > number
        beat = moment.phase(8, 0.9, placed.noise("beat", number)) if taken else 0
        return (taken, moment.step("glow", 4, 0.75), beat, round(4 * max(moment.work, moment.alert)))

    def stretcher(brush: Brush, key: Key, number: int) -> None:
        taken, glow, beat, busy = (int(k or 0) for k in key)
        x, y, _ = placed.spots[number]
        brush.shadow(1.2, 0.55, 0.6, (x, y, 0.0))
        steel = mix(STEEL, (1.0, 1.0, 1.0), 0.12 * busy)
        for side in (0.26, -0.26):
            for end in (-0.78, 0.78):
                brush.rod((x + end, y + side, 0.14), (x - 0.55 * end, y + side, 0.62), 0.032, 0.032, steel)
                brush.sphere((x + end, y + side, 0.11), 0.11, (0.10, 0.10, 0.11))
                brush.dot((x + end, y + side - 0.08, 0.11), 0.04, (0.5, 0.51, 0.53))
        brush.box((x - 1.0, y - 0.33, 0.60), (x + 1.0, y + 0.33, 0.68), (0.40, 0.42, 0.45))
        brush.rod((x + 0.9, y + 0.28, 0.6), (x + 0.9, y + 0.28, 1.72), 0.022, 0.022, steel)
        brush.rod((x + 0.76, y + 0.28, 1.7), (x + 1.02, y + 0.28, 1.7), 0.02, 0.02, steel)
        brush.box((x + 0.72, y + 0.24, 1.38), (x + 0.86, y + 0.30, 1.66), mix((0.75, 0.88, 0.92), placed.colour, 0.2))
        brush.box((x - 0.97, y - 0.31, 0.68), (x + 0.97, y + 0.31, TOP), SHEET, foot=0.85)
        brush.box((x + 0.52, y - 0.22, TOP), (x + 0.93, y + 0.22, TOP + 0.09), (0.92, 0.93, 0.94), foot=0.9)
        if taken:
            skin = SKINS[int(placed.noise("skin", number) * len(SKINS))]
            for leg in (0.11, -0.11):
                brush.rod((x - 0.86, y + leg, TOP + 0.10), (x - 0.1, y + leg, TOP + 0.12), 0.10, 0.125, blanket)
                brush.sphere((x - 0.88, y + leg, TOP + 0.12), 0.11, blanket)
            brush.rod((x - 0.15, y, TOP + 0.13), (x + 0.46, y, TOP + 0.15), 0.2, 0.225, blanket)
            brush.sphere((x + 0.46, y, TOP + 0.12), 0.21, blanket)
            brush.sphere((x + 0.70, y, TOP + 0.20), 0.145, skin)
            brush.sphere((x + 0.78, y + 0.04, TOP + 0.24), 0.125, (0.12, 0.10, 0.09))
            brush.rod((x + 0.32, y - 0.2, TOP + 0.14), (x - 0.12, y - 0.27, TOP + 0.11), 0.055, 0.05, skin)
        else:
            brush.box((x - 0.92, y - 0.26, TOP), (x - 0.5, y + 0.26, TOP + 0.08), blanket, foot=0.9)
        for post in (-0.6, 0.0, 0.6):
            brush.rod((x + post * 0.75, y - 0.34, 0.68), (x + post * 0.75, y - 0.34, TOP + 0.14), 0.02, 0.02, steel)
        brush.rod((x - 0.5, y - 0.34, TOP + 0.14), (x + 0.5, y - 0.34, TOP + 0.14), 0.028, 0.028, steel)
        with brush.sheet((x - 0.92, y - 0.34, 0.66), (0.44, 0.0, 0.0), (0.0, 0.0, -0.28), 44.0) as monitor:
            monitor.rect(0, 0, 44, 28, (0.16, 0.17, 0.19), radius=3)
            monitor.rect(3, 3, 38, 22, (0.02, 0.04, 0.04), radius=1, lit=True)
            green: RGB = (0.15 + 0.2 * glow / 4, 0.25 + 0.7 * glow / 4, 0.25 + 0.3 * glow / 4)
            wave: list[Vec2] = [(4, 15), (36, 15)]
            if taken:
                at = 6 + 3.0 * beat
                wave = [(4, 15), (at, 15), (at + 2, 6), (at + 5, 22), (at + 7, 15), (40, 15)]
            monitor.line(wave, green, 1.8, lit=True)

    def glows(moment: Moment) -> Iterator[Glow]:
        for number, (x, y, _) in enumerate(placed.spots):
            if key(number, moment) is not None:
                power = 0.35 * moment.number("glow", 0.75) + 0.4 * moment.alert
                yield Glow((x - 0.7, y - 0.35, 0.52), 0.4, (0.3, 0.95, 0.5), power)

    for number, (x, y, _) in enumerate(placed.spots):
        yield Sprite(
            draw=partial(stretcher, number=number),
            key=partial(key, number),
            box=((x - 1.25, y - 0.6, -0.02), (x + 1.25, y + 0.6, 1.75)),
            depth=(x, y - 0.34),
        )
    yield Glows(at=glows)


GLYPH = Glyph(
    name="stretcher",
    summary="a wheeled stretcher; present counts several, load says whether somebody lies on it, glow is its monitor",
    words="a wheeled stretcher",
    build=build,
    props={"present": "count", "load": "share", "glow": "share"},
    movable=True,
    footprint=(2.1, 0.75),
    height=1.1,
    contact=lambda placed: (placed.spots[0][0], placed.spots[0][1] - 0.36, TOP + 0.14),
)
