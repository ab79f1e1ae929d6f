"""What a camera does to a picture: vignette, scan lines, grain, shake, and a torn feed. Own design; integers only."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from conflictbench.envs.visual.procedural.backdrop import hashed
from conflictbench.envs.visual.procedural.layers import Pixels
from conflictbench.envs.visual.procedural.noise import noise

STRIP: Final = 48  # rows that are worked on at once
GRAIN_MOVES: Final = 32  # pixels: one grain, laid on anew in every frame


def develop(frame: Pixels, number: int, wide: NDArray[np.uint16]) -> None:
    """Vignette, scan lines and grain, in place.

    Args:
        number: counts the frames of the episode.
        wide: memory of any number of the frame's rows, overwritten.
    """
    height, width = frame.shape[:2]
    down, across = (int(noise("grain", number, axis) * GRAIN_MOVES) for axis in ("y", "x"))
    dimming = _dimming(height, width)
    grain, room_left = (
        whole[down : down + height, across : across + width]
        for whole in _grain(height + GRAIN_MOVES, width + GRAIN_MOVES)
    )
    for top in range(0, height, len(wide)):  # in strips that stay in the processor's own memory
        rows = slice(top, top + len(wide))
        part, sums = frame[rows], wide[: height - top]
        np.copyto(sums, part)  # one type throughout: mixed ones are converted piece by piece, at ten times the price
        sums *= dimming[rows]
        sums >>= 8
        np.copyto(part, sums, casting="unsafe")
        np.minimum(part, room_left[rows], out=part)  # in bytes: of wider numbers the least is found one by one
        part += grain[rows]


def shake(frame: Pixels, strength: float, number: int) -> None:
    """Move the whole picture by up to `strength` pixels, edges repeated."""
    dx = round((noise("shake", number, "x") * 2 - 1) * strength)
    dy = round((noise("shake", number, "y") * 2 - 1) * strength)
    if dx:
        frame[:] = np.roll(frame, dx, axis=1)
        frame[:, : max(dx, 0)] = frame[:, max(dx, 0) : max(dx, 0) + 1]
        if dx < 0:
            frame[:, dx:] = frame[:, dx - 1 : dx]
    if dy:
        frame[:] = np.roll(frame, dy, axis=0)
        frame[: max(dy, 0)] = frame[max(dy, 0) : max(dy, 0) + 1]
        if dy < 0:
            frame[dy:] = frame[dy - 1 : dy]


def tear(frame: Pixels, strength: float, number: int) -> None:
    """A damaged feed: bands of rows shifted sideways, colours apart, snow, lost lines; strength 0..1, in place."""
    height, width = frame.shape[:2]
    bands = 2 + round(7 * strength)
    for band in range(bands):
        if noise("tear", number, band, "on") > 0.35 + 0.5 * strength:
            continue
        top = int(noise("tear", number // 2, band, "y") * height)
        tall = max(1, int(height * (0.01 + 0.09 * strength * noise("tear", number // 2, band, "h"))))
        move = int((noise("tear", number, band, "x") * 2 - 1) * width * 0.11 * strength)
        rows = frame[top : top + tall]
        rows[:] = np.roll(rows, move, axis=1)
        if noise("tear", number, band, "snow") < 0.5 * strength:
            snow = hashed(rows.shape[0], width, number * 31 + band)
            grey = (snow * 190).astype(np.uint8)
            rows[:, :, :3] = (rows[:, :, :3] >> 1) + (grey[:, :, None] >> 1)
    apart = max(1, round(width * 0.006 * strength))
    frame[:, apart:, 2] = frame[:, :-apart, 2].copy()
    lost = hashed(height, 1, number)[:, 0] < 0.05 * strength
    frame[lost, :, :3] >>= 2


def to_rgb(frame: Pixels) -> Pixels:
    """A new array of (h, w, 3) RGB."""
    out = np.empty((*frame.shape[:2], 3), np.uint8)
    for c in range(3):
        out[:, :, c] = frame[:, :, 2 - c]
    return out


@lru_cache(maxsize=4)
def _dimming(height: int, width: int) -> NDArray[np.uint16]:
    """Vignette and scan lines as 1/256 of brightness."""
    x = np.linspace(-1.0, 1.0, width, dtype=np.float32)[None, :]
    y = np.linspace(-1.0, 1.0, height, dtype=np.float32)[:, None]
    vignette = 1.0 - 0.34 * np.clip(x * x * 0.8 + y * y * 0.7 - 0.18, 0.0, 1.0)
    lines = np.ones((height, 1), np.float32)
    if height >= 240:
        lines[::2] = 0.965
    both = np.rint(vignette * lines * 256).astype(np.uint16)
    return np.ascontiguousarray(np.repeat(both[:, :, None], 4, axis=2))


@lru_cache(maxsize=4)
def _grain(height: int, width: int) -> tuple[Pixels, Pixels]:
    """What is added to every channel, and how bright it may be before."""
    grey = (hashed(height, width, 101) * 4).astype(np.uint8)
    grain = np.ascontiguousarray(np.repeat(grey[:, :, None], 4, axis=2))
    return grain, 255 - grain
