"""The packaged settings: complete, of known keys, and right for what they are passed to."""

from __future__ import annotations

import inspect

import pytest

from conflictbench.agents.sb3_policy import ALGORITHMS, algorithm_class
from conflictbench.benchmarks.train.tuned import AlgoSettings, algo_called, family_settings, with_schedules
from conflictbench.errors import UnknownName
from conflictbench.types import CATEGORIES


@pytest.mark.parametrize("family", CATEGORIES)
@pytest.mark.parametrize("algo", ALGORITHMS)
def test_settings__name_arguments_of_the_algorithm(family: str, algo: str) -> None:
    pytest.importorskip("sb3_contrib", reason="training needs the extra rl")
    known = algo_called(algo)
    arguments = family_settings(family).of(known).arguments()
    parameters = inspect.signature(algorithm_class(known, "a test")).parameters
    assert arguments and set(arguments) - set(parameters) == set()
    assert {"n_envs", "seed", "device"} & set(arguments) == set()
    if "n_steps" in arguments:  # no rollout leaves a rest that SB3 would warn of
        assert arguments["n_steps"] * family_settings(family).of(known).n_envs % arguments["batch_size"] == 0


def test_schedules__fall_in_a_line_to_zero() -> None:
    pytest.importorskip("stable_baselines3", reason="training needs the extra rl")
    schedule = with_schedules({"learning_rate": "lin_0.5", "gamma": 0.9})
    assert [schedule["learning_rate"](left) for left in (1.0, 0.5, 0.0)] == [0.5, 0.25, 0.0]
    assert schedule["gamma"] == 0.9


def test_settings__unknown_names_are_refused() -> None:
    with pytest.raises(UnknownName, match="'EP9'; known: EP1, EP2, EP3"):
        family_settings("EP9")
    with pytest.raises(UnknownName, match="'PPO'; known: dqn, maskable-ppo, ppo"):
        algo_called("PPO")
    with pytest.raises(ValueError, match="n_envs"):
        AlgoSettings.model_validate({"gamma": 0.9})
