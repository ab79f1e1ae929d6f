"""How much of each thing a picture shows, from the very items that the picture is drawn from. Source: visual.md 3.4.

An item is covered where a solid one is drawn after it; what is see-through covers nothing and is measured by itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from conflictbench.envs.visual.procedural.identity import FAINT, SOLID, item_alpha
from conflictbench.envs.visual.procedural.stage import Item, Stage

Mask: TypeAlias = NDArray[np.bool_]
OVERLAY = "the overlay"  # as what covers a thing; no entity is called so


@dataclass(frozen=True)
class Seen:
    """One thing in one picture, in pixels of the standard size (832 x 480)."""

    alone: float  # if nothing else were there
    visible: float  # of it: neither covered by anything solid nor by what the overlay prints
    edge: float  # on the very edge of the picture: the rest is cut off
    covers: tuple[str, ...] = ()  # what covers it, most first

    @property
    def share(self) -> float:
        """Of it that is visible."""
        return self.visible / self.alone if self.alone else 0.0


class Layers:
    """The items of one moment, from far to near."""

    def __init__(self, stage: Stage, items: Sequence[Item], printed: Mask) -> None:
        """`printed`: (h, w), where the overlay may print."""
        self.shape = (stage.raster.height, stage.raster.width)
        self.items = items
        self._printed = printed
        self._scale = 1.0 / (stage.raster.sx * stage.raster.sy)
        self._side = 1.0 / stage.raster.sy
        self._solid = [self._placed(*item_alpha(stage, item)) for item in items]
        self._top = np.zeros(self.shape, np.int32)  # 1 + the last solid item
        for number, (item, (rows, columns, alpha)) in enumerate(zip(items, self._solid, strict=True), 1):
            if not item.veil:
                self._top[rows, columns][alpha >= SOLID] = number

    def seen(self, wanted: Callable[[Item], bool]) -> Seen:
        """What is seen of some items together."""
        alone, visible = np.zeros(self.shape, np.bool_), np.zeros(self.shape, np.bool_)
        covers: Counter[str] = Counter()
        for number, item in enumerate(self.items, 1):
            if not wanted(item):
                continue
            rows, columns, alpha = self._solid[number - 1]
            there = alpha >= (FAINT if item.veil else SOLID)
            top = self._top[rows, columns]
            alone[rows, columns] |= there
            visible[rows, columns] |= there & (top <= number)
            for other, times in zip(*np.unique(top[there & (top > number)], return_counts=True), strict=True):
                if not wanted(by := self.items[other - 1]):
                    covers[by.node.id] += int(times)
        visible &= ~self._printed
        if (under := int((alone & self._printed).sum())) > 0:
            covers[OVERLAY] += under
        edge = max(alone[0].sum(), alone[-1].sum(), alone[:, 0].sum(), alone[:, -1].sum())
        return Seen(
            float(alone.sum()) * self._scale,
            float(visible.sum()) * self._scale,
            float(edge) * self._side,
            tuple(name for name, _ in covers.most_common(3)),
        )

    def touched(self, names: Iterable[str]) -> Mask:
        """Every pixel that some of these things colour at all, covered or not."""
        wanted = frozenset(names)
        mask = np.zeros(self.shape, np.bool_)
        for item, (rows, columns, alpha) in zip(self.items, self._solid, strict=True):
            if item.node.id in wanted:
                mask[rows, columns] |= alpha > 0
        return mask

    def before(self, row: int, column: int) -> str | None:
        """What stands before the floor at a pixel: a thing, or what the overlay prints; None where it is clear."""
        if self._printed[row, column]:
            return OVERLAY
        number = int(self._top[row, column])
        return self.items[number - 1].node.id if number else None

    def _placed(self, alpha: NDArray[np.uint8], x: int, y: int) -> tuple[slice, slice, NDArray[np.uint8]]:
        height, width = self.shape
        left, top = max(0, -x), max(0, -y)
        right, bottom = max(left, min(alpha.shape[1], width - x)), max(top, min(alpha.shape[0], height - y))
        if right <= left or bottom <= top:
            return slice(0, 0), slice(0, 0), np.zeros((0, 0), np.uint8)
        rows, columns = slice(y + top, y + bottom), slice(x + left, x + right)
        return rows, columns, alpha[top:bottom, left:right]


def dilated(mask: Mask, by: int) -> Mask:
    """A mask grown by so many pixels each way."""
    grown = mask.copy()
    for _ in range(by):
        grown[1:] |= grown[:-1]
        grown[:-1] |= grown[1:]
    for _ in range(by):
        grown[:, 1:] |= grown[:, :-1]
        grown[:, :-1] |= grown[:, 1:]
    return grown
