"""A wide window on an ice field under northern lights. Own design."""

from __future__ import annotations

from dataclasses import replace
from math import pi, sin

from conflictbench.envs.visual.procedural.colours import RGB, mix
from conflictbench.envs.visual.procedural.glyph import Placed
from conflictbench.envs.visual.procedural.glyphs import backdrop
from conflictbench.envs.visual.procedural.sheet import Sheet

SKY: tuple[RGB, ...] = ((0.03, 0.06, 0.14), (0.07, 0.16, 0.26), (0.26, 0.42, 0.50), (0.66, 0.72, 0.74))


def _ice(pane: Sheet, placed: Placed, beat: float) -> None:
    backdrop.sky(pane, SKY, 0.72)
    for k in range(60):
        at = (pane.wide * placed.noise("x", k), pane.high * 0.4 * placed.noise("y", k))
        pane.circle(*at, 0.5 + 0.7 * placed.noise("star", k) ** 2, (0.9, 0.95, 1.0), alpha=0.8, lit=True)
    for curtain, hue in enumerate(((0.25, 0.95, 0.6), (0.35, 0.75, 0.95))):
        for k in range(46):
            x = pane.wide * k / 46
            lift = sin(2 * pi * (k / 23 + curtain / 3 + 0.15 * sin(2 * pi * beat))) + 0.5 * sin(2 * pi * (k / 9 - beat))
            low = pane.high * (0.40 - 0.10 * curtain + 0.05 * lift)
            high = pane.high * (0.17 + 0.09 * placed.noise("ray", curtain, k))
            bright = 0.10 + 0.10 * placed.noise("bright", curtain, k) + 0.04 * sin(2 * pi * (beat + k / 11))
            pane.rect(x, low - high, pane.wide / 46 + 0.5, high, hue, alpha=bright, lit=True)
            pane.rect(x, low - 0.4 * high, pane.wide / 46 + 0.5, 0.4 * high, hue, alpha=bright, lit=True)
    backdrop.ridge(pane, placed, "far", 0.74, 0.20, (0.42, 0.55, 0.66))
    backdrop.ridge(pane, placed, "near", 0.80, 0.12, (0.60, 0.72, 0.80))
    pane.rect(0, pane.high * 0.80, pane.wide, pane.high * 0.2, (0.72, 0.80, 0.86), lit=True)
    for k in range(8):
        x, wide = pane.wide * (0.02 + 0.125 * k) + 14 * placed.noise("berg", k), 20 + 30 * placed.noise("wide", k)
        base, high = pane.high * (0.84 + 0.12 * placed.noise("base", k)), 14 + 26 * placed.noise("high", k)
        wide = min(wide, pane.wide - x)
        peak = (x + wide * (0.3 + 0.4 * placed.noise("peak", k)), base - high)
        pane.polygon([(x, base), peak, (x + wide, base)], (0.86, 0.92, 0.96), lit=True)
        pane.polygon([peak, (x + wide, base), (x + wide * 0.55, base)], (0.44, 0.62, 0.76), lit=True)
    for k in range(10):
        y = pane.high * (0.83 + 0.15 * placed.noise("crack", k))
        x = pane.wide * 0.8 * placed.noise("crack", k, "x")
        pane.line(
            [(x, y), (x + 40, y + 2), (x + 90, y - 1)],
            mix((0.5, 0.66, 0.78), (1.0, 1.0, 1.0), 0.2),
            1.2,
            alpha=0.7,
            lit=True,
        )


GLYPH = replace(
    backdrop.GLYPH,
    name="backdrop_ice",
    summary="a wide window on an ice field under northern lights; haze hides it behind driving snow",
    words="a wide window with a field of ice behind it",
    build=lambda placed: backdrop.window(placed, _ice, (0.74, 0.80, 0.85), (0.55, 0.85, 0.85)),
)
