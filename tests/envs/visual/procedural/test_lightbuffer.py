"""Added light: worked out in parts and in place, it is what the plain formula over the whole picture says."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from conflictbench.envs.visual.procedural.layers import Raster
from conflictbench.envs.visual.procedural.lightbuffer import BLOOM, BRIGHT, GLOW, LightBuffer
from conflictbench.envs.visual.procedural.post import STRIP, develop, to_rgb

SIDES = st.integers(1, 70)


def buffer(height: int, width: int) -> LightBuffer:
    height_4, width_4 = (((side + 1) // 2 + 1) // 2 for side in (height, width))
    return LightBuffer(Raster(width, height), np.ones((height_4, width_4), np.bool_))


def picture(height: int, width: int, seed: int) -> NDArray[np.uint8]:
    return np.random.default_rng(seed).integers(0, 256, (height, width, 4), np.uint8)


def blurred(plane: NDArray[np.float64]) -> NDArray[np.float64]:
    weights = np.outer([1, 4, 6, 4, 1], [1, 4, 6, 4, 1]) / 256
    padded = np.pad(plane, 2, mode="edge")
    height, width = plane.shape
    return np.asarray(sum(weights[y, x] * padded[y : y + height, x : x + width] for y in range(5) for x in range(5)))


@given(SIDES, SIDES, st.integers(0, 99))
def test_bloom__is_the_blur_of_what_is_brighter_than_the_threshold(height: int, width: int, seed: int) -> None:
    lights, frame = buffer(height, width), picture(height, width, seed)
    lights.bloom(frame)
    half = frame[: lights.height * 4 : 2, ::2, :3]
    tall = np.maximum(half[::2], half[1::2]) if len(half) % 2 == 0 else half[::2]
    wide = np.maximum(tall[:, ::2], tall[:, 1::2]) if tall.shape[1] % 2 == 0 else tall[:, ::2]
    bright = np.maximum(wide, BRIGHT)[: lights.height, : lights.width] - BRIGHT
    for channel in range(3):
        spread = blurred(blurred(bright[::2, ::2, channel].astype(np.float64)))
        wanted = (spread.repeat(2, 0).repeat(2, 1) * BLOOM)[: bright.shape[0], : bright.shape[1]]
        assert lights._light[channel, : bright.shape[0], : bright.shape[1]] == pytest.approx(wanted, abs=1e-4)


@given(st.floats(-60, 140), st.floats(-60, 140), st.floats(-pi - 0.45, pi + 0.45), st.floats(1, 200))
def test_beam__is_a_wedge_about_its_direction(x: float, y: float, direction: float, reach: float) -> None:
    lights = buffer(80, 100)
    lights.beam((x, y), direction, 0.17, reach, (0.2, 0.5, 1.0), 0.8)
    down, across = np.mgrid[0 : lights.height, 0 : lights.width]
    dy, dx = down - round(y / 4), across - round(x / 4)
    off = np.abs((np.arctan2(dy, dx) - direction + pi) % (2 * pi) - pi)
    wedge = np.maximum(0, 1 - off / 0.17) ** 2 * np.maximum(0, 1 - np.hypot(dx, dy) / (reach / 4))
    for channel, colour in enumerate((1.0, 0.5, 0.2)):
        assert lights._light[channel] == pytest.approx(wedge * GLOW * 0.8 * colour, abs=2e-3)


def test_add_to__saturates_and_makes_opaque() -> None:
    lights = buffer(8, 8)
    lights._light[:] = np.array([300.0, 20.9, 0.0], np.float32)[:, None, None]  # blue, green, red
    frame = np.full((8, 8, 4), 250, np.uint8)
    lights.add_to(frame)
    assert (frame == [255, 255, 250, 255]).all()
    frame = np.full((8, 8, 4), 10, np.uint8)
    lights.add_to(frame)
    assert (frame == [255, 30, 10, 255]).all()


@pytest.mark.parametrize("height", [1, STRIP - 1, STRIP, STRIP + 1, 3 * STRIP])
@pytest.mark.parametrize("number", [0, 7])
def test_develop__does_the_same_in_strips_as_at_once(height: int, number: int) -> None:
    frame = picture(height, 33, number)
    at_once, in_strips = frame.copy(), frame.copy()
    develop(at_once, number, np.empty((height, 33, 4), np.uint16))
    develop(in_strips, number, np.empty((STRIP, 33, 4), np.uint16))
    assert np.array_equal(at_once, in_strips)


def test_develop__white_in_the_middle_is_still_white_and_black_has_grain_alone() -> None:
    white, black = np.full((120, 208, 4), 255, np.uint8), np.zeros((120, 208, 4), np.uint8)
    for frame in (white, black):
        develop(frame, 3, np.empty((STRIP, 208, 4), np.uint16))
    assert set(np.unique(black)) == {0, 1, 2, 3}
    assert white[60, 104].min() >= 254  # 255 * 256 / 256, with grain, and never over the top
    assert white[0, 0].max() < 255 * 0.9  # the corner of a vignette


def test_to_rgb__turns_the_channels_round() -> None:
    frame = np.zeros((2, 3, 4), np.uint8)
    frame[:] = (1, 2, 3, 255)
    assert (to_rgb(frame) == [3, 2, 1]).all()
