"""What makes a training, and what is refused before anything is written."""

from __future__ import annotations

from typing import Any

import pytest

from conflictbench.benchmarks.train.plan import differences, plan_training
from conflictbench.errors import InvalidValue, UnknownName
from conflictbench.scenario_specs import get_scenario, scenario_ids

EP1 = "ConflictBench/EP1-v0"


def test_plan__is_the_family_under_the_masks_that_every_agent_plays_with() -> None:
    identity = plan_training(EP1, "ppo")
    assert identity.env_kwargs == {"mask": "exists", "reward": "human"}
    assert identity.scenarios == {name: get_scenario(name).digest for name in scenario_ids("core", "EP1")}
    assert (identity.family, identity.seed, identity.steps) == ("EP1", 0, 200_000)


def test_plan__scenarios_in_any_case_and_order_are_one_training() -> None:
    one = plan_training(EP1, "dqn", scenarios=["ep1-001", "EP1-001"], reward=0.5, steps=10)
    assert one == plan_training(EP1, "dqn", scenarios=["EP1-001"], reward=0.5, steps=10)
    assert one.env_kwargs == {"mask": "exists", "reward": 0.5, "scenario": ["EP1-001"]}
    assert one.directory_name().startswith("train-EP1-dqn-0.5-seed0-")


def test_directory_name__tells_trainings_apart() -> None:
    variations: list[dict[str, Any]] = [
        {},
        {"reward": "assigned"},
        {"reward": {"human": 1, "assigned": 1}},
        {"steps": 9},
        {"seed": 1},
        {"scenarios": ["EP1-001"]},
    ]
    names = {plan_training(EP1, algo, **one).directory_name() for one in variations for algo in ("ppo", "dqn")}
    assert len(names) == 12
    assert all(name.replace("-", "").replace(".", "").isalnum() for name in names)


@pytest.mark.parametrize(
    "error, words, changed",
    [
        (UnknownName, r"'EP1'; known: ConflictBench/EP1-v0, .*EP2-v0, .*EP3-v0", {"env_id": "EP1"}),
        (UnknownName, "'a2c'; known: dqn, maskable-ppo, ppo", {"algo": "a2c"}),
        (UnknownName, "'humans'; known: human, assigned", {"reward": "humans"}),
        (InvalidValue, r"reward 1\.5 must be", {"reward": 1.5}),
        (UnknownName, "scenario of EP1 'EP2-001'; known: EP1-001", {"scenarios": ["EP2-001"]}),
        (InvalidValue, "steps 0 must be a whole number >= 1", {"steps": 0}),
        (InvalidValue, "steps True must be", {"steps": True}),
        (InvalidValue, "seed -1 must be a whole number from 0 to 2147483647", {"seed": -1}),
    ],
)
def test_plan__a_wrong_value_is_named_with_the_valid_ones(
    error: type[Exception], words: str, changed: dict[str, Any]
) -> None:
    given = {"env_id": EP1, "algo": "ppo", **changed}
    with pytest.raises(error, match=words):
        plan_training(given.pop("env_id"), given.pop("algo"), **given)


def test_differences__say_what_is_there_first() -> None:
    there = {"steps": 5, "settings": {"gamma": 0.9, "n_envs": 8}, "seed": 0}
    here = {"steps": 6, "settings": {"gamma": 0.95, "n_envs": 8}, "seed": 0}
    assert list(differences(there, here)) == ["settings: gamma 0.9 -> 0.95", "steps 5 -> 6"]
