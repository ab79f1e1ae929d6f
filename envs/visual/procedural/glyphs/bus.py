"""A bus; heads behind its windows show how full it is. Own design."""

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
    back_doors,
    headlights,
    marks,
    vehicles,
)

LONG, WIDE, HIGH = 3.1, 1.18, 1.75
AXLES = (-0.95, 1.0)
SEATS = 6
HEADS: tuple[RGB, ...] = ((0.72, 0.54, 0.42), (0.45, 0.30, 0.22), (0.80, 0.62, 0.50))


def _bus(body: Turned, look: Look) -> None:
    half = WIDE / 2
    body.wheels(AXLES, half, 0.25, look.turn, far=True)
    outline = [(-1.55, 0.2), (1.55, 0.2), (1.55, 0.86), (1.46, 1.58), (1.36, 1.64), (-1.48, 1.64), (-1.55, 1.56)]
    body.prism(outline, -half, half, look.paint)
    body.block((-0.9, -0.3), (-0.34, 0.34), (1.64, 1.74), scaled(look.paint, 0.7))
    shield = [
        (1.545, -half + 0.08, 0.90),
        (1.545, half - 0.08, 0.90),
        (1.475, half - 0.1, 1.50),
        (1.475, -half + 0.1, 1.50),
    ]
    body.face(shield, (0.99, 0.0, 0.1), GLASS)
    lit = look.glow * 0.8
    inside = mix(GLASS, WARM, 0.7 * lit)
    seated = round(look.load * SEATS)
    for seat in range(SEATS):
        x = -1.36 + seat * 0.46
        body.panel((x, x + 0.38), (0.94, 1.42), half, inside, shine=lit)
        if seat < seated:
            tone = HEADS[seat % 3]
            body.panel((x + 0.12, x + 0.26), (1.12, 1.30), half + 0.002, tone, shine=0.25)
            body.panel(
                (x + 0.06, x + 0.32), (0.94, 1.10), half + 0.002, mix((0.2, 0.3, 0.42), look.paint, 0.3), shine=0.2
            )
    body.panel((-1.55, 1.55), (0.2, 0.34), half, DARK)
    body.panel((-1.55, 1.54), (0.80, 0.86), half, mix(look.paint, (1.0, 1.0, 1.0), 0.35))
    door = (1.10, 1.42)
    body.panel(door, (0.36, 1.46), half + 0.002, mix(inside, look.paint, 0.2), shine=0.5 * lit)
    body.panel((1.25, 1.27), (0.36, 1.46), half + 0.003, scaled(look.paint, 0.5))
    marks(body, look, (-0.6, 0.62), 0.70, half)
    headlights(body, look, 1.555, half, 0.52)
    tail = mix((0.30, 0.06, 0.05), (1.0, 0.16, 0.10), max(look.glow, look.busy))
    body.panel((-1.55, -1.46), (0.46, 0.7), half, tail, shine=max(look.glow, look.busy))
    back_doors(body, look, -1.55, half, (0.44, 1.5), tail)
    body.wheels(AXLES, half, 0.25, look.turn)


def build(placed: Placed) -> Iterator[Part]:
    """Buses; the one counted last leaves first."""
    return vehicles(placed, LONG, WIDE, HIGH, _bus, radius=0.25, lamp=(1.72, 0.52))


GLYPH = vehicle_glyph(
    name="bus",
    summary="a bus; present counts them, load fills its windows with heads, glow lights it, angle turns it",
    words="a bus",
    build=build,
    footprint=(LONG, WIDE),
    height=1.65,
    contact=lambda placed: (0.9, -WIDE / 2 - 0.05, 0.95),
)
