"""A frame as the bytes of a picture file that browsers and language models read. Own design."""

from __future__ import annotations

import io
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from conflictbench.envs.visual.clip import Frame
from conflictbench.envs.visual.registry import extra_missing
from conflictbench.errors import UnknownName

# name -> what Pillow is told; JPEG at the quality at which the published benchmark sends frames
FORMATS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "jpeg": MappingProxyType({"format": "JPEG", "quality": 80}),
        "png": MappingProxyType({"format": "PNG", "compress_level": 6}),
    }
)


def encode_frame(frame: Frame, name: str) -> bytes:
    """Encode a frame, uint8 (height, width, 3), in one of `FORMATS`; equal frames give equal bytes.

    Raises:
        UnknownName: no such format.
        NotYetAvailable: the extra `visual` is not installed.
    """
    if name not in FORMATS:
        raise UnknownName("image format", name, sorted(FORMATS))
    try:
        from PIL import Image
    except ModuleNotFoundError as error:
        raise extra_missing(f"a {name.upper()} picture", error) from error
    stream = io.BytesIO()
    Image.fromarray(frame).save(stream, **FORMATS[name])
    return stream.getvalue()
