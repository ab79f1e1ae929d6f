"""`FictionVectorEnv` against scalar worlds, in each autoreset mode."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv

from conflictbench.envs.fiction.env import FictionEnv
from conflictbench.envs.fiction.tables import FictionVectorEnv
from conflictbench.errors import InvalidValue, ResetNeeded, UnknownName

N = 3


def test_make_vec__takes_the_registered_entry_point() -> None:
    envs = gym.make_vec("ConflictBench/EP1-v0", num_envs=2)
    assert isinstance(envs, FictionVectorEnv)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    assert envs.spec is not None
    assert envs.spec.id == "ConflictBench/EP1-v0"
    assert envs.single_action_space == gym.spaces.Discrete(12)
    assert "EP1-v0" in repr(envs)
    assert "autoreset_mode" not in FictionEnv.metadata  # the class's own is left alone
    envs.close()


def test_make_vec__spec_rebuilds_it() -> None:
    envs = gym.make_vec("ConflictBench/EP2-v0", num_envs=2, variant="control", observation="features")
    again = gym.make_vec(gym.envs.registration.EnvSpec.from_json(envs.spec.to_json()))
    assert (again.num_envs, again.observation_space) == (2, envs.observation_space)
    first, second = envs.reset(seed=1)[0], again.reset(seed=1)[0]
    assert np.array_equal(first["features"], second["features"])


@pytest.mark.parametrize(
    "given_mode, mode",
    [
        (AutoresetMode.SAME_STEP, AutoresetMode.SAME_STEP),
        ("SameStep", AutoresetMode.SAME_STEP),
        ("SAME_STEP", AutoresetMode.SAME_STEP),
        ("NextStep", AutoresetMode.NEXT_STEP),
        ("Disabled", AutoresetMode.DISABLED),
    ],
)
def test_make_vec__takes_a_mode_as_member_value_or_name(given_mode: Any, mode: AutoresetMode) -> None:
    envs = gym.make_vec("ConflictBench/EP1-v0", num_envs=2, autoreset_mode=given_mode)
    assert envs.metadata["autoreset_mode"] is mode


@pytest.mark.parametrize("wrong", ["same", None, 1])
def test_init__unknown_mode_lists_the_known(wrong: Any) -> None:
    with pytest.raises(UnknownName, match="known: NextStep, SameStep, Disabled"):
        FictionVectorEnv(2, autoreset_mode=wrong)


@pytest.mark.parametrize("wrong", [0, -1, 2.0, True])
def test_init__num_envs_must_be_positive(wrong: Any) -> None:
    with pytest.raises(ValueError, match=r"num_envs .* whole number >= 1"):
        FictionVectorEnv(wrong)


def test_init__checks_the_worlds_arguments() -> None:
    with pytest.raises(UnknownName, match="known: EP1-001"):
        gym.make_vec("ConflictBench/EP1-v0", num_envs=2, scenario="EP3-001")


@pytest.mark.parametrize("observation", ["text", "features"])
@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_step__makes_the_transitions_of_scalar_worlds(observation: str, mode: str) -> None:
    envs = gym.make_vec(
        "ConflictBench/EP3-v0", num_envs=N, autoreset_mode=mode, observation=observation, reward=0.5, infos="all"
    )
    scalars = [FictionEnv("EP3", observation=observation, reward=0.5) for _ in range(N)]
    batch, infos = envs.reset(seed=9)
    single = [scalar.reset(seed=9 + i) for i, scalar in enumerate(scalars)]
    assert list(infos["seed"]) == [9, 10, 11]
    rng = np.random.default_rng(1)
    over = [False] * N
    ends = 0
    for _ in range(60):
        for i, scalar in enumerate(scalars):
            _same(batch, i, single[i][0], observation)
            assert scalar.scenario.id == infos["scenario"][i]
        actions = rng.integers(12, size=N)
        batch, rewards, terminated, truncated, infos = envs.step(actions)
        for i, scalar in enumerate(scalars):
            if mode == "NextStep" and over[i]:
                single[i], expected = scalar.reset(), (0.0, False, False)
            else:
                step = scalar.step(actions[i])
                single[i], expected = (step[0], step[4]), step[1:4]
            over[i] = expected[1] or expected[2]
            ends += over[i]
            assert (rewards[i], terminated[i], truncated[i]) == expected
            if mode == "SameStep" and over[i]:
                assert infos["final_info"]["interactions"][i] == step[4]["interactions"]
                _same_one(infos["final_obs"][i], step[0], observation)
                single[i] = scalar.reset()
        if mode == "Disabled" and any(over):
            batch, infos = _reset_some(envs, np.array(over), batch, infos)
            single = [scalar.reset() if over[i] else single[i] for i, scalar in enumerate(scalars)]
    assert ends >= N  # several episodes ended
    envs.close()


def _reset_some(envs: gym.vector.VectorEnv, over: Any, batch: Any, infos: Any) -> tuple[Any, Any]:
    options = {"reset_mask": over}
    batch, fresh = envs.reset(options=options)
    assert options.keys() == {"reset_mask"}  # the caller's dict stays whole
    fresh["scenario"] = np.where(over, fresh["scenario"], infos["scenario"])
    return batch, fresh


def _same(batch: Any, i: int, one: Any, observation: str) -> None:
    _same_one({key: value[i] for key, value in batch.items()}, one, observation)


def _same_one(left: Any, right: Any, observation: str) -> None:
    assert np.array_equal(left["action_mask"], right["action_mask"])
    if observation == "text":
        assert left["text"] == right["text"]
    else:
        assert np.array_equal(left["features"], right["features"])


def test_reset__without_a_seed_draws_one_for_the_whole_vector() -> None:
    envs = FictionVectorEnv(3, category="EP1")
    first = envs.reset()[1]["seed"].tolist()
    assert first == [first[0], first[0] + 1, first[0] + 2]
    assert envs.reset()[1]["seed"].tolist() == first
    assert envs.reset(seed=4)[1]["seed"].tolist() == [4, 5, 6]


def test_reset__after_one_that_was_refused_draws_one_seed_for_the_whole_vector() -> None:
    envs = FictionVectorEnv(3, category="EP1")
    for options in ({"colour": 1}, {"scenario": "EP9-001"}, {"reset_mask": [True] * 3}, 5):
        with pytest.raises((UnknownName, InvalidValue, TypeError)):
            envs.reset(options=options)  # type: ignore[arg-type]
    with pytest.raises(UnknownName):
        envs.reset(seed=7, options={"colour": 1})
    first = envs.reset()[1]["seed"].tolist()
    assert first == [first[0], first[0] + 1, first[0] + 2]
    assert envs.reset()[1]["seed"].tolist() == first


def test_reset__the_first_must_be_of_all() -> None:
    envs = FictionVectorEnv(3, category="EP1", autoreset_mode="Disabled")
    with pytest.raises(ResetNeeded, match="call reset\\(\\) of all sub-environments first"):
        envs.reset(seed=7, options={"reset_mask": np.array([True, False, False])})
    assert envs.reset(seed=7, options={"reset_mask": np.ones(3, np.bool_)})[1]["seed"].tolist() == [7, 8, 9]
    assert envs.reset(options={"reset_mask": np.array([True, False, False])})[1]["seed"][0] == 7


@pytest.mark.parametrize("options", [5, "scenario", ["scenario"], [], ("scenario", "EP1-001")], ids=repr)
def test_reset__options_that_are_no_dict_are_refused(options: Any) -> None:
    for env in (FictionVectorEnv(2, category="EP1"), FictionEnv("EP1"), gym.make("ConflictBench/SingleTurn-v0")):
        with pytest.raises(InvalidValue, match=r'options .* is a \w+; it must be a dict, such as \{"scenario": id\}'):
            env.reset(options=options)


@pytest.mark.parametrize("category", ["EP9", None, 1])
def test_init__an_unknown_category_lists_the_known(category: Any) -> None:
    with pytest.raises(UnknownName, match=r"unknown category .*; known: EP1, EP2, EP3"):
        FictionVectorEnv(2, category=category)


def test_reset__options_pick_for_every_sub_env() -> None:
    envs = FictionVectorEnv(2, category="EP2")
    assert list(envs.reset(options={"scenario": "EP2-001"})[1]["scenario"]) == ["EP2-001"] * 2
    with pytest.raises(UnknownName, match="reset option"):
        envs.reset(options={"colour": 1})


def test_max_episode_steps__truncates_like_gym_make() -> None:
    envs = gym.make_vec("ConflictBench/EP1-v0", num_envs=2, max_episode_steps=2)
    envs.reset(seed=0)
    assert not envs.step(np.array([11, 11]))[3].any()
    assert envs.step(np.array([11, 11]))[3].all()


def test_info__holds_state_whole_and_best_action_where_there_is_one() -> None:
    envs = FictionVectorEnv(
        2,
        category="EP1",
        scenario="EP1-001",
        privileged=("state", "best_action_human"),
        autoreset_mode="SameStep",
    )
    _, infos = envs.reset(seed=0)
    assert infos["state"][1]["air"] == "eastward"
    done = np.array([False, False])
    while not done.all():
        _, _, terminated, truncated, infos = envs.step(infos["best_action_human"])
        done = terminated | truncated
    assert "best_action_human" not in infos["final_info"]  # both have ended: there is none
    assert infos["final_info"]["label"].tolist() == ["human", "human"]
    assert infos["final_info"]["state"][0]["turn"] > 0


def test_sync__stock_vectoriser_works_too() -> None:
    envs = gym.make_vec(
        "ConflictBench/EP1-v0", num_envs=2, vectorization_mode="sync", privileged=("best_action_human",)
    )
    assert isinstance(envs, SyncVectorEnv)
    _, infos = envs.reset(seed=0)
    for _ in range(30):
        _, _, _, _, infos = envs.step(np.array([0, infos["best_action_human"][1]]))
    envs.close()


def test_async__text_is_right_without_shared_memory() -> None:
    envs = gym.make_vec(
        "ConflictBench/EP1-v0",
        num_envs=2,
        vectorization_mode="async",
        vector_kwargs={"shared_memory": False, "context": "spawn"},
        scenario="EP1-001",
    )
    assert isinstance(envs, AsyncVectorEnv)
    try:
        scalar = FictionEnv("EP1", scenario="EP1-001")
        opening = scalar.reset(seed=0)[0]["text"]
        assert list(envs.reset(seed=0)[0]["text"]) == [opening, opening]
        answer = scalar.step(0)[0]["text"]
        assert list(envs.step(np.array([0, 0]))[0]["text"]) == [answer, answer]
    finally:
        envs.close()
