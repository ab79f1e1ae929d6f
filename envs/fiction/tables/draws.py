"""Which scenario each world of a vector plays next: the scalar draw, for all at once. Source: see `scenario_draw`."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from conflictbench.envs.fiction.scenario_draw import GAMMA, MIXERS, SHIFTS

_ONE = np.array(1)  # as an array: NumPy takes half a microsecond to make one of a Python number, each time
Chosen = Callable[[NDArray[np.uint64]], NDArray[np.int64]]


def splitmix64_rows(seeds: NDArray[np.uint64], k: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """`splitmix64(seed, k)` element by element; arithmetic modulo 2**64, shapes broadcast."""
    with np.errstate(over="ignore"):
        z = seeds + (k + np.uint64(1)) * np.uint64(GAMMA)
        for shift, mixer in zip(SHIFTS, MIXERS, strict=False):
            z = (z ^ (z >> np.uint64(shift))) * np.uint64(mixer)
        mixed: NDArray[np.uint64] = z ^ (z >> np.uint64(SHIFTS[-1]))
    return mixed


class Draws:
    """Positions in the sorted list of scenarios, or what else is made of the draws, for each world's next resets.

    One call of NumPy costs as much for a block of resets as for one, so they are drawn ahead.
    """

    BLOCK = 64

    def __init__(self, seeds: NDArray[np.uint64], chosen: int | Chosen) -> None:
        """World i has seed `seeds[i]` and begins with k = 0.

        Args:
            chosen: the number of scenarios; or a function from draws to what they choose, shapes alike.
        """
        self._seeds, self._chosen = seeds.copy(), chosen
        self.k = np.zeros(len(seeds), np.int64)  # of the last draw
        self._block = np.zeros((len(seeds), self.BLOCK), np.int64)
        self._begins = np.zeros(len(seeds), np.int64)  # k of the first column
        self._rows = np.arange(len(seeds)) * self.BLOCK
        self._draw(np.arange(len(seeds)))

    @property
    def seeds(self) -> NDArray[np.uint64]:
        """Of each world."""
        return self._seeds

    def current(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Positions of these worlds' last draws."""
        positions: NDArray[np.int64] = self._block[rows, self.k[rows] - self._begins[rows]]
        return positions

    def advance(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """One more reset for each of these worlds, and what it draws; `rows` has none of them twice."""
        k = self.k.take(rows)
        k += _ONE
        self.k[rows] = k
        column = k - self._begins.take(rows)
        if rows.size and column.item(column.argmax()) >= self.BLOCK:
            self._draw(rows[column >= self.BLOCK])
            column = k - self._begins.take(rows)
        column += self._rows.take(rows)
        return self._block.reshape(-1).take(column)

    def advance_where(self, marked: NDArray[np.bool_]) -> NDArray[np.int64]:
        """One more reset for each marked world; returns the last draws of all of them, marked or not."""
        self.k += marked
        column = self.k - self._begins
        if column.max() >= self.BLOCK:
            self._draw(np.flatnonzero(column >= self.BLOCK))
            column = self.k - self._begins
        last: NDArray[np.int64] = self._block.reshape(-1).take(column + self._rows)
        return last

    def restart(self, rows: NDArray[np.int64], seeds: NDArray[np.uint64]) -> None:
        """Give these worlds new seeds, and k = 0."""
        self._seeds[rows] = seeds
        self.k[rows] = 0
        self._draw(rows)

    def _draw(self, rows: NDArray[np.int64]) -> None:
        self._begins[rows] = self.k[rows]
        k = (self.k[rows][:, None] + np.arange(self.BLOCK)).astype(np.uint64)
        drawn = splitmix64_rows(self._seeds[rows][:, None], k)
        chosen = self._chosen
        self._block[rows] = (drawn % np.uint64(chosen)).astype(np.int64) if isinstance(chosen, int) else chosen(drawn)
