"""Four times as large: by the rule in the open, and as skia does it, on pictures of any size."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from conflictbench.envs.visual.procedural.enlarging import Enlarger

SIDES = st.integers(1, 40)


def noise(height: int, width: int, seed: int) -> NDArray[np.uint16]:
    return np.random.default_rng(seed).integers(0, 256, (height, width, 4)).astype(np.uint16)


def enlarged(small: NDArray[np.uint16], height: int, width: int) -> NDArray[np.uint8]:
    made = np.zeros((height, width, 4), np.uint8)
    rows_seen = []
    for rows, pixels in Enlarger(small.shape[:2], (height, width)).strips(small):
        made[rows] = pixels
        rows_seen += range(rows.start, rows.stop)
    assert rows_seen == list(range(height))  # each once, from the top
    return made


def test_strips__a_row_of_two_pixels_is_weighed_in_sixteenths() -> None:
    small = np.zeros((1, 2, 4), np.uint16)
    small[0, 1] = 160
    # 160 times 0, 0, 2, 6, 10, 14, 16, 16 sixteenths: beyond the outer middles the edge goes on
    assert enlarged(small, 4, 8)[0, :, 0].tolist() == [0, 0, 20, 60, 100, 140, 160, 160]


@given(SIDES, SIDES, st.integers(0, 99))
def test_strips__are_the_weighted_means_of_four_neighbours_cut_to_whole_numbers(
    height: int, width: int, seed: int
) -> None:
    small = noise(height, width, seed)
    made = enlarged(small, 4 * height, 4 * width)
    y, x = seed % (4 * height), (7 * seed) % (4 * width)

    def beside(place: int, most: int) -> list[tuple[int, int]]:
        """The two small pixels beside a large one, and their sixteenths."""
        first, weight = (place - 2) // 4, 2 + 4 * ((place - 2) % 4)
        return [(min(max(first, 0), most - 1), 16 - weight), (min(max(first + 1, 0), most - 1), weight)]

    wanted = sum(
        int(small[row, column, 1]) * down * across
        for row, down in beside(y, height)
        for column, across in beside(x, width)
    )
    assert made[y, x, 1] == wanted >> 8


@given(SIDES, SIDES, st.integers(0, 3), st.integers(0, 3), st.integers(0, 99))
def test_strips__are_what_skia_makes(height: int, width: int, less_y: int, less_x: int, seed: int) -> None:
    skia = pytest.importorskip("skia", reason="the extra `visual` is not installed")
    from conflictbench.envs.visual.procedural.layers import image, surface

    small = noise(height, width, seed)
    small[:, :, 3] = 255
    large = np.zeros((4 * height - less_y, 4 * width - less_x, 4), np.uint8)
    target, pixels = surface(large, opaque=True), small.astype(np.uint8)
    rect = skia.Rect.MakeWH(4 * width, 4 * height)
    target.getCanvas().drawImageRect(image(pixels, opaque=True), rect, skia.SamplingOptions(skia.FilterMode.kLinear))
    target.flushAndSubmit()
    assert np.array_equal(enlarged(small, *large.shape[:2]), large)
