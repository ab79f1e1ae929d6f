"""Every argument is checked when the world is made, and the message says what would be right."""

from __future__ import annotations

import re
from typing import Any

import gymnasium as gym
import pytest

from conflictbench.envs.fiction.config import KEYWORDS
from conflictbench.envs.fiction.env import FictionEnv
from conflictbench.errors import NotYetAvailable, UnknownName


@pytest.mark.parametrize(
    "kwargs, message",
    [
        ({"scenario": "EP1-999"}, "unknown scenario 'EP1-999'; known: EP1-001"),
        ({"scenario": "EP2-001"}, "unknown scenario 'EP2-001'; known: EP1-001"),  # another family's
        ({"scenario": ["EP1-001", "EP1-0001"]}, "unknown scenario 'EP1-0001'; known: EP1-001"),
        ({"scenario": [1]}, "unknown scenario 1; known: EP1-001"),
        ({"observation": "txt"}, "unknown observation 'txt'; known: text, features, visual, pixels, all"),
        ({"observation": None}, "unknown observation None"),
        ({"variant": "twin"}, "known: conflict, stake_only, task_only, control"),
        ({"variant": ["conflict"]}, "unknown variant"),
        ({"engine": "zmachine"}, "known: native, glulx"),
        ({"mask": "legal"}, "known: exists, available"),
        ({"mask": True}, "unknown mask True"),
        ({"reward": "win"}, "known: human, assigned"),
        ({"features_dtype": "float64"}, "known: float32, uint8"),
        ({"privileged": ["best_action"]}, "unknown privileged 'best_action'; known: best_action_assigned"),
        ({"render_mode": "rgb"}, "known: human, ansi"),
        ({"category": "EP4"}, "known: EP1, EP2, EP3"),
        ({"scenarios": "EP1-001"}, "unknown keyword 'scenarios'; known: scenario, observation"),
    ],
)
def test_init__unknown_value_lists_the_known(kwargs: dict[str, Any], message: str) -> None:
    with pytest.raises(UnknownName, match=re.escape(message)):
        FictionEnv(**kwargs)


@pytest.mark.parametrize(
    "kwargs, message",
    [
        ({"scenario": []}, "empty list"),
        ({"scenario": ["EP1-001", "EP1-001"]}, "EP1-001 more than once"),
        ({"scenario": 1}, "is a int; it must be a list or tuple"),
        ({"scenario": {"EP1-001"}}, "is a set"),
        ({"privileged": "state"}, "must be a list or tuple of names"),
        ({"privileged": ("state", "state")}, "state more than once"),
        ({"privileged": None}, "is a NoneType"),
        ({"scenario_bits": 1}, "must be True or False"),
        ({"scenario_bits": "yes"}, "must be True or False"),
        ({"max_interactions": 0}, "whole number >= 1"),
        ({"max_interactions": -3}, "whole number >= 1"),
        ({"max_interactions": 7.0}, "whole number >= 1"),
        ({"max_interactions": True}, "whole number >= 1"),
        ({"max_interactions": "14"}, "whole number >= 1"),
        ({"pack": None}, "pack None is a NoneType"),
        ({"reward": True}, "reward True is a bool"),
        ({"reward": 1.5}, "reward 1.5"),
    ],
)
def test_init__wrong_type_or_range_is_a_value_error(kwargs: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        FictionEnv(**kwargs)


@pytest.mark.parametrize(
    "kwargs, needs",
    [
        ({"engine": "glulx"}, "glulx extra"),
        ({"pack": "published"}, "importer.*known packs: core"),
    ],
)
def test_init__planned_value_names_what_it_needs(kwargs: dict[str, Any], needs: str) -> None:
    with pytest.raises(NotYetAvailable, match=needs):
        FictionEnv(**kwargs)


def test_make__lets_our_messages_through() -> None:
    with pytest.raises(UnknownName, match=f"known: {KEYWORDS[0]}"):
        gym.make("ConflictBench/EP1-v0", colour="blue")
    with pytest.raises(UnknownName, match="known: EP3-001"):
        gym.make("ConflictBench/EP3-v0", scenario="EP1-001")


def test_init__checks_before_any_reset_and_reads_no_scenario(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("conflictbench.envs.fiction.env.read", None)
    FictionEnv(observation="features")


@pytest.mark.parametrize("options", [{"scenario": "EP2-001"}, {"scenario": None}, {"scenario": ["EP1-001"]}])
def test_reset__scenario_outside_the_list_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(UnknownName, match=r"unknown scenario .* known: EP1-001"):
        FictionEnv(scenario="EP1-001").reset(seed=0, options=options)


def test_reset__unknown_option_is_refused_and_nothing_begins() -> None:
    env = FictionEnv()
    with pytest.raises(UnknownName, match="unknown reset option 'scenarios'; known: scenario"):
        env.reset(options={"scenario": "EP1-001", "scenarios": "EP1-001"})
    assert env.reset(seed=1)[1]["seed"] == 1
