"""Enlarges a small picture four times, bilinear, in integers: the same bytes on every machine. Own design.

Places are taken in sixteenths between two small pixels, weights in 256ths, and what is left over is cut off. A pixel's
four channels lie in one 64-bit word of 16 bits each, so that one sum does all four: a sum never grows over 16 bits.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

ENLARGED: Final = 4  # times; a pixel's own middle lies 2, 6, 10 and 14 sixteenths on from one small middle to the next
LEAD: Final = ENLARGED // 2  # pixels before the first small middle
STRIP: Final = 16  # small rows that are worked on at once: what belongs to them stays in the processor's own memory

Words = NDArray[np.uint64]


class Enlarger:
    """Enlarges pictures of one size; its memory is reused."""

    def __init__(self, size: tuple[int, int], large: tuple[int, int]) -> None:
        """`size`: height and width of the small pictures; `large`: of what is wanted of four times that."""
        height, width = size
        self.height, self.width = large
        self._framed = np.empty((height + 2, width + 2), np.uint64)  # the small picture, its edges repeated
        self._wide = np.empty((height + 2, (width + 1) * ENLARGED), np.uint64)
        self._sums = np.empty((STRIP, self.width), np.uint64)
        self._bytes = np.empty((STRIP, ENLARGED, self.width, 4), np.uint8)

    def strips(self, small: NDArray[np.uint16]) -> Iterator[tuple[slice, NDArray[np.uint8]]]:
        """Rows and their pixels (rows, w, 4), from the top; each valid until the next is asked for.

        Args:
            small: (h, w, 4), values 0..255.
        """
        self._widen(small.view(np.uint64)[:, :, 0])
        wide = self._wide[:, LEAD : LEAD + self.width]
        pairs = min(len(wide) - 1, -(-(self.height + LEAD) // ENLARGED))
        for first in range(0, pairs, STRIP):
            last = min(first + STRIP, pairs)
            sums, found = self._sums[: last - first].view(np.uint16), self._bytes[: last - first]
            for k, between in enumerate(_between(wide[first:last], wide[first + 1 : last + 1])):
                np.right_shift(between.view(np.uint16), 8, out=sums)
                np.copyto(found[:, k], sums.reshape(found[:, k].shape), casting="unsafe")
            pixels = found.reshape(-1, self.width, 4)
            top = first * ENLARGED - LEAD
            rows = slice(max(top, 0), min(top + len(pixels), self.height))
            yield rows, pixels[rows.start - top : rows.stop - top]

    def _widen(self, small: Words) -> None:
        framed = self._framed
        framed[1:-1, 1:-1] = small
        framed[1:-1, 0], framed[1:-1, -1] = small[:, 0], small[:, -1]
        framed[0], framed[-1] = framed[1], framed[-2]
        for k, between in enumerate(_between(framed[:, :-1], framed[:, 1:])):
            self._wide[:, k::ENLARGED] = between


def _between(a: Words, b: Words) -> Iterator[Words]:
    """16 times what lies 2, 6, 10 and 14 sixteenths on the way from a to b; each valid until the next is asked for.

    Differences of channels may be negative; in arithmetic modulo 2^64 the sums come out right all the same.
    """
    step = b - a
    step <<= np.uint64(1)
    here = a << np.uint64(4)
    here += step
    step <<= np.uint64(1)
    yield here
    for _ in range(ENLARGED - 1):
        here += step
        yield here
