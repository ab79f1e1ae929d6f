"""The ids, and what making each of them says."""

from __future__ import annotations

import subprocess
import sys

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec

import conflictbench
from conflictbench.envs import FictionEnv, FictionVectorEnv
from conflictbench.errors import NotYetAvailable, UnknownName
from conflictbench.registration import FICTION, PLANNED, register_all
from conflictbench.types import CATEGORIES

OURS = sorted(env_id for env_id in gym.registry if env_id.startswith("ConflictBench/"))


def test_registry__holds_the_ids_of_the_design() -> None:
    assert OURS == [
        "ConflictBench/EP1-v0",
        "ConflictBench/EP2-v0",
        "ConflictBench/EP3-v0",
        "ConflictBench/ODCV-v0",
        "ConflictBench/ODCVShell-v0",
        "ConflictBench/Regret-v0",
        "ConflictBench/SingleTurn-v0",
    ]
    assert FICTION == CATEGORIES


def test_registry__entry_points_are_strings_and_no_time_limit_is_registered() -> None:
    for env_id in OURS:
        spec = gym.spec(env_id)
        assert isinstance(spec.entry_point, str)
        assert spec.vector_entry_point is None or isinstance(spec.vector_entry_point, str)
        assert spec.max_episode_steps is None


def test_register_all__twice_changes_nothing() -> None:
    before = {env_id: gym.registry[env_id] for env_id in OURS}
    register_all()  # gymnasium warns when an id is overridden, and warnings are errors
    assert all(gym.registry[env_id] is spec for env_id, spec in before.items())


@pytest.mark.parametrize("category", CATEGORIES)
def test_make__gives_the_category_its_id_names(category: str) -> None:
    env = gym.make(f"ConflictBench/{category}-v0").unwrapped
    assert isinstance(env, FictionEnv)
    assert env.env_id == f"ConflictBench/{category}-v0"
    assert env.reset(seed=0)[1]["scenario"].startswith(category)


@pytest.mark.parametrize("category", CATEGORIES)
@pytest.mark.parametrize("family", CATEGORIES)
def test_make__an_id_does_not_take_a_category(family: str, category: str) -> None:
    said = f"unknown keyword 'category'; known: scenario, .*; this id plays {family} and nothing else"
    with pytest.raises(UnknownName, match=said):
        gym.make(f"ConflictBench/{family}-v0", category=category)
    for mode in ("vector_entry_point", "sync"):
        with pytest.raises(UnknownName, match=said):
            gym.make_vec(f"ConflictBench/{family}-v0", num_envs=2, vectorization_mode=mode, category=category)


def test_make__the_class_itself_takes_a_category() -> None:
    assert FictionEnv(category="EP3").env_id == "ConflictBench/EP3-v0"
    envs = FictionVectorEnv(2, category="EP3")
    assert envs.config.env_id == "ConflictBench/EP3-v0"


@pytest.mark.parametrize("category", CATEGORIES)
def test_make__its_spec_comes_back_from_json(category: str) -> None:
    env = gym.make(f"ConflictBench/{category}-v0", variant="control", observation="features")
    assert env.spec is not None
    assert env.spec.kwargs == {"variant": "control", "observation": "features"}
    again = gym.make(EnvSpec.from_json(env.spec.to_json()))
    assert again.spec == env.spec
    first, second = env.reset(seed=5), again.reset(seed=5)
    assert first[1] == second[1]
    assert first[1]["scenario"].startswith(category)
    assert np.array_equal(first[0]["features"], second[0]["features"])


@pytest.mark.parametrize("env_id", sorted(PLANNED))
def test_make__planned_id_says_what_it_waits_for(env_id: str) -> None:
    with pytest.raises(NotYetAvailable, match=f"{env_id} is not available yet: it needs"):
        gym.make(env_id, scenario="EP1-001")
    with pytest.raises(NotYetAvailable):
        gym.make_vec(env_id, num_envs=2)


def test_register_envs__accepts_the_package() -> None:
    gym.register_envs(conflictbench)


@pytest.mark.parametrize(
    "script",
    [
        "import gymnasium as gym; env = gym.make('conflictbench:ConflictBench/EP1-v0')",
        "import gymnasium as gym, conflictbench as c; gym.register_envs(c); env = gym.make('ConflictBench/EP1-v0')",
    ],
)
def test_make__in_a_fresh_process(script: str) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script + "; print(env.reset(seed=0)[1]['scenario'])"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("EP1-")
