"""Seeds that follow from others."""

from __future__ import annotations

from conflictbench.seeds import agent_seed


def test_agent_seed__is_the_episodes_own_at_epoch_0_and_differs_elsewhere() -> None:
    assert [agent_seed(seed, 0) for seed in (0, 7)] == [0, 7]
    seeds = {agent_seed(seed, epoch) for seed in range(50) for epoch in range(1, 5)}
    assert len(seeds) == 200
    assert all(0 <= seed < 2**32 for seed in seeds)
