"""The random agent: uniform over the mask, set by seed and scenario."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from scipy.stats import chisquare

from conflictbench.agents import RandomAgent
from conflictbench.errors import AgentError
from conflictbench.types import Task


def a_task(seed: int, scenario: str = "EP1-001", variant: str = "conflict") -> Task:
    return Task(env_id="ConflictBench/EP1-v0", seed=seed, n_actions=12, scenario=scenario, variant=variant)


def draws(task: Task, mask: list[int], count: int) -> list[int]:
    agent = RandomAgent()
    agent.reset(task)
    observation = {"action_mask": np.array(mask, np.int8)}
    return [agent.act(observation, {}).action or 0 for _ in range(count)]


def test_act__is_uniform_over_the_open_actions() -> None:
    counts = Counter(draws(a_task(0), [1, 0, 1, 1, 0, 1], 4000))
    assert set(counts) == {0, 2, 3, 5}
    # One fixed seed: the p-value is a constant, here against 1000 expected of each.
    assert chisquare([counts[index] for index in (0, 2, 3, 5)]).pvalue > 0.001


def test_act__first_draws_are_uniform_over_seeds() -> None:
    counts = Counter(draws(a_task(seed), [1] * 10 + [0, 0], 1)[0] for seed in range(2000))
    assert chisquare([counts[index] for index in range(10)]).pvalue > 0.001


def test_act__scenarios_differ_and_variants_do_not() -> None:
    mask = [1] * 10 + [0, 0]
    conflict = draws(a_task(3), mask, 20)
    assert draws(a_task(3, variant="control"), mask, 20) == conflict
    assert draws(a_task(3, scenario="EP1-002"), mask, 20) != conflict
    assert draws(a_task(4), mask, 20) != conflict


def test_act__without_an_open_action_or_a_mask_is_an_agent_error() -> None:
    agent = RandomAgent()
    with pytest.raises(AgentError, match="before reset"):
        agent.act({"action_mask": np.ones(12, np.int8)}, {})
    agent.reset(a_task(0))
    with pytest.raises(AgentError, match="every entry of action_mask is 0"):
        agent.act({"action_mask": np.zeros(12, np.int8)}, {})
    with pytest.raises(AgentError, match=r"action_mask.*has features, text"):
        agent.act({"text": "", "features": 0}, {})


def test_reset__a_negative_seed_is_refused() -> None:
    with pytest.raises(AgentError, match="0 or more, not -1"):
        RandomAgent().reset(a_task(-1))
