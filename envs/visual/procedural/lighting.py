"""The constant lights of a room at the four levels of urgency. Own design (lightings of visual.md 3.2).

A level dims the mains and shifts their colour; what flickers (strobes, heat, fire) is added in every frame by glow.py.
Surfaces are shaded by position and normal: solids at a few points, the room at every pixel of a quarter-size picture.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from conflictbench.envs.visual.procedural.camera import Vec3
from conflictbench.envs.visual.procedural.colours import RGB

LEVELS: Final = 4
WRAP: Final = 0.18  # light bends a little around edges: no face is black


@dataclass(frozen=True)
class Level:
    """Mains, light from everywhere, light from the camera's side."""

    mains: RGB
    ambient: RGB
    fill: RGB


TABLE: Final[tuple[Level, ...]] = (
    Level((1.20, 1.21, 1.22), (0.36, 0.38, 0.41), (0.30, 0.31, 0.33)),
    Level((1.02, 0.90, 0.72), (0.32, 0.29, 0.26), (0.28, 0.26, 0.23)),
    Level((0.54, 0.40, 0.37), (0.28, 0.21, 0.215), (0.26, 0.21, 0.21)),
    Level((0.32, 0.20, 0.20), (0.265, 0.165, 0.18), (0.28, 0.195, 0.205)),
)


@dataclass(frozen=True)
class Lighting:
    """The constant lights of one room at one level."""

    level: int
    room: Vec3

    @cached_property
    def lamps(self) -> tuple[Vec3, ...]:
        """Three ceiling lamps over the middle of the room."""
        w, d, h = self.room
        return ((w * 0.19, d * 0.40, h * 1.12), (w * 0.50, d * 0.44, h * 1.16), (w * 0.81, d * 0.40, h * 1.12))

    @cached_property
    def reach2(self) -> float:
        """Squared distance at which a lamp's light is halved."""
        return (self.room[0] * 0.30) ** 2

    @cached_property
    def shade(self) -> Callable[[Vec3, Vec3], RGB]:
        """Gives what white would look like at a point with a normal, about 0..1.3 a channel."""
        return lru_cache(maxsize=2048)(self._shade)

    def _shade(self, point: Vec3, normal: Vec3) -> RGB:
        here = TABLE[self.level]
        total = 0.0
        for lamp in self.lamps:
            x, y, z = lamp[0] - point[0], lamp[1] - point[1], lamp[2] - point[2]
            d2 = x * x + y * y + z * z + 1e-6
            facing = (x * normal[0] + y * normal[1] + z * normal[2]) / sqrt(d2)
            total += max(0.0, facing * (1.0 - WRAP) + WRAP) / (1.0 + d2 / self.reach2)
        above = 0.78 + 0.22 * normal[2]
        front = max(0.0, 0.25 * normal[2] - 0.95 * normal[1])
        return (
            here.ambient[0] * above + here.fill[0] * front + here.mains[0] * total,
            here.ambient[1] * above + here.fill[1] * front + here.mains[1] * total,
            here.ambient[2] * above + here.fill[2] * front + here.mains[2] * total,
        )

    def shade_map(self, fall: Fall) -> NDArray[np.float32]:
        """The same for a whole picture, (3, h, w)."""
        here = TABLE[self.level]
        light = np.empty((3, *fall.lamps.shape), np.float32)
        for c in range(3):
            np.multiply(fall.above, here.ambient[c], out=light[c])
            light[c] += here.fill[c] * fall.front
            light[c] += here.mains[c] * fall.lamps
        return light

    def fall(self, points: NDArray[np.float32], normals: NDArray[np.float32]) -> Fall:
        """What of the lights arrives in a picture of those points and normals, (3, h, w)."""
        lamps = np.zeros(points.shape[1:], np.float32)
        for lamp in self.lamps:
            lamps += _facing(points, normals, lamp, WRAP, self.reach2)
        above = 0.78 + 0.22 * normals[2]
        return Fall(above, np.maximum(0.0, 0.25 * normals[2] - 0.95 * normals[1]), lamps)


@dataclass(frozen=True, eq=False)
class Fall:
    """How much of a level's three lights arrives at each pixel, (h, w): the same at every level."""

    above: NDArray[np.float32]
    front: NDArray[np.float32]
    lamps: NDArray[np.float32]


def response(
    points: NDArray[np.float32], normals: NDArray[np.float32], lamp: Vec3, reach: float
) -> NDArray[np.float32]:
    """How much of a white lamp of power 1 arrives at each point: (3, h, w) twice -> (h, w)."""
    return _facing(points, normals, lamp, 0.1, reach * reach)


def _facing(
    points: NDArray[np.float32], normals: NDArray[np.float32], lamp: Vec3, wrap: float, reach2: float
) -> NDArray[np.float32]:
    x, y, z = (np.float32(lamp[c]) - points[c] for c in range(3))
    d2 = x * x + y * y + z * z + np.float32(1e-6)
    facing = (x * normals[0] + y * normals[1] + z * normals[2]) / np.sqrt(d2)
    return np.asarray(
        np.maximum(np.float32(0.0), facing * np.float32(1.0 - wrap) + np.float32(wrap))
        / (np.float32(1.0) + d2 / np.float32(reach2)),
        np.float32,
    )
