"""A flat cart with a push bar; what lies on it shows its load. Own design."""

from __future__ import annotations

from collections.abc import Iterator

from conflictbench.envs.visual.procedural.colours import RGB, mix, scaled
from conflictbench.envs.visual.procedural.glyph import Part, Placed
from conflictbench.envs.visual.procedural.vehicle_glyph import vehicle_glyph
from conflictbench.envs.visual.procedural.vehicles import WARM, Look, Turned, marks, roof_load, vehicles

LONG, WIDE, HIGH = 1.5, 0.84, 1.15
AXLES = (-0.5, 0.5)
DECK = 0.40
STEEL: RGB = (0.46, 0.48, 0.50)


def _bar(body: Turned, look: Look) -> None:
    half = WIDE / 2 - 0.06
    low, high = DECK, 1.02
    for y in (-half * body.near, half * body.near):
        body.brush.rod(body.at((-0.68, y, low)), body.at((-0.74, y, high)), 0.03 * body.size, 0.03 * body.size, STEEL)
    body.brush.rod(
        body.at((-0.74, -half, high)),
        body.at((-0.74, half, high)),
        0.035 * body.size,
        0.035 * body.size,
        (0.75, 0.2, 0.14),
    )
    body.brush.rod(
        body.at((-0.71, -half, 0.72)), body.at((-0.71, half, 0.72)), 0.02 * body.size, 0.02 * body.size, STEEL
    )


def _deck(body: Turned, look: Look) -> None:
    half = WIDE / 2
    body.block((-0.75, 0.75), (-half, half), (DECK - 0.13, DECK), look.paint)
    edge = mix(look.paint, (1.0, 0.8, 0.2), 0.55)
    for k in range(5):
        body.panel((-0.68 + k * 0.3, -0.53 + k * 0.3), (DECK - 0.10, DECK - 0.03), half, edge)
    body.panel((0.62, 0.74), (DECK - 0.11, DECK - 0.02), half, mix((0.3, 0.3, 0.3), WARM, look.glow), shine=look.glow)
    roof_load(body, look, (-0.6, 0.72), half, DECK, most=3)
    if look.tint >= 0 or look.level != -1:
        body.panel((-0.56, 0.56), (DECK, DECK + 0.32), half, scaled(look.paint, 0.7))
        marks(body, look, (-0.5, 0.5), DECK + 0.25, half + 0.004)


def _cart(body: Turned, look: Look) -> None:
    body.wheels(AXLES, WIDE / 2 - 0.04, 0.15, look.turn, far=True)
    for part in body.far_first((-0.72, _bar), (0.1, _deck)):
        part(body, look)
    body.wheels(AXLES, WIDE / 2 - 0.04, 0.15, look.turn)


def build(placed: Placed) -> Iterator[Part]:
    """Carts; the one counted last leaves first."""
    return vehicles(placed, LONG, WIDE, HIGH, _cart, radius=0.15, lamp=(0.8, DECK))


GLYPH = vehicle_glyph(
    name="cart",
    summary="a flat cart with a push bar; present counts them, load lies on it, angle turns it",
    words="a flat cart",
    build=build,
    footprint=(LONG, WIDE),
    height=1.0,
    contact=lambda placed: (0.1, -WIDE / 2, DECK + 0.2),
)
