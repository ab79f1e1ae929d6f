"""Frames as picture files."""

from __future__ import annotations

import io
import sys

import numpy as np
import pytest

from conflictbench.envs.visual.encode import FORMATS, encode_frame
from conflictbench.errors import NotYetAvailable, UnknownName

FRAME = np.arange(24 * 32 * 3, dtype=np.uint32).astype(np.uint8).reshape(24, 32, 3)


@pytest.mark.parametrize("name", FORMATS)
def test_encode__is_a_picture_of_the_frame_and_the_same_bytes_again(name: str) -> None:
    from PIL import Image

    data = encode_frame(FRAME, name)
    assert data == encode_frame(FRAME.copy(), name)
    with Image.open(io.BytesIO(data)) as image:
        assert (image.format, image.size, image.mode) == (name.upper(), (32, 24), "RGB")
        exact = np.array_equal(np.array(image), FRAME)
    assert exact is (name == "png")


def test_encode__what_it_cannot_do_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnknownName, match="unknown image format 'gif'; known: jpeg, png"):
        encode_frame(FRAME, "gif")
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(NotYetAvailable, match="a PNG picture is not available yet: it needs PIL"):
        encode_frame(FRAME, "png")
