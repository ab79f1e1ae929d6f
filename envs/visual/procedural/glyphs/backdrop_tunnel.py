"""The mouth of a tunnel in the back wall, with track and lamps that lead into the dark. Own design."""

from __future__ import annotations

from dataclasses import replace

from conflictbench.envs.visual.procedural.colours import RGB, mix, scaled
from conflictbench.envs.visual.procedural.glyph import Placed
from conflictbench.envs.visual.procedural.glyphs import backdrop
from conflictbench.envs.visual.procedural.sheet import Sheet

ROCK: RGB = (0.24, 0.225, 0.21)
LINING: RGB = (0.30, 0.30, 0.31)
RINGS = 9


def _tunnel(pane: Sheet, placed: Placed, beat: float) -> None:
    pane.rect(0, 0, pane.wide, pane.high, scaled(ROCK, 0.8), lit=True)
    for k in range(120):
        x, y = pane.wide * placed.noise("x", k), pane.high * placed.noise("y", k)
        wide = min(14 + 26 * placed.noise("w", k), pane.wide - x)
        pane.rect(
            x, y, wide, min(10.0, pane.high - y), scaled(ROCK, 0.55 + 0.7 * placed.noise("t", k)), radius=3, lit=True
        )
    middle, floor = pane.wide / 2, pane.high * 0.94
    arch(pane, middle, floor, pane.wide * 0.40, pane.high * 0.88, (0.42, 0.41, 0.39))
    for ring in range(RINGS):
        near = 0.84 ** (1.5 * ring)
        tone = scaled(LINING, 0.9 * near if ring % 2 else 0.72 * near)
        arch(
            pane,
            middle,
            pane.high * (0.94 - 0.30 * (1 - near)),
            pane.wide * 0.375 * near,
            pane.high * 0.84 * near,
            tone,
        )
    base = pane.high * 0.94
    deep = 0.84 ** (1.5 * RINGS)
    vanish = pane.high * (0.94 - 0.30 * (1 - deep))
    pane.polygon(
        [
            (middle - pane.wide * 0.375, base),
            (middle + pane.wide * 0.375, base),
            (middle + 4, vanish),
            (middle - 4, vanish),
        ],
        (0.13, 0.125, 0.12),
        lit=True,
    )
    pane.rect(0, base, pane.wide, pane.high - base, (0.13, 0.125, 0.12), lit=True)
    for ring in range(14):
        near = 0.84**ring
        y, half = vanish + (base - vanish) * near, pane.wide * 0.16 * near
        pane.rect(middle - half, y - 2.5 * near, 2 * half, 3.6 * near, (0.25, 0.20, 0.16), lit=True)
    for side in (-1, 1):
        pane.line(
            [(middle + side * pane.wide * 0.115, base), (middle + side * 1.5, vanish)],
            (0.55, 0.55, 0.56),
            1.8,
            lit=True,
        )
        for ring in range(7):
            near = 0.84 ** (1.7 * ring + 0.6)
            x, y = middle + side * pane.wide * 0.335 * near, vanish - (vanish - pane.high * 0.36) * near
            on = int(beat * 8) % 8 == ring
            colour = mix((1.0, 0.80, 0.45), (1.0, 1.0, 0.9), 0.8 if on else 0.0)
            pane.circle(x, y, 7 * near + 2, colour, alpha=0.20, lit=True)
            pane.circle(x, y, 2.8 * near + 0.6, colour, lit=True)


def arch(pane: Sheet, middle: float, floor: float, half: float, high: float, colour: RGB) -> None:
    """A round-headed opening on a floor."""
    left, top = middle - half, floor - high
    rise = min(half * 0.8, high)
    pane.rect(left, top, 2 * half, high + 0.5, colour, radius=rise, lit=True)
    pane.rect(left, floor - high * 0.4, 2 * half, high * 0.4 + 0.5, colour, lit=True)


GLYPH = replace(
    backdrop.GLYPH,
    name="backdrop_tunnel",
    summary="a tunnel mouth in the back wall; haze fills it with smoke",
    words="a tunnel mouth in the back wall",
    build=lambda placed: backdrop.window(
        placed, _tunnel, (0.34, 0.33, 0.32), (1.0, 0.8, 0.5), slant=5.0, low=1.0, bars=1
    ),
)
