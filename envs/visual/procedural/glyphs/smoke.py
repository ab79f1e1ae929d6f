"""Smoke or gas in a zone or about a place; `density` thickens it, and it always leaves people visible. Own design."""

from __future__ import annotations

from collections.abc import Iterator

from conflictbench.envs.visual.procedural.colours import RGB, scaled
from conflictbench.envs.visual.procedural.glyph import Glyph, Part, Placed
from conflictbench.envs.visual.procedural.vapour import Cloud, cloud

GREY: RGB = (0.50, 0.50, 0.51)


def build(placed: Placed) -> Iterator[Part]:
    """Smoke hangs under the ceiling and sinks as it thickens; gas lies low."""
    if placed.glyph == "gas":
        colour = placed.own or placed.hazard
        yield cloud(placed, Cloud(colour, balls=26, size=0.75, low=0.15, high=1.15, alpha=0.44))
    else:
        colour = scaled(placed.own or GREY, 1.1)
        yield cloud(placed, Cloud(colour, balls=36, size=1.0, low=0.7, high=3.0, alpha=0.95, rise=0.08, drift=0.2))


GLYPH = Glyph(
    name="smoke",
    summary="smoke under the ceiling (gas: low on the floor); density thickens it",
    words="smoke",
    build=build,
    props={"density": "share"},
    alternatives=("gas",),
    places=("zone", "at"),
    footprint=(1.5, 1.5),
    height=2.4,
    solid=False,
)
