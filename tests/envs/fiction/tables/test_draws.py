"""Draws for many worlds at once are the scalar draws."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from conflictbench.envs.fiction.scenario_draw import splitmix64
from conflictbench.envs.fiction.tables.draws import Draws, splitmix64_rows


@settings(deadline=None, derandomize=True)
@given(st.lists(st.tuples(st.integers(0, 2**64 - 1), st.integers(0, 2**40)), min_size=1, max_size=20))
def test_splitmix64_rows__is_splitmix64(pairs: list[tuple[int, int]]) -> None:
    seeds = np.array([seed for seed, _ in pairs], np.uint64)
    k = np.array([k for _, k in pairs], np.uint64)
    assert splitmix64_rows(seeds, k).tolist() == [splitmix64(seed, n) for seed, n in pairs]


def test_draws__go_on_past_a_block_each_world_at_its_own_pace() -> None:
    draws = Draws(np.array([3, 2**63], np.uint64), 5)
    everyone, first = np.arange(2), np.array([0])
    for k in range(3 * Draws.BLOCK):
        assert draws.current(everyone)[0] == splitmix64(3, k) % 5
        assert draws.current(everyone)[1] == splitmix64(2**63, k // 2) % 5
        draws.advance(everyone if k % 2 else first)
    draws.restart(first, np.array([11], np.uint64))
    assert draws.current(first).tolist() == [splitmix64(11, 0) % 5]
    assert draws.k.tolist() == [0, 3 * Draws.BLOCK // 2]
