"""A pinhole camera: metres in the room to units of the 832 x 480 design picture. Own design.

Everything is drawn in design units whatever the size of the picture; the canvas is scaled once. World axes: x to the
right, y away from the camera, z up; the room's floor is [0, width] x [0, depth] at z = 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import radians, sqrt, tan
from typing import Final

DESIGN_WIDTH: Final = 832
DESIGN_HEIGHT: Final = 480
NEAR: Final = 0.2  # metres; nothing nearer is ever projected

Vec2 = tuple[float, float]
Vec3 = tuple[float, float, float]


def add(a: Vec3, b: Vec3) -> Vec3:
    """a + b."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def sub(a: Vec3, b: Vec3) -> Vec3:
    """a - b."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def scale(a: Vec3, k: float) -> Vec3:
    """k a."""
    return (a[0] * k, a[1] * k, a[2] * k)


def dot(a: Vec3, b: Vec3) -> float:
    """The scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Vec3, b: Vec3) -> Vec3:
    """The vector product."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def length(a: Vec3) -> float:
    """Euclidean length."""
    return sqrt(dot(a, a))


def unit(a: Vec3) -> Vec3:
    """a at length 1; a zero vector points up."""
    size = length(a)
    return scale(a, 1.0 / size) if size > 1e-9 else (0.0, 0.0, 1.0)


def lerp(a: Vec3, b: Vec3, x: float) -> Vec3:
    """a at x = 0, b at x = 1."""
    return (a[0] + (b[0] - a[0]) * x, a[1] + (b[1] - a[1]) * x, a[2] + (b[2] - a[2]) * x)


@dataclass(frozen=True)
class Camera:
    """Where it stands, what it looks at, and its horizontal field of view in degrees."""

    pos: Vec3
    look_at: Vec3
    fov: float

    @cached_property
    def forward(self) -> Vec3:
        """Unit vector into the picture."""
        return unit(sub(self.look_at, self.pos))

    @cached_property
    def right(self) -> Vec3:
        """Unit vector to the right of the picture."""
        return unit(cross(self.forward, (0.0, 0.0, 1.0)))

    @cached_property
    def up(self) -> Vec3:
        """Unit vector to the top of the picture."""
        return cross(self.right, self.forward)

    @cached_property
    def focal(self) -> float:
        """Design units a metre covers at one metre's distance."""
        return DESIGN_WIDTH / 2 / tan(radians(self.fov) / 2)

    def depth(self, point: Vec3) -> float:
        """Metres before the camera's plane, at least `NEAR`."""
        return max(dot(sub(point, self.pos), self.forward), NEAR)

    def project(self, point: Vec3) -> Vec2:
        """Design units of a point, origin at the top left."""
        px, py, pz = point[0] - self.pos[0], point[1] - self.pos[1], point[2] - self.pos[2]
        f, r, u = self.forward, self.right, self.up
        k = self.focal / max(px * f[0] + py * f[1] + pz * f[2], NEAR)
        x = DESIGN_WIDTH / 2 + k * (px * r[0] + py * r[1] + pz * r[2])
        return (x, DESIGN_HEIGHT / 2 - k * (px * u[0] + py * u[1] + pz * u[2]))

    def size(self, point: Vec3) -> float:
        """Design units that one metre covers at a point, across the line of sight."""
        return self.focal / self.depth(point)

    def towards(self, point: Vec3) -> Vec3:
        """Unit vector from a point to the camera."""
        return unit(sub(self.pos, point))


@dataclass(frozen=True)
class Upright:
    """The local view of a billboard: parallel rays, one scale, as steep as the camera that it stands in for."""

    scale: float  # design units of a metre
    sine: float  # of the camera's downward angle
    cosine: float

    def project(self, point: Vec3) -> Vec2:
        """Design units, origin at the billboard's foot."""
        return (point[0] * self.scale, -self.scale * (point[2] * self.cosine + point[1] * self.sine))

    def size(self, point: Vec3) -> float:
        """Design units of a metre: the same everywhere."""
        return self.scale

    def towards(self, point: Vec3) -> Vec3:
        """Unit vector to the eye: the same everywhere."""
        return (0.0, -self.cosine, self.sine)
