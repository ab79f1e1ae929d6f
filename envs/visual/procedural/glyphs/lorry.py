"""A lorry with an open bed; what lies on it shows its load. Own design."""

from __future__ import annotations

from collections.abc import Iterator

from conflictbench.envs.visual.procedural.colours import RGB, mix, scaled
from conflictbench.envs.visual.procedural.glyph import Part, Placed
from conflictbench.envs.visual.procedural.vehicle_glyph import vehicle_glyph
from conflictbench.envs.visual.procedural.vehicles import (
    DARK,
    GLASS,
    WARM,
    Look,
    Turned,
    headlights,
    marks,
    roof_load,
    vehicles,
)

LONG, WIDE, HIGH = 3.0, 1.2, 1.9
AXLES = (-1.15, -0.62, 0.98)
FRAME: RGB = (0.20, 0.21, 0.23)
BED = 0.62


def _bed(body: Turned, look: Look) -> None:
    half = WIDE / 2
    body.block((-1.5, 0.42), (-half, half), (0.46, BED), FRAME)
    far = -half * body.near
    wall = sorted((far, far * 0.92))
    body.block((-1.5, 0.42), (wall[0], wall[1]), (BED, BED + 0.26), scaled(look.paint, 0.75))
    roof_load(body, look, (-1.42, 0.36), half, BED, most=5)
    near = sorted((-far, -far * 0.92))
    body.block((-1.5, 0.42), (near[0], near[1]), (BED, BED + 0.26), scaled(look.paint, 0.75))
    for x in (-1.5, -0.86, -0.22, 0.36):
        body.panel((x, x + 0.06), (0.5, BED + 0.28), half, scaled(look.paint, 0.5))
    marks(body, look, (-1.36, 0.24), BED + 0.2, half)
    tail = mix((0.30, 0.06, 0.05), (1.0, 0.16, 0.10), max(look.glow, look.busy))
    body.panel((-1.5, -1.42), (0.48, 0.58), half, tail, shine=max(look.glow, look.busy))
    for side in (-1.0, 1.0):
        a, b = sorted((side * half, side * (half - 0.16)))
        lamp = [(-1.505, a, 0.48), (-1.505, b, 0.48), (-1.505, b, 0.58), (-1.505, a, 0.58)]
        body.face(lamp, (-1.0, 0.0, 0.0), tail, shine=max(look.glow, look.busy))


def _cab(body: Turned, look: Look) -> None:
    half = WIDE / 2
    outline = [(0.52, 0.30), (1.50, 0.30), (1.50, 0.90), (1.34, 1.56), (1.24, 1.62), (0.58, 1.62), (0.52, 1.56)]
    body.prism(outline, -half, half, look.paint)
    shield = [
        (1.495, -half + 0.08, 0.95),
        (1.495, half - 0.08, 0.95),
        (1.365, half - 0.1, 1.48),
        (1.365, -half + 0.1, 1.48),
    ]
    body.face(shield, (0.97, 0.0, 0.24), GLASS)
    grille = [(1.505, -0.3, 0.42), (1.505, 0.3, 0.42), (1.505, 0.3, 0.78), (1.505, -0.3, 0.78)]
    body.face(grille, (1.0, 0.0, 0.0), DARK)
    lit = look.glow * 0.8
    y = (half + 0.006) * body.near
    window = [(0.74, y, 0.98), (1.40, y, 0.98), (1.28, y, 1.48), (0.74, y, 1.48)]
    body.face(window, (0.0, float(body.near), 0.0), mix(GLASS, WARM, lit * 0.6), shine=lit)
    body.panel((0.66, 0.68), (0.4, 1.5), half, scaled(look.paint, 0.5))
    body.panel((0.52, 1.5), (0.30, 0.42), half, DARK)
    headlights(body, look, 1.505, half, 0.60)


def _lorry(body: Turned, look: Look) -> None:
    body.wheels(AXLES, WIDE / 2, 0.25, look.turn, far=True)
    body.block((-1.4, 1.3), (-0.3, 0.3), (0.26, 0.46), DARK)
    for part in body.far_first((-0.5, _bed), (1.0, _cab)):
        part(body, look)
    body.wheels(AXLES, WIDE / 2, 0.25, look.turn)


def build(placed: Placed) -> Iterator[Part]:
    """Lorries; the one counted last leaves first."""
    return vehicles(placed, LONG, WIDE, HIGH, _lorry, radius=0.25, lamp=(1.66, 0.6))


GLYPH = vehicle_glyph(
    name="lorry",
    summary="a lorry with an open bed; present counts them, load lies on the bed, glow lights it, angle turns it",
    words="a lorry",
    build=build,
    footprint=(LONG, WIDE),
    height=1.6,
    contact=lambda placed: (-0.3, -WIDE / 2 - 0.05, 0.9),
)
