"""Clips and their sampled frames."""

from __future__ import annotations

import numpy as np
import pytest

from conflictbench.envs.visual.clip import GEOMETRY, ArrayClip, Geometry, LazyClip, sample_indices
from conflictbench.errors import InvalidValue


def test_geometry__default_is_49_frames_of_480p_at_16_a_second() -> None:
    assert (GEOMETRY.shape, GEOMETRY.frames, GEOMETRY.seconds) == ((480, 832, 3), 49, 3.0625)


@pytest.mark.parametrize("name, value", [("width", 0), ("height", 5000), ("frames", -1), ("fps", 2.0), ("fps", True)])
def test_geometry__another_value_is_refused_by_name(name: str, value: object) -> None:
    with pytest.raises(InvalidValue, match=f"^{name} of a clip must be"):
        Geometry(**{name: value})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "frames, fps, wanted",
    [
        (49, 16, (16, 32, 48)),  # the published sampler: one a second, the first left out
        (56, 16, (16, 32, 48)),  # 7 frames after the last sample: less than half a second
        (57, 16, (16, 32, 48)),  # 8 frames: exactly half a second
        (58, 16, (16, 32, 48, 57)),
        (33, 16, (16, 32)),
        (16, 16, (15,)),  # shorter than a second: its last frame
        (5, 16, (4,)),
        (1, 16, (0,)),
        (81, 24, (24, 48, 72)),
        (90, 24, (24, 48, 72, 89)),
    ],
)
def test_sampling__of_any_length(frames: int, fps: int, wanted: tuple[int, ...]) -> None:
    geometry = Geometry(8, 8, frames, fps)
    assert sample_indices(geometry) == wanted
    assert sample_indices(geometry, include_first=True) == tuple(sorted({0, *wanted}))


def test_array_clip__gives_its_frames_and_their_geometry() -> None:
    array = np.arange(5 * 4 * 6 * 3, dtype=np.uint8).reshape(5, 4, 6, 3)
    clip = ArrayClip(array, fps=10)
    assert clip.geometry == Geometry(6, 4, 5, 10)
    assert np.array_equal(np.stack(list(clip.frames())), array)
    assert np.array_equal(clip.last, array[4])


@pytest.mark.parametrize(
    "array", [np.zeros((5, 4, 6, 3)), np.zeros((4, 6, 3), np.uint8), np.zeros((5, 4, 6, 4), np.uint8)]
)
def test_array_clip__another_shape_or_type_is_refused(array: np.ndarray) -> None:
    with pytest.raises(InvalidValue, match=r"frames are uint8 \(frames, height, width, 3\)"):
        ArrayClip(array)


@pytest.mark.parametrize("index", [-1, 5, 100])
def test_frame__outside_the_clip_is_refused(index: int) -> None:
    clip = LazyClip(Geometry(2, 2, 5, 4), lambda i: np.full((2, 2, 3), i, np.uint8))
    with pytest.raises(InvalidValue, match=f"frame {index} of a clip of 5; valid: 0..4"):
        clip.frame(index)


def test_lazy_clip__draws_a_frame_when_it_is_asked_for() -> None:
    drawn: list[int] = []

    def draw(index: int) -> np.ndarray:
        drawn.append(index)
        return np.full((2, 2, 3), index, np.uint8)

    frames = LazyClip(Geometry(2, 2, 5, 4), draw).frames()
    assert drawn == []
    assert next(frames)[0, 0, 0] == 0
    assert next(frames)[0, 0, 0] == 1
    assert drawn == [0, 1]
