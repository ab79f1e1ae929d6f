"""A wide window on the open sea by moonlight. Own design."""

from __future__ import annotations

from dataclasses import replace
from math import pi, sin

from conflictbench.envs.visual.procedural.colours import RGB, mix, ramp
from conflictbench.envs.visual.procedural.glyph import Placed
from conflictbench.envs.visual.procedural.glyphs import backdrop
from conflictbench.envs.visual.procedural.sheet import Sheet

SKY: tuple[RGB, ...] = ((0.10, 0.15, 0.25), (0.20, 0.29, 0.40), (0.48, 0.56, 0.62))
WATER: tuple[RGB, ...] = ((0.22, 0.36, 0.44), (0.10, 0.23, 0.32), (0.05, 0.13, 0.20))
HORIZON = 0.46
ROWS = 15


def _sea(pane: Sheet, placed: Placed, beat: float) -> None:
    backdrop.sky(pane, SKY, HORIZON)
    moon = (pane.wide * 0.68, pane.high * 0.17)
    for radius, alpha in ((26.0, 0.10), (17.0, 0.16), (10.0, 0.95)):
        pane.circle(*moon, radius, (0.95, 0.95, 0.88), alpha=alpha, lit=True)
    for row in range(ROWS):
        near = row / (ROWS - 1)
        top = pane.high * (HORIZON + (1 - HORIZON) * near**1.5)
        bottom = pane.high * (HORIZON + (1 - HORIZON) * min(1.0, (row + 1) / (ROWS - 1)) ** 1.5)
        swell, length = 0.6 + 5.5 * near, 0.5 + 1.5 * near
        crest = []
        for k in range(49):
            wave = sin(2 * pi * (k / 48 * round(9 / length) + beat + 0.37 * row)) + 0.5 * sin(
                2 * pi * (k / 48 * round(17 / length) - beat + 0.2 * row)
            )
            crest.append((pane.wide * k / 48, min(top + swell * wave, pane.high)))
        colour = ramp(WATER, near)
        pane.polygon(
            [*crest, (pane.wide, min(bottom + 8, pane.high)), (0.0, min(bottom + 8, pane.high))], colour, lit=True
        )
        pane.line(crest, mix(colour, (0.8, 0.9, 0.95), 0.35), 0.5 + 0.9 * near, alpha=0.6, lit=True)
        glint = 10 + 46 * near
        shift = 5 * sin(2 * pi * (beat + 0.31 * row))
        pane.rect(
            moon[0] - glint / 2 + shift,
            min(top + 1, pane.high - 2),
            glint,
            1.3 + near,
            (0.95, 0.95, 0.85),
            alpha=0.4,
            radius=1,
            lit=True,
        )
    x, y = pane.wide * 0.24, pane.high * HORIZON + 2
    pane.polygon([(x - 20, y - 6), (x + 22, y - 6), (x + 16, y + 1), (x - 16, y + 1)], (0.07, 0.09, 0.12), lit=True)
    pane.rect(x - 12, y - 13, 9, 8, (0.07, 0.09, 0.12), lit=True)
    pane.circle(x - 8, y - 15, 1.5, (1.0, 0.3, 0.2), alpha=0.5 + 0.5 * sin(2 * pi * beat), lit=True)
    pane.circle(x + 14, y - 8, 1.2, (0.9, 0.95, 1.0), lit=True)


GLYPH = replace(
    backdrop.GLYPH,
    name="backdrop_sea",
    summary="a wide window on the sea by moonlight; haze hides it behind rain and spray",
    words="a wide window with the open sea behind it",
    build=lambda placed: backdrop.window(placed, _sea, (0.50, 0.56, 0.60), (0.6, 0.8, 0.9)),
)
