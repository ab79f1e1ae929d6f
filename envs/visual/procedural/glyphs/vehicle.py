"""A van. Own design."""

from __future__ import annotations

from collections.abc import Iterator

from conflictbench.envs.visual.procedural.colours import mix, scaled
from conflictbench.envs.visual.procedural.glyph import Part, Placed
from conflictbench.envs.visual.procedural.vehicle_glyph import vehicle_glyph
from conflictbench.envs.visual.procedural.vehicles import (
    DARK,
    GLASS,
    WARM,
    Look,
    Turned,
    back_doors,
    headlights,
    marks,
    roof_load,
    vehicles,
)


def _van(body: Turned, look: Look) -> None:
    half = WIDE / 2
    body.wheels(AXLES, half, 0.23, look.turn, far=True)
    outline = [
        (-1.25, 0.20),
        (1.27, 0.20),
        (1.27, 0.62),
        (1.08, 0.78),
        (0.72, 1.40),
        (0.60, 1.46),
        (-1.18, 1.46),
        (-1.25, 1.38),
    ]
    body.prism(outline, -half, half, look.paint)
    low, high = half - 0.08, half - 0.12
    shield = [(1.09, -low, 0.80), (1.09, low, 0.80), (0.75, high, 1.37), (0.75, -high, 1.37)]
    body.face(shield, (0.87, 0.0, 0.5), GLASS)
    lit = look.glow * 0.8
    y = (half + 0.006) * body.near
    window = [(0.32, y, 0.86), (0.98, y, 0.86), (0.70, y, 1.34), (0.32, y, 1.34)]
    body.face(window, (0.0, float(body.near), 0.0), mix(GLASS, WARM, lit * 0.6), shine=lit)
    body.panel((-1.25, 1.27), (0.20, 0.34), half, DARK)
    for seam in (0.24, -0.46):
        body.panel((seam - 0.008, seam + 0.008), (0.36, 1.36), half, scaled(look.paint, 0.55))
    body.panel((0.28, 0.42), (0.74, 0.78), half, scaled(look.paint, 0.45))
    marks(body, look, (-1.14, 0.16), 1.06, half)
    headlights(body, look, 1.275, half, 0.54)
    tail = mix((0.30, 0.06, 0.05), (1.0, 0.16, 0.10), max(look.glow, look.busy))
    body.panel((-1.25, -1.17), (0.44, 0.66), half, tail, shine=max(look.glow, look.busy))
    back_doors(body, look, -1.25, half, (0.44, 1.36), tail)
    body.wheels(AXLES, half, 0.23, look.turn)
    roof_load(body, look, (-1.1, 0.5), half, 1.48)


LONG, WIDE, HIGH = 2.55, 1.14, 1.9
AXLES = (-0.78, 0.80)


def build(placed: Placed) -> Iterator[Part]:
    """Vans; the one counted last leaves first."""
    return vehicles(placed, LONG, WIDE, HIGH, _van, radius=0.23, lamp=(1.42, 0.54))


GLYPH = vehicle_glyph(
    name="vehicle",
    summary="a van; present counts them, load lies on its roof, glow lights it, angle turns it, level is a bar",
    alternatives=("van",),
    words="a van",
    build=build,
    footprint=(LONG, WIDE),
    height=1.5,
    contact=lambda placed: (0.0, -WIDE / 2 - 0.05, 0.95),
)
