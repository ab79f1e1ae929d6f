"""Resets and episodes do not pile up."""

from __future__ import annotations

import gc
import tracemalloc

import gymnasium as gym
import pytest


@pytest.mark.parametrize("observation", ["text", "features"])
def test_reset__a_thousand_leave_nothing_behind(observation: str) -> None:
    env = gym.make("ConflictBench/EP1-v0", observation=observation)

    def play(times: int) -> None:
        for i in range(times):
            env.reset(seed=i)
            for action in (0, 11, 3):
                env.step(action)

    play(50)  # fills what is cached a state
    gc.collect()
    tracemalloc.start()
    try:
        play(20)
        gc.collect()
        before = tracemalloc.get_traced_memory()[0]
        play(1000)
        gc.collect()
        after = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    # an observation kept for each reset would be over 3 MB of text or 200 kB of arrays
    assert after - before < 50_000
