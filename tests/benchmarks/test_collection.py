"""Thresholds of the collector are borrowed for a run, never kept."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import suppress

import pytest

from conflictbench.benchmarks.collection import THRESHOLDS, rarer_collection


@pytest.fixture(autouse=True)
def _as_it_was() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)


def test_rarer_collection__thresholds_are_raised_inside_and_restored_behind_even_after_an_error() -> None:
    gc.set_threshold(701, 11, 12)
    with suppress(KeyError), rarer_collection():
        assert gc.get_threshold() == THRESHOLDS
        raise KeyError("x")
    assert gc.get_threshold() == (701, 11, 12)


def test_rarer_collection__a_collector_that_was_turned_off_by_its_threshold_stays_off() -> None:
    gc.set_threshold(0, 10, 10)
    with rarer_collection():
        assert gc.get_threshold() == (0, 10, 10)
