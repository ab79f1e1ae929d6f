"""A wide window on a city at night. Own design."""

from __future__ import annotations

from dataclasses import replace
from math import pi, sin

from conflictbench.envs.visual.procedural.colours import RGB, mix, scaled
from conflictbench.envs.visual.procedural.glyph import Placed
from conflictbench.envs.visual.procedural.glyphs import backdrop
from conflictbench.envs.visual.procedural.sheet import Sheet

NIGHT: tuple[RGB, ...] = ((0.04, 0.06, 0.13), (0.08, 0.11, 0.21), (0.24, 0.22, 0.30), (0.48, 0.34, 0.28))


def _city(pane: Sheet, placed: Placed, beat: float) -> None:
    backdrop.sky(pane, NIGHT, 1.0)
    for layer, (tone, tall, step) in enumerate((((0.15, 0.16, 0.23), 0.86, 26.0), ((0.075, 0.085, 0.12), 0.66, 38.0))):
        x = -8.0
        number = 0
        while x < pane.wide:
            wide = step * (0.6 + 0.7 * placed.noise(layer, number, "w"))
            high = pane.high * tall * (0.35 + 0.65 * placed.noise(layer, number, "h"))
            tower(
                pane,
                placed,
                (x, min(wide, pane.wide - x), high),
                scaled(tone, 0.85 + 0.3 * placed.noise(layer, number, "t")),
                beat,
                number + 100 * layer,
            )
            x += wide + 2 + 6 * placed.noise(layer, number, "gap")
            number += 1


def tower(pane: Sheet, placed: Placed, size: tuple[float, float, float], tone: RGB, beat: float, number: int) -> None:
    """A house with some of its windows lit, at times one more or less; tall ones bear a red lamp."""
    x, wide, high = size
    top = pane.high - high
    pane.rect(max(x, 0.0), top, wide + min(x, 0.0), high, tone, lit=True)
    for row in range(int((high - 6) / 6)):
        for column in range(int((wide - 4) / 5)):
            luck = placed.noise("window", number, row, column)
            if luck < 0.42 and x > 0 and not (luck < 0.03 and int(beat * 8 + 60 * luck) % 2):
                warm = mix((1.0, 0.82, 0.5), (0.62, 0.82, 1.0), 1.0 if luck < 0.08 else 0.0)
                pane.rect(x + 3 + column * 5, top + 4 + row * 6, 2.6, 3.2, warm, alpha=0.35 + 1.3 * luck, lit=True)
    if high > 0.62 * pane.high and x > 0:
        bright = 0.5 + 0.5 * sin(2 * pi * (beat + placed.noise("mast", number)))
        pane.rect(x + wide / 2 - 0.7, top - 9, 1.4, 9, scaled(tone, 1.3), lit=True)
        pane.circle(x + wide / 2, top - 9, 1.8, (1.0, 0.22, 0.15), alpha=0.3 + 0.7 * bright, lit=True)


GLYPH = replace(
    backdrop.GLYPH,
    name="backdrop_city",
    summary="a wide window on a city at night; haze hides it behind rain",
    words="a wide window with a city at night behind it",
    build=lambda placed: backdrop.window(placed, _city, (0.36, 0.38, 0.44), (0.75, 0.7, 0.75), slant=16.0),
)
