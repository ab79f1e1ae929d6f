"""A clip as a video file to look at: never read back, so it may lose detail, but the same frames give the same bytes.

Source of the settings: measured (docs/visual.md): x264 with a constant quantiser and one thread repeats itself, its
default rate control does not; bit-exact muxing leaves version and date out of the file.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np

from conflictbench.envs.visual.clip import Frame
from conflictbench.envs.visual.registry import extra_missing

_X264 = {"qp": "24", "preset": "veryfast", "x264-params": "threads=1:lookahead-threads=1:sliced-threads=0"}


def export_mp4(frames: Iterable[Frame], path: Path, fps: int) -> int:
    """Write frames as H.264 in an mp4 file, in one pass and by one rename; gives their number.

    Args:
        frames: uint8 (height, width, 3), all of one size; an odd side is lengthened by its last row or column, since
            the colours of video have half the resolution.
    Raises:
        NotYetAvailable: the extra `visual` is not installed.
        OSError: the file cannot be written.
    """
    try:
        import av
    except ModuleNotFoundError as error:
        raise extra_missing("an mp4 file", error) from error
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    count = 0
    try:
        # Flags of the container leave out what differs between two calls; +faststart would not work in a stream.
        with av.open(str(unfinished), "w", format="mp4", options={"fflags": "+bitexact"}) as container:
            stream = None
            for frame in _even(frames):
                if stream is None:
                    stream = container.add_stream("libx264", rate=fps, options=_X264)
                    stream.height, stream.width = frame.shape[:2]
                    stream.pix_fmt = "yuv420p"
                    stream.thread_count = 1
                    stream.time_base = Fraction(1, fps)
                    stream.codec_context.flags |= av.codec.context.Flags.bitexact
                picture = av.VideoFrame.from_ndarray(frame, format="rgb24")
                picture.pts, picture.time_base = count, Fraction(1, fps)
                container.mux(stream.encode(picture))
                count += 1
            if stream is not None:
                container.mux(stream.encode(None))
        os.replace(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)
    return count


def _even(frames: Iterable[Frame]) -> Iterator[Frame]:
    for frame in frames:
        height, width, _ = frame.shape
        odd = ((0, height % 2), (0, width % 2), (0, 0))
        yield np.ascontiguousarray(np.pad(frame, odd, "edge") if height % 2 or width % 2 else frame)
