"""A clip: frames of one size, made when asked for and handed out one at a time. Own design.

A clip of 49 frames is 59 MB, so nothing here collects frames. Which frames a model sees follows ConflictBench
appendix A.3 and the published sampler: one a second, the first left out.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from conflictbench.errors import InvalidValue

Frame = NDArray[np.uint8]  # (height, width, 3) RGB

MAX_SIDE = 4096  # pixels; WebP, which keeps frames, ends at 16383
MAX_FRAMES = 100_000


@dataclass(frozen=True)
class Geometry:
    """Size and length of a clip; the default is ConflictBench's (480p, 49 frames at 16 a second)."""

    width: int = 832
    height: int = 480
    frames: int = 49
    fps: int = 16

    def __post_init__(self) -> None:
        for name, most in (("width", MAX_SIDE), ("height", MAX_SIDE), ("frames", MAX_FRAMES), ("fps", 1_000)):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
                raise InvalidValue(f"{name} of a clip must be a whole number from 1 to {most:,}, not {value!r}")

    @property
    def seconds(self) -> float:
        """Length of a clip in seconds."""
        return self.frames / self.fps

    @property
    def shape(self) -> tuple[int, int, int]:
        """Shape of one frame."""
        return (self.height, self.width, 3)


GEOMETRY = Geometry()


class Clip(ABC):
    """Frames in order. An array once handed out is not written to again, so a caller may keep it."""

    geometry: Geometry

    @abstractmethod
    def frame(self, index: int) -> Frame:
        """Frame `index` of 0..frames-1, uint8 (height, width, 3).

        Raises:
            InvalidValue: there is no such frame.
        """

    def frames(self) -> Iterator[Frame]:
        """Every frame in order, each made when it is asked for."""
        return (self.frame(index) for index in range(self.geometry.frames))

    @property
    def last(self) -> Frame:
        """The last frame: the one that the next clip continues."""
        return self.frame(self.geometry.frames - 1)

    def _checked(self, index: int) -> int:
        if not 0 <= index < self.geometry.frames:
            raise InvalidValue(
                f"frame {index!r} of a clip of {self.geometry.frames}; valid: 0..{self.geometry.frames - 1}"
            )
        return index


class ArrayClip(Clip):
    """Frames that exist already, as a video model returns them."""

    def __init__(self, array: NDArray[np.uint8], fps: int = GEOMETRY.fps) -> None:
        """Wrap `array`, uint8 (frames, height, width, 3).

        Raises:
            InvalidValue: another shape or type.
        """
        if array.dtype != np.uint8 or array.ndim != 4 or array.shape[3] != 3:
            raise InvalidValue(f"frames are uint8 (frames, height, width, 3), not {array.dtype} {array.shape}")
        count, height, width, _ = array.shape
        self.geometry = Geometry(width, height, count, fps)
        self._array = array

    def frame(self, index: int) -> Frame:
        """As `Clip.frame`."""
        frame: Frame = self._array[self._checked(index)]
        return frame


class LazyClip(Clip):
    """Frames that are drawn when asked for; nothing is kept, so a frame asked for twice is drawn twice."""

    def __init__(self, geometry: Geometry, draw: Callable[[int], Frame]) -> None:
        """`draw(index)` gives a frame that is its caller's own."""
        self.geometry = geometry
        self._draw = draw

    def frame(self, index: int) -> Frame:
        """As `Clip.frame`."""
        return self._draw(self._checked(index))


def sample_indices(geometry: Geometry = GEOMETRY, *, include_first: bool = False) -> tuple[int, ...]:
    """The frames that a model sees: one a second from the second second on; 16, 32, 48 of 49 at 16 a second.

    The last frame is added where more than half a second would go unseen before the end.
    """
    taken = list(range(geometry.fps, geometry.frames, geometry.fps))
    last = geometry.frames - 1
    if last - (taken[-1] if taken else 0) > geometry.fps / 2 or not taken:
        taken.append(last)
    return tuple(sorted({0, *taken})) if include_first else tuple(taken)
