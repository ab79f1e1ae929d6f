"""A boat on a patch of water; crates on its deck show its load. Own design."""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, radians, sin

from conflictbench.envs.visual.procedural.colours import RGB, mix, scaled
from conflictbench.envs.visual.procedural.glyph import Part, Placed
from conflictbench.envs.visual.procedural.vehicle_glyph import vehicle_glyph
from conflictbench.envs.visual.procedural.vehicles import (
    DARK,
    GLASS,
    WARM,
    Look,
    Turned,
    marks,
    roof_load,
    vehicles,
)

LONG, WIDE, HIGH = 3.1, 1.15, 2.2
DECK = 0.62
WATER: RGB = (0.10, 0.24, 0.34)


def _water(body: Turned) -> None:
    """A patch of sea with foam along the hull."""
    ring = [(LONG * 0.66 * cos(radians(a)), WIDE * 0.86 * sin(radians(a)), 0.01) for a in range(0, 360, 15)]
    body.face(ring, (0.0, 0.0, 1.0), WATER, shine=0.2, alpha=0.82)
    inner = [(x * 0.90, y * 0.84, 0.015) for x, y, _ in ring]
    body.brush.line([body.at(p) for p in inner], 0.03, (0.55, 0.70, 0.78), alpha=0.5, closed=True)
    foam = [
        (-1.7, 0.28, 0.02),
        (-1.4, 0.5, 0.02),
        (0.6, 0.66, 0.02),
        (1.66, 0.0, 0.02),
        (0.6, -0.66, 0.02),
        (-1.4, -0.5, 0.02),
        (-1.7, -0.28, 0.02),
    ]
    body.brush.line([body.at(p) for p in foam], 0.06, (0.85, 0.92, 0.95), alpha=0.6)


def _hull(body: Turned, look: Look) -> None:
    """Its sides lean out and meet in a bow."""
    half = WIDE / 2
    deck = [(-1.45, -half * 0.9), (0.55, -half), (1.58, 0.0), (0.55, half), (-1.45, half * 0.9)]
    keel = [(-1.38, -half * 0.72), (0.5, -half * 0.74), (1.3, 0.0), (0.5, half * 0.74), (-1.38, half * 0.72)]
    body.face([(x, y, DECK - 0.08) for x, y in deck], (0.0, 0.0, 1.0), (0.42, 0.34, 0.25))
    for k in range(5):
        a, b, c, d = deck[k], deck[(k + 1) % 5], keel[(k + 1) % 5], keel[k]
        normal = (b[1] - a[1], a[0] - b[0], 0.0)
        size = (normal[0] ** 2 + normal[1] ** 2) ** 0.5
        out = (normal[0] / size, normal[1] / size, -0.15)
        body.face([(*a, DECK), (*b, DECK), (*c, 0.03), (*d, 0.03)], out, look.paint)
        low = [
            (d[0] + (a[0] - d[0]) * 0.3, d[1] + (a[1] - d[1]) * 0.3),
            (c[0] + (b[0] - c[0]) * 0.3, c[1] + (b[1] - c[1]) * 0.3),
        ]
        body.face([(*low[0], 0.2), (*low[1], 0.2), (*c, 0.03), (*d, 0.03)], out, (0.36, 0.09, 0.07))
        rim = mix(look.paint, (1.0, 1.0, 1.0), 0.45)
        body.brush.line(
            [body.at((*a, DECK)), body.at((*b, DECK))],
            0.05 * body.size,
            body.brush.lit(rim, body.at((*a, DECK)), (0.0, 0.0, 1.0)),
        )


def _house(body: Turned, look: Look) -> None:
    lit = look.glow * 0.85
    body.block((-1.2, -0.3), (-0.38, 0.38), (DECK - 0.08, 1.42), (0.66, 0.66, 0.64))
    body.block((-1.26, -0.2), (-0.44, 0.44), (1.42, 1.50), scaled(look.paint, 0.9))
    window = mix(GLASS, WARM, lit * 0.8)
    for x in (-1.12, -0.68):
        body.panel((x, x + 0.32), (1.04, 1.32), 0.38, window, shine=lit)
    body.face(
        [(-0.295, -0.3, 1.04), (-0.295, 0.3, 1.04), (-0.295, 0.3, 1.32), (-0.295, -0.3, 1.32)],
        (1.0, 0.0, 0.0),
        window,
        shine=lit,
    )
    brush = body.brush
    brush.rod(
        body.at((-1.0, 0.0, 1.5)), body.at((-1.0, 0.0, 2.05)), 0.03 * body.size, 0.02 * body.size, (0.5, 0.5, 0.52)
    )
    colour: RGB = mix((0.35, 0.08, 0.06), (1.0, 0.25, 0.15), max(look.glow, look.busy))
    brush.dot(body.at((-1.0, 0.0, 2.07)), 0.055 * body.size, colour)
    if look.tint >= 0 or look.level != -1:
        marks(body, look, (-1.16, -0.34), 1.0, 0.38)


def _cargo(body: Turned, look: Look) -> None:
    body.block((0.92, 1.06), (-0.07, 0.07), (DECK - 0.08, DECK + 0.14), DARK)
    roof_load(body, look, (-0.18, 0.86), 0.42, DECK - 0.08, most=3)


def _boat(body: Turned, look: Look) -> None:
    _water(body)
    _hull(body, look)
    for part in body.far_first((-0.8, _house), (0.6, _cargo)):
        part(body, look)


def build(placed: Placed) -> Iterator[Part]:
    """Boats; the one counted last leaves first."""
    return vehicles(placed, LONG, WIDE, HIGH, _boat, radius=1.0, lamp=(-0.7, 1.2))


GLYPH = vehicle_glyph(
    name="boat",
    summary="a boat on a patch of water; present counts them, load lies on deck, glow lights it, angle turns it",
    words="a boat",
    build=build,
    footprint=(LONG, WIDE),
    height=1.6,
    contact=lambda placed: (0.3, -WIDE / 2, DECK + 0.1),
)
