"""One frame as a file, without loss: WebP, which was the smallest and among the quickest measured. Own design.

832x480 with grain: WebP at its quickest 15-25 ms and 430 KiB, PNG at level 1 25 ms and 600 KiB; ten equal encodings
gave equal bytes with either. The digest of a frame is taken over its pixels, so another encoder changes no digest.
"""

from __future__ import annotations

import hashlib
import io

import numpy as np

from conflictbench.envs.visual.clip import Frame
from conflictbench.envs.visual.registry import extra_missing


def still_name(index: int) -> str:
    """Name of the file of a frame."""
    return f"f{index:04d}.webp"


def encode_still(frame: Frame) -> bytes:
    """The frame as lossless WebP.

    Raises:
        NotYetAvailable: the extra `visual` is not installed.
    """
    try:
        from PIL import Image
    except ModuleNotFoundError as error:
        raise extra_missing("the clip store", error) from error
    stream = io.BytesIO()
    # Effort 0 of 0..100: more of it takes up to 300 ms and saves a tenth.
    Image.fromarray(frame).save(stream, "WEBP", lossless=True, method=0, quality=0)
    return stream.getvalue()


def decode_still(data: bytes) -> Frame:
    """The frame of a still, uint8 (height, width, 3).

    Raises:
        ValueError: the bytes are no WebP picture.
        NotYetAvailable: the extra `visual` is not installed.
    """
    try:
        from PIL import Image, UnidentifiedImageError
    except ModuleNotFoundError as error:
        raise extra_missing("the clip store", error) from error
    try:
        with Image.open(io.BytesIO(data), formats=("WEBP",)) as image:
            return np.array(image.convert("RGB"))
    except (UnidentifiedImageError, OSError) as error:
        raise ValueError(f"not a WebP picture: {error}") from error


def pixel_digest(frame: Frame) -> str:
    """64 hex digits over the pixels and the shape of a frame."""
    digest = hashlib.sha256(f"{frame.shape[0]}x{frame.shape[1]};".encode())
    digest.update(np.ascontiguousarray(frame).data)
    return digest.hexdigest()
