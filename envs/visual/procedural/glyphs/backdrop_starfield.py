"""A wide window on stars over the limb of a planet. Own design."""

from __future__ import annotations

from dataclasses import replace
from math import pi, sin, sqrt

from conflictbench.envs.visual.procedural.colours import RGB, mix
from conflictbench.envs.visual.procedural.glyph import Placed
from conflictbench.envs.visual.procedural.glyphs import backdrop
from conflictbench.envs.visual.procedural.sheet import Sheet

SPACE: tuple[RGB, ...] = ((0.012, 0.016, 0.04), (0.02, 0.028, 0.07), (0.03, 0.04, 0.085))
SEA: RGB = (0.10, 0.27, 0.46)


def _stars(pane: Sheet, placed: Placed, beat: float) -> None:
    backdrop.sky(pane, SPACE, 1.0)
    for k in range(9):
        at = (pane.wide * (0.08 + 0.07 * k), pane.high * (0.30 + 0.25 * placed.noise("cloud", k)))
        pane.circle(
            *at,
            30 + 26 * placed.noise("size", k),
            mix((0.3, 0.2, 0.5), (0.15, 0.35, 0.5), placed.noise("hue", k)),
            alpha=0.08,
            lit=True,
        )
    for k in range(190):
        x, y = pane.wide * placed.noise("x", k), pane.high * placed.noise("y", k)
        twinkle = 0.75 + 0.25 * sin(2 * pi * (beat + placed.noise("beat", k)))
        size = 0.5 + 1.1 * placed.noise("star", k) ** 3
        pane.circle(
            x, y, size, mix((0.75, 0.85, 1.0), (1.0, 0.88, 0.72), placed.noise("tone", k)), alpha=twinkle, lit=True
        )
    for out, alpha in ((9.0, 0.10), (5.0, 0.22), (2.0, 0.5), (0.0, 1.0)):
        air: RGB = (0.45, 0.75, 1.0)
        pane.polygon(_limb(pane, out), air if out else SEA, alpha=alpha, lit=True)
    for k in range(22):
        x = pane.wide * (0.52 + 0.46 * placed.noise("land", k))
        top = _limb_height(pane, x, 0.0)
        y = top + (pane.high - top) * (0.12 + 0.8 * placed.noise("lat", k))
        if y < pane.high - 3:
            tone = (0.30, 0.38, 0.26) if k % 3 else (0.82, 0.86, 0.9)
            pane.rect(
                x, y, min(24 + 40 * placed.noise("long", k), pane.wide - x), 3.2, tone, alpha=0.45, radius=1.6, lit=True
            )


def _limb_height(pane: Sheet, x: float, out: float) -> float:
    """Where the edge of the planet is at x, `out` units over its ground; the foot of the pane where it is not seen."""
    radius = pane.high * 2.15 + out
    away = x - pane.wide * 0.80
    if abs(away) >= radius:
        return pane.high
    return min(pane.high * 2.55 - sqrt(radius * radius - away * away), pane.high)


def _limb(pane: Sheet, out: float) -> list[tuple[float, float]]:
    edge = [(pane.wide * k / 64, _limb_height(pane, pane.wide * k / 64, out)) for k in range(65)]
    return [(0.0, pane.high), *edge, (pane.wide, pane.high)]


GLYPH = replace(
    backdrop.GLYPH,
    name="backdrop_starfield",
    summary="a wide window on stars and a planet; haze hides them behind dust",
    words="a wide window with stars and a planet behind it",
    build=lambda placed: backdrop.window(placed, _stars, (0.42, 0.40, 0.46), (0.5, 0.7, 1.0), slant=10.0),
)
