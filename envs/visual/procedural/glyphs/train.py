"""A locomotive with a flat wagon on a piece of track; what lies on the wagon shows its load. Own design."""

from __future__ import annotations

from collections.abc import Iterator

from conflictbench.envs.visual.procedural.brush import Brush
from conflictbench.envs.visual.procedural.colours import RGB, mix, scaled
from conflictbench.envs.visual.procedural.glyph import Floor, Part, Placed
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

LONG, WIDE, HIGH = 3.5, 1.1, 1.9
FRONT, BACK = (0.45, 1.0, 1.5), (-1.45, -0.5)
TRACK = 1.9  # metres of track at either end
DECK = 0.56


def _wagon(body: Turned, look: Look) -> None:
    half = WIDE / 2
    body.block((-1.75, -0.14), (-half, half), (0.40, DECK), (0.24, 0.22, 0.21))
    body.panel((-1.7, -0.2), (0.44, 0.50), half, (0.5, 0.42, 0.2))
    roof_load(body, look, (-1.7, -0.2), half, DECK, most=4)
    for x in (-1.72, -0.22):
        side = half * body.near * 0.96
        body.brush.rod(
            body.at((x, side, DECK)),
            body.at((x, side, DECK + 0.42)),
            0.025 * body.size,
            0.025 * body.size,
            (0.4, 0.4, 0.42),
        )
    marks(body, look, (-1.6, -0.3), DECK + 0.34, half)


def _engine(body: Turned, look: Look) -> None:
    half = WIDE / 2
    body.block((0.0, 1.75), (-half, half), (0.34, 0.54), DARK)
    body.block((0.95, 1.68), (-half * 0.8, half * 0.8), (0.54, 1.14), look.paint)
    body.block((1.2, 1.34), (-0.1, 0.1), (1.14, 1.34), (0.16, 0.16, 0.17))
    for k in range(4):
        body.panel((1.02 + k * 0.15, 1.10 + k * 0.15), (0.72, 1.04), half * 0.8, scaled(look.paint, 0.45))
    body.prism(
        [(0.05, 0.54), (0.95, 0.54), (0.95, 1.6), (0.88, 1.68), (0.12, 1.68), (0.05, 1.6)], -half, half, look.paint
    )
    lit = look.glow * 0.8
    window = mix(GLASS, WARM, lit * 0.7)
    body.panel((0.16, 0.5), (1.08, 1.5), half, window, shine=lit)
    body.panel((0.56, 0.86), (1.08, 1.5), half, window, shine=lit)
    body.face(
        [(0.956, -0.4, 1.22), (0.956, 0.4, 1.22), (0.956, 0.4, 1.54), (0.956, -0.4, 1.54)],
        (1.0, 0.0, 0.0),
        window,
        shine=lit,
    )
    body.panel((0.05, 0.95), (0.74, 0.86), half, mix(look.paint, (1.0, 0.85, 0.3), 0.7))
    headlights(body, look, 1.756, half, 0.45)
    for k in range(5):
        a = -half + k * WIDE / 5
        stripe = [(1.758, a, 0.36), (1.758, a + 0.11, 0.36), (1.758, a + 0.16, 0.42), (1.758, a + 0.05, 0.42)]
        body.face(stripe, (1.0, 0.0, 0.0), (0.8, 0.62, 0.1))


def _train(body: Turned, look: Look) -> None:
    axles = (*BACK, *FRONT)
    body.wheels(axles, WIDE / 2 - 0.06, 0.2, look.turn, far=True)
    body.block((-0.2, 0.1), (-0.08, 0.08), (0.38, 0.46), DARK)
    for part in body.far_first((-0.9, _wagon), (0.9, _engine)):
        part(body, look)
    body.wheels(axles, WIDE / 2 - 0.06, 0.2, look.turn)


def build(placed: Placed) -> Iterator[Part]:
    """Trains; the track lies where a single one stands, along the room."""

    def track(brush: Brush) -> None:
        left, right = (
            max(-LONG / 2 - TRACK, 0.2 - placed.at[0]),
            min(LONG / 2 + TRACK, placed.room[0] - 0.2 - placed.at[0]),
        )
        x = left
        while x < right:
            sleeper = [(x, -0.62, 0.0), (x + 0.16, -0.62, 0.0), (x + 0.16, 0.62, 0.0), (x, 0.62, 0.0)]
            brush.polygon(sleeper, brush.lit((0.20, 0.165, 0.14), sleeper[0], (0.0, 0.0, 1.0)))
            x += 0.42
        rail: RGB = (0.46, 0.45, 0.44)
        for y in (-0.44, 0.44):
            brush.line(
                [(left, y, 0.01), (right, y, 0.01)], 0.07, brush.lit(scaled(rail, 0.5), (0.0, y, 0.0), (0.0, 0.0, 1.0))
            )
            brush.line([(left, y, 0.03), (right, y, 0.03)], 0.035, brush.lit(rail, (0.0, y, 0.0), (0.0, 0.0, 1.0)))

    if placed.count == 1 and "angle" not in placed.bound:
        yield Floor(draw=track)
    yield from vehicles(placed, LONG, WIDE, HIGH, _train, radius=0.2, lamp=(1.9, 0.45))


GLYPH = vehicle_glyph(
    name="train",
    summary="a locomotive with a flat wagon on its track; load lies on the wagon, glow lights the cab",
    words="a small train",
    build=build,
    footprint=(LONG, WIDE),
    height=1.7,
    contact=lambda placed: (-0.9, -WIDE / 2 - 0.05, 0.75),
)
