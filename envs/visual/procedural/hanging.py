"""Where screens hang: on their wall, at the place that the things before it hide least. Own design.

Depends on the block alone (boxes of parts as the camera sees them), so a screen never moves within a scenario.
"""

from __future__ import annotations

from collections.abc import Sequence

from conflictbench.envs.visual.procedural.camera import Camera, Vec3, add
from conflictbench.envs.visual.procedural.glyph import Box, Part, Sprite

Area = tuple[float, float, float, float]  # design units: x0, y0, x1, y1
SHARES = (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82)  # of the wall's length, the best first
UPPER_STRIP: Area = (0.0, 0.0, 832.0, 36.0)  # where the overlay prints
ARM: Box = ((-0.6, -0.3, -1.3), (1.3, 0.3, 0.2))  # what a docked arm takes up at rest


def area(camera: Camera, origin: Vec3, box: Box) -> Area:
    """The rectangle of the picture that a box covers."""
    (x0, y0, z0), (x1, y1, z1) = box
    seen = [camera.project(add(origin, (x, y, z))) for x in (x0, x1) for y in (y0, y1) for z in (z0, z1)]
    return (min(s[0] for s in seen), min(s[1] for s in seen), max(s[0] for s in seen), max(s[1] for s in seen))


def areas(camera: Camera, origin: Vec3, parts: Sequence[Part]) -> list[Area]:
    """What a thing's parts cover; what is see-through covers nothing, and people stand below what hangs on walls."""
    return [area(camera, origin, part.box) for part in parts if isinstance(part, Sprite) and not part.veil]


def hidden(place: Area, others: Sequence[Area]) -> float:
    """Square design units of a place that others cover, and of it that is out of the picture."""
    x0, y0, x1, y1 = place
    outside = max(0.0, -x0) * (y1 - y0) + max(0.0, x1 - 832.0) * (y1 - y0) + max(0.0, UPPER_STRIP[3] - y0) * (x1 - x0)
    total = 4.0 * outside
    for a0, b0, a1, b1 in others:
        total += max(0.0, min(x1, a1) - max(x0, a0)) * max(0.0, min(y1, b1) - max(y0, b0))
    return total


def best(candidates: Sequence[tuple[Vec3, Area]], others: Sequence[Area]) -> int:
    """Index of the candidate that is hidden least; the first ones are worth a little."""
    costs = [round(hidden(place, others)) + 40 * number for number, (_, place) in enumerate(candidates)]
    return costs.index(min(costs))
