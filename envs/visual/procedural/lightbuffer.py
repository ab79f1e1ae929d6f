"""Added light at a quarter of the picture's size: glows, lamps on the room, beams, bloom. Own design (renderer.md 4.4).

Everything that flickers goes through here: nothing that is kept as a sprite changes when a light does.
"""

from __future__ import annotations

from functools import lru_cache
from math import atan2, cos, pi, sin
from typing import Final

import numpy as np
from numpy.typing import NDArray

from conflictbench.envs.visual.procedural.camera import Vec2
from conflictbench.envs.visual.procedural.colours import RGB
from conflictbench.envs.visual.procedural.layers import Pixels, Raster, image, surface

Plane = NDArray[np.float32]

QUARTER: Final = 4
GLOW: Final = 90.0  # of 255, at the middle of a glow of power 1
LAMP: Final = 255.0
SMALLEST: Final = 2.5  # quarter pixels; a smaller glow would be a square
BRIGHT: Final = 150  # from here on, of 255, a pixel blooms
BLOOM: Final = 0.55


class LightBuffer:
    """One frame's added light; reused from frame to frame."""

    def __init__(self, raster: Raster, floor: NDArray[np.bool_]) -> None:
        """`floor`: where the room's floor is seen, at the size of this buffer (half size, halved again)."""
        self.raster = raster
        self.height, self.width = floor.shape
        self._floor = floor.astype(np.float32)
        self._light = np.zeros((3, self.height, self.width), np.float32)  # blue, green, red
        self._small = np.zeros((self.height, self.width, 4), np.uint8)
        self._small[:, :, 3] = 255
        self._large = np.zeros((raster.height, raster.width, 4), np.uint8)
        self._target = surface(self._large, opaque=True)
        self._spare = np.empty_like(self._large)

    def clear(self) -> None:
        """Darkness."""
        self._light[:] = 0.0

    def lamp(self, response: Plane, colour: RGB) -> None:
        """A lamp's light on the room."""
        for c in range(3):
            if colour[2 - c] > 0.002:
                self._light[c] += response * np.float32(LAMP * colour[2 - c])

    def glow(self, at: Vec2, rx: float, ry: float, colour: RGB, power: float, *, floor_only: bool = False) -> None:
        """A round light around a point; everything in pixels of the full picture."""
        rx, ry = max(rx / QUARTER, SMALLEST), max(ry / QUARTER, SMALLEST)
        kernel = _kernel(round(rx * 2), round(ry * 2))
        x0, y0 = round(at[0] / QUARTER) - kernel.shape[1] // 2, round(at[1] / QUARTER) - kernel.shape[0] // 2
        left, top = max(0, -x0), max(0, -y0)
        right, bottom = min(kernel.shape[1], self.width - x0), min(kernel.shape[0], self.height - y0)
        if right <= left or bottom <= top:
            return
        part = kernel[top:bottom, left:right] * np.float32(GLOW * power)
        rows, columns = slice(y0 + top, y0 + bottom), slice(x0 + left, x0 + right)
        if floor_only:
            part = part * self._floor[rows, columns]
        for c in range(3):
            self._light[c, rows, columns] += part * np.float32(colour[2 - c])

    def beam(self, at: Vec2, direction: float, width: float, reach: float, colour: RGB, power: float) -> None:
        """A wedge of lit haze from a point; radians, `reach` in pixels of the full picture."""
        angles, distances = _polar(self.height, self.width, round(at[0] / QUARTER), round(at[1] / QUARTER))
        off = np.abs((angles - np.float32(direction) + np.float32(pi)) % np.float32(2 * pi) - np.float32(pi))
        wedge = np.maximum(0.0, 1.0 - off / np.float32(width)) ** 2
        wedge *= np.maximum(0.0, 1.0 - distances / np.float32(reach / QUARTER))
        for c in range(3):
            self._light[c] += wedge * np.float32(GLOW * power * colour[2 - c])

    def bloom(self, frame: Pixels) -> None:
        """Bright places of a frame shine over what is beside them."""
        h, w = self.height, self.width
        tall = frame[: h * QUARTER : 2, ::2, :3]
        pairs = np.maximum(tall[::2], tall[1::2]) if tall.shape[0] % 2 == 0 else tall[::2]
        wide = np.maximum(pairs[:, ::2], pairs[:, 1::2]) if pairs.shape[1] % 2 == 0 else pairs[:, ::2]
        bright = np.maximum(wide, BRIGHT)[:h, :w]
        bright -= BRIGHT
        eighth = bright[::2, ::2].astype(np.float32)
        eighth = _blurred(_blurred(eighth))
        spread = eighth.repeat(2, axis=0).repeat(2, axis=1)[: bright.shape[0], : bright.shape[1]]
        for c in range(3):
            self._light[c, : spread.shape[0], : spread.shape[1]] += spread[:, :, c] * np.float32(BLOOM)

    def add_to(self, frame: Pixels) -> None:
        """Add this light to a frame of (h, w, 4), saturating."""
        import skia

        np.minimum(self._light, np.float32(255.0), out=self._light)
        for c in range(3):
            self._small[:, :, c] = self._light[c]
        rect = skia.Rect.MakeWH(self.width * QUARTER, self.height * QUARTER)
        sampling = skia.SamplingOptions(skia.FilterMode.kLinear)
        self._target.getCanvas().drawImageRect(image(self._small, opaque=True), rect, sampling)
        np.subtract(255, self._large, out=self._spare)
        np.minimum(frame, self._spare, out=frame)
        frame += self._large
        frame[:, :, 3] = 255


@lru_cache(maxsize=128)
def _kernel(rx2: int, ry2: int) -> Plane:
    """A soft hill of half-axes rx2 / 2 and ry2 / 2."""
    rx, ry = rx2 / 2, ry2 / 2
    x = np.arange(-int(rx), int(rx) + 1, dtype=np.float32) / np.float32(rx)
    y = np.arange(-int(ry), int(ry) + 1, dtype=np.float32) / np.float32(ry)
    hill = np.maximum(0.0, 1.0 - np.sqrt(x[None, :] ** 2 + y[:, None] ** 2))
    return np.asarray(hill * hill * (3.0 - 2.0 * hill), np.float32)


@lru_cache(maxsize=16)
def _polar(height: int, width: int, x: int, y: int) -> tuple[Plane, Plane]:
    dx = np.arange(width, dtype=np.float32)[None, :] - x
    dy = np.arange(height, dtype=np.float32)[:, None] - y
    return np.arctan2(dy, dx + 0 * dy).astype(np.float32), np.sqrt(dx * dx + dy * dy).astype(np.float32)


def _blurred(picture: Plane) -> Plane:
    """A 5 x 5 binomial blur of (h, w, 3)."""
    padded = np.pad(picture, ((2, 2), (2, 2), (0, 0)), mode="edge")
    rows = (padded[:-4] + padded[4:]) + 4 * (padded[1:-3] + padded[3:-1]) + 6 * padded[2:-2]
    both = (rows[:, :-4] + rows[:, 4:]) + 4 * (rows[:, 1:-3] + rows[:, 3:-1]) + 6 * rows[:, 2:-2]
    return np.asarray(both / np.float32(256.0), np.float32)


def sweep(turn: float, low: float, high: float) -> float:
    """A direction that swings between two angles as `turn` grows by 1."""
    return low + (high - low) * (0.5 - 0.5 * cos(2 * pi * turn))


def direction(a: Vec2, b: Vec2) -> float:
    """Radians from a to b, y downwards."""
    return atan2(b[1] - a[1], b[0] - a[0])


def pulse(turn: float, least: float = 0.25) -> float:
    """A strobe's brightness as `turn` grows by 1: a short flash, never quite dark."""
    return least + (1.0 - least) * max(0.0, sin(2 * pi * turn)) ** 2
