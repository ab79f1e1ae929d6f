"""The glyph of a vehicle: what all of them take, may do, and where they stand. Own design."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from conflictbench.envs.visual.procedural.camera import Vec3
from conflictbench.envs.visual.procedural.glyph import Glyph, Part, Placed
from conflictbench.envs.visual.procedural.vehicles import PROPS


def vehicle_glyph(
    *,
    name: str,
    summary: str,
    words: str,
    build: Callable[[Placed], Iterator[Part]],
    footprint: tuple[float, float],
    height: float,
    contact: Callable[[Placed], Vec3],
    alternatives: tuple[str, ...] = (),
) -> Glyph:
    """A glyph of this name; arguments as those of `Glyph`."""
    return Glyph(
        name=name,
        summary=summary,
        words=words,
        build=build,
        footprint=footprint,
        height=height,
        contact=contact,
        alternatives=alternatives,
        props=PROPS,
        movable=True,
        places=("at", "zone"),
        parked=True,
    )
