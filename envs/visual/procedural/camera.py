"""A pinhole camera: metres in the room to units of the 832 x 480 design picture. Own design.

Everything is drawn in design units whatever the size of the picture; the canvas is scaled once. World axes: x to the
right, y away from the camera, z up; the room's floor is [0, width] x [0, depth] at z = 0.
"""

from __future__ import annotations

from collections.abc import Callable
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
        x, y, z = self.pos
        f = self.forward
        found = (point[0] - x) * f[0] + (point[1] - y) * f[1] + (point[2] - z) * f[2]
        return found if found > NEAR else NEAR

    @cached_property
    def project(self) -> Callable[[Vec3], Vec2]:
        """Gives the design units of a point, origin at the top left."""
        return self.projector((0.0, 0.0, 0.0))

    def projector(self, origin: Vec3) -> Callable[[Vec3], Vec2]:
        """As `project`, of points that are local to an origin: asked for so often that everything lies ready."""
        (ox, oy, oz), (cx, cy, cz) = origin, self.pos
        (f0, f1, f2), (r0, r1, r2), (u0, u1, u2) = self.forward, self.right, self.up
        focal, near, middle, half = self.focal, NEAR, DESIGN_WIDTH / 2, DESIGN_HEIGHT / 2

        def project(point: Vec3) -> Vec2:
            x, y, z = point
            x, y, z = ox + x - cx, oy + y - cy, oz + z - cz
            depth = x * f0 + y * f1 + z * f2
            k = focal / (depth if depth > near else near)
            return (middle + k * (x * r0 + y * r1 + z * r2), half - k * (x * u0 + y * u1 + z * u2))

        return project

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

    @cached_property
    def project(self) -> Callable[[Vec3], Vec2]:
        """Gives the design units of a point, origin at the billboard's foot."""
        return self.projector((0.0, 0.0, 0.0))

    def projector(self, origin: Vec3) -> Callable[[Vec3], Vec2]:
        """As `project`, of points that are local to an origin."""
        ox, oy, oz = origin
        large, sine, cosine = self.scale, self.sine, self.cosine

        def project(point: Vec3) -> Vec2:
            return ((ox + point[0]) * large, -large * ((oz + point[2]) * cosine + (oy + point[1]) * sine))

        return project

    def size(self, point: Vec3) -> float:
        """Design units of a metre: the same everywhere."""
        return self.scale

    def towards(self, point: Vec3) -> Vec3:
        """Unit vector to the eye: the same everywhere."""
        return (0.0, -self.cosine, self.sine)
