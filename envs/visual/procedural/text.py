"""Letters: the fonts that ship with the package, loaded once a process; system fonts are never asked. Own design.

fonts/ holds subsets (Latin, arrows, blocks) of the DejaVu fonts, with their licence.
"""

from __future__ import annotations

from functools import cache, lru_cache
from hashlib import blake2b
from importlib.resources import files
from typing import Any, Final

FACES: Final = {
    "sans": "DejaVuSans.subset.ttf",
    "bold": "DejaVuSans-Bold.subset.ttf",
    "mono": "DejaVuSansMono.subset.ttf",
    "mono_bold": "DejaVuSansMono-Bold.subset.ttf",
}
_FOLDER = "conflictbench.envs.visual.procedural"


@cache
def _bytes(face: str) -> bytes:
    return files(_FOLDER).joinpath("fonts", FACES[face]).read_bytes()


@cache
def fonts_digest() -> str:
    """8 hex digits over all font files: they change pixels, so they are part of the backend's id."""
    digest = blake2b(digest_size=4)
    for face in sorted(FACES):
        digest.update(_bytes(face))
    return digest.hexdigest()


@cache
def _typeface(face: str) -> Any:
    import skia

    manager = skia.FontMgr.New_Custom_Empty()  # the default one would read the system's font settings
    return manager.makeFromData(skia.Data.MakeWithCopy(_bytes(face)))


@lru_cache(maxsize=256)
def font(face: str, size: float) -> Any:
    """A skia font without hinting, so that it looks the same at every place and scale."""
    import skia

    made = skia.Font(_typeface(face), size)
    made.setEdging(skia.Font.Edging.kAntiAlias)
    made.setHinting(skia.FontHinting.kNone)
    made.setSubpixel(True)
    return made


@lru_cache(maxsize=4096)
def width(text: str, face: str, size: float) -> float:
    """Advance of a text in units of its size."""
    return float(font(face, size).measureText(text))


def fitted(text: str, face: str, size: float, room: float) -> float:
    """The size at which the text is at most `room` wide, never more than `size`."""
    wide = width(text, face, size)
    return size if wide <= room else size * room / wide
