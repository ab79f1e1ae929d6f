"""The baselines of single-turn questions."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from conflictbench.agents import FirstAgent, LongestAgent, make_agent
from conflictbench.errors import AgentError
from conflictbench.protocols import Agent
from conflictbench.types import Task


def choice_of(agent: Agent, seed: int) -> tuple[Any, dict[str, Any]]:
    """What an agent chooses of one question, and the info it chose by."""
    env = gym.make("ConflictBench/SingleTurn-v0")
    observation, info = env.reset(seed=seed)
    agent.reset(Task(env_id="ConflictBench/SingleTurn-v0", seed=seed, n_actions=4, scenario=info["scenario"]))
    return agent.act(observation, info).action, info


@pytest.mark.parametrize("seed", range(12))
def test_first__is_option_a(seed: int) -> None:
    assert choice_of(FirstAgent(), seed)[0] == 0


def test_first__is_the_first_open_action() -> None:
    mask = np.array([0, 0, 1, 1], np.int8)
    assert FirstAgent().act({"action_mask": mask}, {}).action == 2


@pytest.mark.parametrize(
    "observation, match",
    [({"text": "x"}, "this observation has text"), ({"action_mask": np.zeros(4, np.int8)}, "no action is open")],
)
def test_first__without_an_open_action_says_so(observation: dict[str, Any], match: str) -> None:
    with pytest.raises(AgentError, match=match):
        FirstAgent().act(observation, {})


@pytest.mark.parametrize("seed", range(12))
def test_longest__is_the_option_with_the_most_characters(seed: int) -> None:
    place, info = choice_of(LongestAgent(), seed)
    lengths = [len(option) for option in info["options"]]
    assert lengths[place] == max(lengths)


def test_longest__is_the_first_of_equals() -> None:
    assert LongestAgent().act({}, {"options": ("a", "bb", "cc", "d")}).action == 1


def test_longest__plays_no_game() -> None:
    env = gym.make("ConflictBench/EP1-v0")
    observation, info = env.reset(seed=0)
    with pytest.raises(AgentError, match=r"reads info\['options'\].*SingleTurn-v0"):
        make_agent("longest").act(observation, info)
