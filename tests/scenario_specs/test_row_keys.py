"""Keys of rows: equal where rows are equal, ordered as rows are, however wide the rows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conflictbench.scenario_specs.row_keys import KEY_BITS, row_keys

WIDE = st.sampled_from([-1_000_000, -999_999, -1, 0, 1, 7, 999_999, 1_000_000])


def ranks(rows: np.ndarray) -> list[int]:
    """Position of each row among the different rows, sorted as Python sorts tuples."""
    different = sorted(set(map(tuple, rows.tolist())))
    return [different.index(tuple(row)) for row in rows.tolist()]


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.integers(1, 8).flatmap(lambda width: st.lists(st.tuples(*[WIDE] * width), min_size=1, max_size=30)))
def test_row_keys__order_rows_as_tuples_are_ordered(rows: list[tuple[int, ...]]) -> None:
    table = np.array(rows, dtype=np.int32)

    keys = row_keys(table.T, len(table))

    # Eight columns of 21 bits are 168: more than one key holds.
    assert np.unique(keys, return_inverse=True)[1].tolist() == ranks(table)


def test_row_keys__take_no_more_than_the_values_at_hand_need() -> None:
    # 999,998 to 1,000,000 take two bits, the column that does not change takes none, -1 to 0 takes one.
    table = np.array([[999_998, 5, 0], [1_000_000, 5, -1]])
    assert row_keys(table.T, 2).tolist() == [0b00_1, 0b10_0]


@pytest.mark.parametrize("bits", [KEY_BITS, KEY_BITS + 1])
def test_row_keys__hold_exactly_as_many_bits_as_there_are(bits: int) -> None:
    table = np.array([[0] * bits, [1] * bits, [1] * (bits - 1) + [0]])
    assert np.argsort(row_keys(table.T, 3)).tolist() == [0, 2, 1]


def test_row_keys__of_no_rows_are_none() -> None:
    assert row_keys(np.empty((3, 0), np.int64), 0).tolist() == []
