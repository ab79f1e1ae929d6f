"""The room as a picture: which surface every pixel shows, its colour, its light at each level. Own design.

Rays through the pixels meet the floor or a wall at a known point, so light is worked out by pixel (half size) instead
of by corner of some mesh, and a lamp's reach over the room is one small map (renderer.md: response maps).
"""

from __future__ import annotations

from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from conflictbench.envs.visual.procedural.camera import DESIGN_HEIGHT, DESIGN_WIDTH, Camera, Vec3
from conflictbench.envs.visual.procedural.layers import Pixels, Raster
from conflictbench.envs.visual.procedural.lighting import Fall, Lighting, response

Plane = NDArray[np.float32]

FLOOR, LEFT, RIGHT, BACK = range(4)
_NORMALS: Final = {FLOOR: (0.0, 0.0, 1.0), LEFT: (1.0, 0.0, 0.0), RIGHT: (-1.0, 0.0, 0.0), BACK: (0.0, -1.0, 0.0)}
_CORNER: Final = 0.55  # metres over which corners of the room are darker


class Surfaces:
    """What the pixels of a picture of some size show: plane, point and normal."""

    def __init__(self, camera: Camera, room: Vec3, width: int, height: int) -> None:
        xs = ((np.arange(width, dtype=np.float32) + 0.5) * (DESIGN_WIDTH / width) - DESIGN_WIDTH / 2) / camera.focal
        ys = ((np.arange(height, dtype=np.float32) + 0.5) * (DESIGN_HEIGHT / height) - DESIGN_HEIGHT / 2) / camera.focal
        f, r, u = camera.forward, camera.right, camera.up
        rays = [
            (np.float32(f[c]) + xs[None, :] * np.float32(r[c]) - ys[:, None] * np.float32(u[c])).astype(np.float32)
            for c in range(3)
        ]
        pos = camera.pos
        far = np.float32(1e6)
        with np.errstate(divide="ignore", invalid="ignore"):
            hits = np.stack(
                [
                    np.where(rays[2] < -1e-6, -np.float32(pos[2]) / rays[2], far),
                    np.where(rays[0] < -1e-6, -np.float32(pos[0]) / rays[0], far),
                    np.where(rays[0] > 1e-6, np.float32(room[0] - pos[0]) / rays[0], far),
                    np.where(rays[1] > 1e-6, np.float32(room[1] - pos[1]) / rays[1], far),
                ]
            )
        hits[hits <= 0] = far
        self.plane = hits.argmin(axis=0).astype(np.uint8)
        distance = np.minimum(hits.min(axis=0), np.float32(60.0))
        self.points = np.stack([np.float32(pos[c]) + distance * rays[c] for c in range(3)])
        self.room = room

    @property
    def normals(self) -> Plane:
        """Unit vectors out of the surfaces (3, h, w)."""
        found = np.zeros_like(self.points)
        for plane, normal in _NORMALS.items():
            for c in range(3):
                if normal[c]:
                    found[c][self.plane == plane] = normal[c]
        return found

    def corners(self) -> Plane:
        """1 in the open, less where surfaces meet."""
        x, y, z = self.points
        w, d, _ = self.room
        dark = np.ones(x.shape, np.float32)
        for plane, distances in (
            (FLOOR, (x, w - x, d - y)), (BACK, (x, w - x, z)), (LEFT, (d - y, z)), (RIGHT, (d - y, z)),
        ):  # fmt: skip
            here = self.plane == plane
            for gap in distances:
                shade = 1.0 - 0.42 * np.exp(-np.maximum(gap[here], 0.0) / np.float32(_CORNER))
                dark[here] *= shade.astype(np.float32)
        return dark


class Backdrop:
    """One room in one size of picture."""

    def __init__(self, camera: Camera, room: Vec3, raster: Raster, albedo: Pixels, rough: tuple[float, float]) -> None:
        """`albedo`: the painted room, (h, w, 4) BGRA; `rough`: grain of floor and of walls, 0..1."""
        self.room = room
        self.raster = raster
        self._half = Surfaces(camera, room, (raster.width + 1) // 2, (raster.height + 1) // 2)
        self._corners = self._half.corners() * self._haze(camera)
        self._albedo = _grained(albedo, self._half, rough)

    def _haze(self, camera: Camera) -> Plane:
        away = self._half.points[1] - np.float32(camera.pos[1])
        return np.asarray(1.0 - 0.018 * np.clip(away - 9.0, 0.0, 12.0), np.float32)

    def lit(self, level: int) -> Pixels:
        """The room under the constant lights of a level: (h, w, 4) BGRA, opaque."""
        light = Lighting(level, self.room).shade_map(self._fall)
        height, width = self.raster.height, self.raster.width
        out = np.empty((height, width, 4), np.uint8)
        out[:, :, 3] = 255
        for c in range(3):
            value = _doubled(light[2 - c] * self._corners)[:height, :width]
            value *= self._albedo[c].astype(np.float32)
            np.minimum(value, np.float32(255.0), out=value)
            out[:, :, c] = value
        return out

    @cached_property
    def _fall(self) -> Fall:
        return Lighting(0, self.room).fall(self._half.points, self._half.normals)

    @cached_property
    def quarter(self) -> Surfaces:
        """The same room at the size of the light buffer."""
        quarter = Surfaces.__new__(Surfaces)
        quarter.plane = self._half.plane[::2, ::2]
        quarter.points = np.ascontiguousarray(self._half.points[:, ::2, ::2])
        quarter.room = self.room
        return quarter

    @cached_property
    def brightness(self) -> Plane:
        """How much of a light that falls on the room comes back, at the size of the light buffer."""
        h, w = self.quarter.plane.shape
        grey = self._albedo[:, ::4, ::4].sum(axis=0, dtype=np.float32)[:h, :w] / np.float32(3 * 255.0)
        return np.asarray(grey * self._corners[::2, ::2][:h, :w], np.float32)

    def response(self, lamp: Vec3, reach: float) -> Plane:
        """What a white lamp of power 1 adds, 0..1, at the size of the light buffer."""
        found = response(self.quarter.points, self.quarter.normals, lamp, reach)
        return np.asarray(found * self.brightness, np.float32)


def _grained(albedo: Pixels, half: Surfaces, rough: tuple[float, float]) -> Pixels:
    """The painted room with the grain of its materials: (3, h, w) B, G, R."""
    texture = _texture()
    x, y, z = half.points
    floor = half.plane == FLOOR
    side = (half.plane == LEFT) | (half.plane == RIGHT)
    along = np.where(side, y, x)
    away = np.where(floor, y, z)
    size = texture.shape[0]
    fine = texture[(away * 61).astype(np.int32) % size, (along * 61).astype(np.int32) % size]
    broad = texture[(away * 7).astype(np.int32) % size, (along * 7).astype(np.int32) % size]
    strength = np.where(floor, np.float32(rough[0]), np.float32(rough[1]))
    grain = 1.0 + strength * (np.float32(0.55) * fine + np.float32(0.7) * broad)
    height, width = albedo.shape[:2]
    full = _doubled(grain.astype(np.float32))[:height, :width]
    return np.stack([np.clip(albedo[:, :, c] * full, 0.0, 255.0).astype(np.uint8) for c in range(3)])


def _doubled(small: Plane) -> Plane:
    """Twice the size, bilinear."""
    height, width = small.shape
    tall = np.empty((height * 2, width), np.float32)
    most, least = np.float32(0.75) * small, np.float32(0.25) * small
    _beside(most, least, tall[::2], tall[1::2])
    wide = np.empty((height * 2, width * 2), np.float32)
    most, least = np.float32(0.75) * tall, np.float32(0.25) * tall
    _beside(most.T, least.T, wide[:, ::2].T, wide[:, 1::2].T)
    return wide


def _beside(most: Plane, least: Plane, first: Plane, second: Plane) -> None:
    """Rows between rows: each with a share of the one before, and of the one after; the edges with their own."""
    np.add(most[1:], least[:-1], out=first[1:])
    np.add(most[0], least[0], out=first[0])
    np.add(most[:-1], least[1:], out=second[:-1])
    np.add(most[-1], least[-1], out=second[-1])


_TEXTURE: list[Plane] = []


def _texture() -> Plane:
    """Tileable value noise in -0.5..0.5, 256 x 256, made once a process from an integer hash."""
    if not _TEXTURE:
        total = np.zeros((256, 256), np.float32)
        for octave, weight in ((8, 0.36), (32, 0.34), (128, 0.30)):
            total += np.float32(weight) * _resized(hashed(octave, octave, octave), 256 // octave)
        _TEXTURE.append(total - np.float32(total.mean()))
    return _TEXTURE[0]


def hashed(height: int, width: int, salt: int) -> Plane:
    """White noise in 0..1 from a 32-bit integer hash of position and salt."""
    rows = np.arange(height, dtype=np.uint32)[:, None] * np.uint32(0x9E3779B1)
    value = rows + np.arange(width, dtype=np.uint32)[None, :] * np.uint32(0x85EBCA77) + np.uint32(salt * 7919 + 17)
    value ^= value >> np.uint32(15)
    value *= np.uint32(0x2C1B3C6D)
    value ^= value >> np.uint32(12)
    value *= np.uint32(0x297A2D39)
    value ^= value >> np.uint32(15)
    return np.asarray((value >> np.uint32(8)).astype(np.float32) / np.float32(2**24), np.float32)


def _resized(small: Plane, factor: int) -> Plane:
    """Bilinear, wrapping around."""
    if factor == 1:
        return small
    weights = (np.arange(factor, dtype=np.float32) / factor)[None, :]
    rows = (small[:, None, :] * (1 - weights.T[None])) + np.roll(small, -1, axis=0)[:, None, :] * weights.T[None]
    tall = rows.reshape(-1, small.shape[1])
    both = tall[:, :, None] * (1 - weights[None]) + np.roll(tall, -1, axis=1)[:, :, None] * weights[None]
    return np.asarray(both.reshape(tall.shape[0], -1), np.float32)
