"""The cases of the SB3 benchmark step the same worlds; speed itself is printed, never tested."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("stable_baselines3", reason="SB3 is in the extra rl")

from conflictbench.benchmarks.perf.sb3 import learning, ours, stepping, theirs


def test_sides__show_the_same() -> None:
    envs = [ours(3), theirs(3), theirs(3, monitored=True)]
    for env in envs:
        env.seed(5)
        env.reset()
    actions = np.random.default_rng(0).integers(12, size=(40, 3))
    for one in actions:
        (observation, rewards, dones, _), *others = [env.step(one) for env in envs]
        for other_observation, other_rewards, other_dones, _ in others:
            assert np.array_equal(observation, other_observation)
            assert np.array_equal(rewards, other_rewards)
            assert np.array_equal(dones, other_dones)


def test_cases__give_steps_a_second() -> None:
    assert stepping(ours(4), steps=10)() > 0
    assert learning(ours(4), rollouts=1)() > 0
