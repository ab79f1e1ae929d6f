"""Pictures that are kept: one cache of sprites, limited by bytes, and the memory they are drawn into. Own design.

Everything is BGRA with premultiplied alpha and blitted one to one at whole pixels: the only fast paths of skia's CPU
raster. A sprite is a function of its key alone, so what the cache holds never changes a picture, only its cost.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from conflictbench.envs.visual.procedural.camera import DESIGN_HEIGHT, DESIGN_WIDTH

MAX_SPRITE_BYTES: Final = 22 * 2**20
SEEN: Final = 1 << 24  # a pixel, as one word, whose alpha is not 0
PAD: Final = 4  # design units around a box: strokes, antialiasing

Pixels = NDArray[np.uint8]
Bounds = tuple[int, int, int, int]  # x0, y0, x1, y1 in pixels


@dataclass(frozen=True, eq=False)
class Picture:
    """Pixels and where their top left belongs, in pixels (of the frame, or from a billboard's foot)."""

    x: int
    y: int
    pixels: Pixels  # (h, w, 4) BGRA premultiplied
    image: Any  # the same as a skia image, without a copy


class SpriteCache:
    """Least recently used pictures, at most `limit` bytes of pixels."""

    def __init__(self, limit: int = MAX_SPRITE_BYTES) -> None:
        self.limit = limit
        self.nbytes = 0
        self._kept: OrderedDict[Hashable, Picture | None] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: Hashable, draw: Callable[[], Picture | None]) -> Picture | None:
        """The picture of a key, drawn if it is not there; None: nothing to see."""
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        made = draw()
        if self.limit:
            self._kept[key] = made
            self.nbytes += _bytes(made)
            while self.nbytes > self.limit and len(self._kept) > 1:
                self.nbytes -= _bytes(self._kept.popitem(last=False)[1])
        return made

    def clear(self) -> None:
        """Forget everything."""
        self._kept.clear()
        self.nbytes = 0


def _bytes(picture: Picture | None) -> int:
    return 256 if picture is None else picture.pixels.nbytes + 256


def surface(pixels: Pixels, *, opaque: bool = False) -> Any:
    """A skia surface that draws into an array of (h, w, 4) BGRA bytes."""
    import skia

    alpha = skia.kOpaque_AlphaType if opaque else skia.kPremul_AlphaType
    info = skia.ImageInfo.Make(pixels.shape[1], pixels.shape[0], skia.kBGRA_8888_ColorType, alpha)
    return skia.Surface.MakeRasterDirect(info, pixels)


def image(pixels: Pixels, *, opaque: bool = False) -> Any:
    """A skia image over an array, without a copy; the array must outlive it and not change."""
    import skia

    alpha = skia.kOpaque_AlphaType if opaque else skia.kPremul_AlphaType
    return skia.Image.fromarray(pixels, skia.kBGRA_8888_ColorType, alpha, copy=False)


@dataclass(frozen=True)
class Raster:
    """Size of a picture in pixels, and pixels of a design unit each way."""

    width: int
    height: int

    @property
    def sx(self) -> float:
        """Pixels of a design unit across."""
        return self.width / DESIGN_WIDTH

    @property
    def sy(self) -> float:
        """Pixels of a design unit down."""
        return self.height / DESIGN_HEIGHT

    def bounds(self, x0: float, y0: float, x1: float, y1: float, *, clip: bool = True) -> Bounds:
        """Whole pixels around a rectangle of design units, with room for strokes."""
        left, right = int((x0 - PAD) * self.sx // 1), int(-(-(x1 + PAD) * self.sx // 1))
        top, bottom = int((y0 - PAD) * self.sy // 1), int(-(-(y1 + PAD) * self.sy // 1))
        if clip:
            left, top = max(left, 0), max(top, 0)
            right, bottom = min(right, self.width), min(bottom, self.height)
        return left, top, right, bottom

    def paint(self, bounds: Bounds, draw: Callable[[Any], None], under: Pixels | None = None) -> Picture | None:
        """A picture of those bounds, trimmed to what was drawn; `draw` gets a canvas in design units.

        Args:
            under: of those bounds: what is there already, and stays as it is.
        """
        pixels = self.painted(bounds, draw, under)
        return None if pixels is None else trimmed(bounds[0], bounds[1], pixels)

    def painted(self, bounds: Bounds, draw: Callable[[Any], None], under: Pixels | None = None) -> Pixels | None:
        """As `paint`, not trimmed; None where the bounds hold nothing."""
        x0, y0, x1, y1 = bounds
        if x1 <= x0 or y1 <= y0:
            return None
        pixels = np.zeros((y1 - y0, x1 - x0, 4), np.uint8) if under is None else under.copy()
        target = surface(pixels)
        canvas = target.getCanvas()
        canvas.translate(-x0, -y0)
        canvas.scale(self.sx, self.sy)
        draw(canvas)
        target.flushAndSubmit()
        return pixels


def trimmed(x: int, y: int, pixels: Pixels) -> Picture | None:
    """A picture without its empty margins."""
    words = pixels.view(np.uint32)[:, :, 0]  # alpha in the highest byte: the greatest word has any
    rows, columns = words.max(axis=1) >= SEEN, words.max(axis=0) >= SEEN
    if not rows.any():
        return None
    top, bottom = int(rows.argmax()), len(rows) - int(rows[::-1].argmax())
    left, right = int(columns.argmax()), len(columns) - int(columns[::-1].argmax())
    kept = np.ascontiguousarray(pixels[top:bottom, left:right])
    return Picture(x + left, y + top, kept, image(kept))
