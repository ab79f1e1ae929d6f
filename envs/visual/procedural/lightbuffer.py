"""Added light at a quarter of the picture's size: glows, lamps on the room, beams, bloom. Own design (renderer.md 4.4).

Everything that flickers goes through here: nothing that is kept as a sprite changes when a light does.
"""

from __future__ import annotations

from functools import lru_cache
from math import atan2, ceil, cos, pi, sin
from typing import Final

import numpy as np
from numpy.typing import NDArray

from conflictbench.envs.visual.procedural.camera import Vec2
from conflictbench.envs.visual.procedural.colours import RGB
from conflictbench.envs.visual.procedural.enlarging import ENLARGED, STRIP, Enlarger
from conflictbench.envs.visual.procedural.layers import Pixels, Raster

Plane = NDArray[np.float32]

QUARTER: Final = ENLARGED
TURN: Final = np.float32(2 * pi)
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
        self._small = np.zeros((self.height, self.width, 4), np.uint16)
        self._small[:, :, 3] = 255
        self._enlarger = Enlarger((self.height, self.width), (raster.height, raster.width))
        self._room_left = np.empty((STRIP * QUARTER, raster.width, 4), np.uint8)

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
        self._light[:, rows, columns] += part * _channels(colour)

    def beam(self, at: Vec2, direction: float, width: float, reach: float, colour: RGB, power: float) -> None:
        """A wedge of lit haze from a point; radians, `reach` in pixels of the full picture."""
        x, y, radius = round(at[0] / QUARTER), round(at[1] / QUARTER), ceil(reach / QUARTER)
        rows = slice(max(y - radius, 0), max(min(y + radius + 1, self.height), 0))  # beyond its reach it is dark
        columns = slice(max(x - radius, 0), max(min(x + radius + 1, self.width), 0))
        angles, distances = _polar(self.height, self.width, x, y)
        off = angles[rows, columns] - np.float32(direction)
        off += np.float32(pi)
        below, above = off < 0, off >= TURN
        off += below * TURN
        off -= above * TURN
        off -= np.float32(pi)
        np.abs(off, out=off)
        wedge = np.maximum(0.0, 1.0 - off / np.float32(width)) ** 2
        wedge *= np.maximum(0.0, 1.0 - distances[rows, columns] / np.float32(reach / QUARTER))
        for c in range(3):
            self._light[c, rows, columns] += wedge * np.float32(GLOW * power * colour[2 - c])

    def bloom(self, frame: Pixels) -> None:
        """Bright places of a frame shine over what is beside them; of every 8 x 8 pixels four are looked at."""
        pixels = frame.view(np.uint32)[:, :, 0]
        rows, tall = _looked_at(min(frame.shape[0], self.height * QUARTER), self.height)
        columns, wide = _looked_at(frame.shape[1], self.width)
        count_down, count_across = (tall + 1) // 2, (wide + 1) // 2
        found = np.zeros((count_down, count_across, 4), np.uint8)
        for row in rows:
            line = pixels[row :: 2 * QUARTER][:count_down]
            for column in columns:
                seen = np.ascontiguousarray(line[:, column :: 2 * QUARTER][:, :count_across])
                np.maximum(found, seen.view(np.uint8).reshape(found.shape), out=found)
        bright = np.maximum(found[:, :, :3], BRIGHT)
        bright -= BRIGHT
        if not bright.any():
            return
        spread = _blurred(_blurred(np.ascontiguousarray(bright.transpose(2, 0, 1), np.float32)))
        spread *= np.float32(BLOOM)
        self._light[:, :tall, :wide] += spread.repeat(2, axis=1).repeat(2, axis=2)[:, :tall, :wide]

    def add_to(self, frame: Pixels) -> None:
        """Add this light to a frame of (h, w, 4), saturating; it is opaque then."""
        np.minimum(self._light, np.float32(255.0), out=self._light)
        for c in range(3):
            np.copyto(self._small[:, :, c], self._light[c], casting="unsafe")
        for rows, light in self._enlarger.strips(self._small):
            part, room_left = frame[rows], self._room_left[: len(light)]
            np.subtract(255, light, out=room_left)
            np.minimum(part, room_left, out=part)
            part += light


def _looked_at(size: int, quarters: int) -> tuple[tuple[int, ...], int]:
    """Of a side of so many pixels: which of every eight are looked at, and how many quarter pixels that is about."""
    halves = (size + 1) // 2
    if halves % 2:  # the last one has no neighbour
        return (0,), min((halves + 1) // 2, quarters)
    return (0, 2), min(halves // 2, quarters)


@lru_cache(maxsize=256)
def _channels(colour: RGB) -> Plane:
    """Blue, green, red, as (3, 1, 1)."""
    return np.array(colour[::-1], np.float32).reshape(3, 1, 1)


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
    """A 5 x 5 binomial blur of (3, h, w), edges repeated; every sum of 256ths of 255 is exact in float32."""
    channels, height, width = picture.shape
    sums = np.empty((channels, height + 4, width + 4), np.float32)
    sums[:, 2:-2, 2:-2] = picture
    sums[:, 2:-2, :2], sums[:, 2:-2, -2:] = picture[:, :, :1], picture[:, :, -1:]
    sums[:, :2], sums[:, -2:] = sums[:, 2:3], sums[:, -3:-2]
    for _ in range(4):  # four sums of neighbours are weighted 1, 4, 6, 4, 1
        sums = sums[:, :-1] + sums[:, 1:]
    for _ in range(4):
        sums = sums[:, :, :-1] + sums[:, :, 1:]
    sums /= np.float32(256.0)
    return sums


def sweep(turn: float, low: float, high: float) -> float:
    """A direction that swings between two angles as `turn` grows by 1."""
    return low + (high - low) * (0.5 - 0.5 * cos(2 * pi * turn))


def direction(a: Vec2, b: Vec2) -> float:
    """Radians from a to b, y downwards."""
    return atan2(b[1] - a[1], b[0] - a[0])


def pulse(turn: float, least: float = 0.25) -> float:
    """A strobe's brightness as `turn` grows by 1: a short flash, never quite dark."""
    return least + (1.0 - least) * max(0.0, sin(2 * pi * turn)) ** 2
