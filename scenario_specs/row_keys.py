"""One integer a row for tables of small integers, so that rows can be sorted and found as integers are. Own design."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

KEY_BITS = 62


def row_keys(columns: Iterable[NDArray[Any]], n: int) -> NDArray[np.int64]:
    """Keys that are equal where rows are equal, and ordered as the rows are, first column first.

    Keys of one call are comparable with each other only: they are as narrow as the values at hand allow. A column that
    does not change costs nothing; where 62 bits do not hold a row, its beginning is replaced by its rank.

    Args:
        columns: integers of less than 2**31, each of shape (n,).
        n: number of rows.
    Returns: int64, shape (n,).
    """
    keys, used = np.zeros(n, dtype=np.int64), 0
    for column in columns if n else ():
        low = int(column.min())
        bits = (int(column.max()) - low).bit_length()
        if not bits:
            continue
        if used + bits > KEY_BITS:
            keys = np.unique(keys, return_inverse=True)[1]
            used = (n - 1).bit_length()
        keys = (keys << bits) | (column - low)
        used += bits
    return keys
