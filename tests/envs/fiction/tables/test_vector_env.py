"""`FictionVectorEnv` is N scalar worlds: the same states, rewards, masks, observations, infos and draws."""

from __future__ import annotations

import copy
import pickle
import random
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from hypothesis import given, settings
from hypothesis import strategies as st

from conflictbench.envs.fiction.env import FictionEnv
from conflictbench.envs.fiction.tables import FictionVectorEnv
from conflictbench.errors import InvalidAction, InvalidValue, ResetNeeded, UnknownName
from conflictbench.scenario_specs import scenario_ids

MODES = ("NextStep", "SameStep", "Disabled")
FAMILIES = ("EP1", "EP2", "EP3")


def pickled(vector: FictionVectorEnv) -> FictionVectorEnv:
    """What comes out of a pickle."""
    twin = pickle.loads(pickle.dumps(vector))
    assert isinstance(twin, FictionVectorEnv)
    return twin


@pytest.mark.parametrize("copied", [copy.deepcopy, pickled], ids=["copy", "pickle"])
@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize("observation", ["text", "features"])
@pytest.mark.parametrize("resample", [True, False])
def test_copies__in_the_middle_of_a_run_go_on_as_the_original_does(
    copied: Any, mode: str, observation: str, resample: bool
) -> None:
    vector = FictionVectorEnv(
        5, autoreset_mode=mode, observation=observation, resample=resample, infos="all", category="EP1"
    )
    rng = np.random.default_rng(0)
    vector.reset(seed=3)
    for _ in range(12):
        vector.step(rng.integers(12, size=5))
    twin = copied(vector)
    assert twin.catalog is vector.catalog  # nothing in it changes
    for _ in range(50):
        actions = rng.integers(12, size=5)
        assert data_equivalence(vector.step(actions), twin.step(actions))
    assert (vector.scenarios, vector.texts()) == (twin.scenarios, twin.texts())
    np.testing.assert_array_equal(vector.action_masks(), twin.action_masks())


class Scalars:
    """What a vector has to do, done world by world with Gymnasium's rules for beginning anew."""

    def __init__(self, n: int, mode: str, resample: bool, **kwargs: Any) -> None:
        self.worlds = [FictionEnv(**kwargs) for _ in range(n)]
        self.mode, self.resample = mode, resample
        self.over = [False] * n

    def reset(self, seed: int) -> list[tuple[Any, dict[str, Any]]]:
        self.over = [False] * len(self.worlds)
        return [world.reset(seed=seed + i) for i, world in enumerate(self.worlds)]

    def again(self, i: int) -> tuple[Any, dict[str, Any]]:
        self.over[i] = False
        options = None if self.resample else {"scenario": self.worlds[i].scenario.id}
        return self.worlds[i].reset(options=options)

    def step(self, actions: Any) -> list[dict[str, Any]]:
        """For each world what the vector must show of it."""
        shown = []
        for i, world in enumerate(self.worlds):
            if self.mode == "NextStep" and self.over[i]:
                observation, info = self.again(i)
                shown.append({"step": (observation, 0.0, False, False), "info": info})
                continue
            observation, reward, terminated, truncated, info = world.step(int(actions[i]))
            self.over[i] = terminated or truncated
            row = {"step": (observation, reward, terminated, truncated), "info": info}
            if self.mode == "SameStep" and self.over[i]:
                row["final_obs"], row["final_info"] = observation, info
                observation, row["info"] = self.again(i)
                row["step"] = (observation, reward, terminated, truncated)
            shown.append(row)
        return shown


def row(infos: dict[str, Any], i: int) -> dict[str, Any]:
    """The info of one world out of a vector's."""
    keys = [key for key in infos if not key.startswith("_") and infos[f"_{key}"][i]]
    return {key: row(infos[key], i) if isinstance(infos[key], dict) else infos[key][i] for key in keys}


def same(left: Any, right: Any) -> None:
    assert left.keys() == right.keys()
    for key in left:
        assert np.array_equal(left[key], right[key]), key
        assert getattr(left[key], "dtype", None) == getattr(right[key], "dtype", None), key


def play(n: int, steps: int, mode: str, seed: int, *, resample: bool = True, **kwargs: Any) -> int:
    """Play both side by side; returns the number of endings."""
    draw = random.Random(seed)
    vector = FictionVectorEnv(n, autoreset_mode=mode, infos="all", resample=resample, **kwargs)
    scalars = Scalars(n, mode, resample, **kwargs)
    observation, infos = vector.reset(seed=seed)
    for i, (one, info) in enumerate(scalars.reset(seed)):
        same({key: value[i] for key, value in observation.items()}, one)
        assert row(infos, i) == info
    ends = 0
    for _ in range(steps):
        actions = np.array([draw.randrange(12) for _ in range(n)])
        observation, rewards, terminated, truncated, infos = vector.step(actions)
        for i, shown in enumerate(scalars.step(actions)):
            one, *rest = shown["step"]
            same({key: value[i] for key, value in observation.items()}, one)
            assert [rewards[i], terminated[i], truncated[i]] == rest
            found = row(infos, i)
            assert found.pop("final_info", None) == shown.get("final_info")
            if (final := found.pop("final_obs", None)) is not None:
                same(final, shown["final_obs"])
            assert ("final_obs" in shown) == (final is not None)
            assert found == shown["info"]
            assert vector.texts([i]) == (scalars.worlds[i].text,)
            assert vector.state_indices[i] == scalars.worlds[i].state_index
        ends += int((terminated | truncated).sum())
        if mode == "Disabled" and (over := terminated | truncated).any():
            observation, infos = vector.reset(options={"reset_mask": over})
            for i in np.flatnonzero(over):
                one, info = scalars.worlds[i].reset()
                scalars.over[i] = False
                same({key: value[i] for key, value in observation.items()}, one)
                assert row(infos, int(i)) == info
            assert not any(row(infos, i) for i in range(n) if not over[i])
    return ends


@settings(max_examples=30, deadline=None, derandomize=True)
@given(
    n=st.integers(1, 5),
    mode=st.sampled_from(MODES),
    seed=st.integers(0, 2**62),
    family=st.sampled_from(FAMILIES),
    observation=st.sampled_from(["features", "text"]),
    mask=st.sampled_from(["exists", "available"]),
    dtype=st.sampled_from(["float32", "uint8"]),
    reward=st.sampled_from(["human", "assigned", 0.3]),
    variant=st.sampled_from(["conflict", "control"]),
    bits=st.booleans(),
    cap=st.sampled_from([None, 1, 3]),
)
def test_step__is_n_scalar_worlds(
    n: int,
    mode: str,
    seed: int,
    family: str,
    observation: str,
    mask: str,
    dtype: str,
    reward: Any,
    variant: str,
    bits: bool,
    cap: int | None,
) -> None:
    play(
        n,
        25,
        mode,
        seed,
        category=family,
        observation=observation,
        mask=mask,
        features_dtype=dtype,
        reward=reward,
        variant=variant,
        scenario_bits=bits,
        max_interactions=cap,
    )


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_resample_false__each_world_plays_the_scenario_of_its_reset_again(mode: str) -> None:
    assert play(4, 60, mode, 3, resample=False, category="EP2", observation="features") > 8
    vector = FictionVectorEnv(40, autoreset_mode=mode, resample=False, category="EP2", observation="features")
    vector.reset(seed=0)
    before = vector.scenarios
    for _ in range(40):
        vector.step(np.zeros(40, np.int64))
    assert vector.scenarios == before
    assert set(before) == set(scenario_ids("core", "EP2"))


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("family", FAMILIES)
def test_step__is_n_scalar_worlds_over_ten_thousand_episodes(family: str, mode: str) -> None:
    ends = 0
    while ends < 10_000:
        ends += play(100, 150, mode, ends, category=family, observation="features", privileged=("best_action_human",))
    assert ends >= 10_000


def test_infos__of_endings_hold_what_the_scalar_world_says_and_the_statistics_of_the_episode() -> None:
    vector = FictionVectorEnv(3, category="EP1", scenario="EP1-001", observation="features", reward="assigned")
    everything = FictionVectorEnv(
        3, category="EP1", scenario="EP1-001", observation="features", reward="assigned", infos="all"
    )
    vector.reset(seed=0)
    everything.reset(seed=0)
    seen = 0
    length = np.zeros(3, np.int64)
    rng = np.random.default_rng(5)
    began = np.zeros(3, np.bool_)
    for _ in range(300):
        actions = rng.integers(12, size=3)
        _, rewards, terminated, truncated, infos = vector.step(actions)
        told = everything.step(actions)[4]
        length = np.where(began, 0, length + 1)
        for i in np.flatnonzero(terminated | truncated):
            ending = row(infos, int(i))
            assert ending.pop("episode") == {"r": rewards[i], "l": length[i]}
            assert ending == {key: told[key][i] for key in ("outcome", "label", "assigned_value") if terminated[i]}
            seen += 1
        if not (terminated | truncated).any():
            assert infos == {}
        began = terminated | truncated
    assert seen > 30


def test_infos__none_is_empty_at_every_step_and_reset_still_says_all() -> None:
    vector = FictionVectorEnv(2, category="EP3", observation="features", infos="none")
    assert vector.reset(seed=4)[1]["seed"].tolist() == [4, 5]
    assert all(vector.step(np.array([11, 3]))[4] == {} for _ in range(20))


def test_action_masks__are_those_of_the_scalar_worlds() -> None:
    vector = FictionVectorEnv(3, category="EP2", observation="features", mask="available")
    vector.reset(seed=0)
    worlds = [FictionEnv("EP2", observation="features", mask="available") for _ in range(3)]
    for i, world in enumerate(worlds):
        world.reset(seed=i)
    for action in (1, 4, 2):
        vector.step(np.full(3, action))
        for world in worlds:
            world.step(action)
        assert vector.action_masks().tolist() == [world.action_masks().tolist() for world in worlds]
        assert vector.action_masks().dtype == np.bool_


def test_observation__arrays_are_fresh_at_every_step() -> None:
    vector = FictionVectorEnv(2, category="EP1", observation="features")
    first, _ = vector.reset(seed=0)
    kept = {key: value.copy() for key, value in first.items()}
    second, rewards, terminated, truncated, _ = vector.step(np.array([0, 1]))
    for array in (*second.values(), rewards, terminated, truncated):
        array.fill(1)
    same(first, kept)
    again = FictionVectorEnv(2, category="EP1", observation="features")
    again.reset(seed=0)
    again.step(np.array([0, 1]))
    third = vector.step(np.array([2, 2]))
    expected = again.step(np.array([2, 2]))
    same(third[0], expected[0])
    assert third[1].tolist() == expected[1].tolist()


def test_spaces__hold_what_is_observed() -> None:
    for kwargs in ({"observation": "text"}, {"observation": "features", "features_dtype": "uint8"}):
        vector = FictionVectorEnv(3, category="EP1", **kwargs)
        observation, _ = vector.reset(seed=0)
        assert vector.observation_space.contains(observation)
        assert vector.action_space == gym.spaces.MultiDiscrete([12] * 3)
        assert vector.observation_space.contains(vector.step(vector.action_space.sample())[0])


@pytest.mark.parametrize(
    "actions, message",
    [
        ([0, 12], r"actions \[12\] are outside the action space; valid indices are 0..11"),
        ([-1, 0], r"actions \[-1\] are outside"),
        ([15, 13], r"actions \[13, 15\] are outside"),
        ([2**40, 0], r"outside"),
        ([0.0, 1.0], r"actions of float64: integers in 0..11 are wanted"),
        ([True, False], r"actions of bool"),
        ([0], r"actions of shape \(1,\) for 2 sub-environments"),
        ([[0, 1]], r"actions of shape \(1, 2\)"),
        (0, r"actions of shape \(\)"),
    ],
)
def test_step__other_actions_are_refused_and_change_nothing(actions: Any, message: str) -> None:
    vector = FictionVectorEnv(2, category="EP1", observation="features")
    vector.reset(seed=0)
    before = vector.state_indices.tolist()
    with pytest.raises(InvalidAction, match=message):
        vector.step(np.array(actions))
    assert vector.state_indices.tolist() == before
    vector.step(np.array([0, 1], np.uint8))  # any kind of integer will do
    vector.step([0, 1])


def test_step__before_a_reset_or_behind_an_ending_that_was_not_reset_is_refused() -> None:
    vector = FictionVectorEnv(2, category="EP1", observation="features", autoreset_mode="Disabled", max_interactions=1)
    for call in (lambda: vector.step([0, 0]), vector.action_masks, vector.texts, lambda: vector.state_indices):
        with pytest.raises(ResetNeeded, match="before the first reset"):
            call()
    vector.reset(seed=0)
    vector.step([0, 0])
    with pytest.raises(ResetNeeded, match=r"sub-environments \[0, 1\] have ended"):
        vector.step([0, 0])
    vector.reset(options={"reset_mask": np.array([True, False])})
    with pytest.raises(ResetNeeded, match=r"sub-environments \[1\] have ended"):
        vector.step([0, 0])


@pytest.mark.parametrize("mode", MODES)
def test_max_episode_steps__truncates_like_gym_make(mode: str) -> None:
    vector = FictionVectorEnv(2, category="EP1", observation="features", max_episode_steps=3, autoreset_mode=mode)
    vector.reset(seed=0)
    cut = []
    for _ in range(7):
        _, _, terminated, truncated, _ = vector.step([11, 11])
        assert not terminated.any()
        cut.append(bool(truncated.all()))
        if mode == "Disabled" and truncated.all():
            vector.reset()
    # the fourth step of "NextStep" is the new beginning
    third = [False, False, True]
    assert cut == ([*third, False, *third] if mode == "NextStep" else third * 2 + [False])


@pytest.mark.parametrize(
    "arguments, error, message",
    [
        ({"num_envs": 0}, InvalidValue, "num_envs 0 must be a whole number >= 1"),
        ({"infos": "some"}, UnknownName, "known: ends, all, none"),
        ({"resample": 1}, InvalidValue, "resample 1 must be True or False"),
        ({"autoreset_mode": "same"}, UnknownName, "known: NextStep, SameStep, Disabled"),
        ({"max_episode_steps": 0}, InvalidValue, "max_episode_steps 0 must be"),
        ({"render_mode": "ansi"}, InvalidValue, "FictionLoopVectorEnv steps worlds one by one"),
        ({"scenario": "EP9-001"}, UnknownName, "EP1-001"),
    ],
)
def test_init__a_wrong_argument_is_named(arguments: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        FictionVectorEnv(**({"num_envs": 2, "category": "EP1"} | arguments))


@pytest.mark.parametrize(
    "seed",
    [
        -1,
        [1],
        [1, -2],
        "x",
        True,
        1.5,
        2**63 - 1,
        [2**63, 0],
        [1.5, 2],
        [True, 2],
        ["1", 2],
        np.array([1.5, 2.0]),
        np.array([[1], [2]]),
    ],
)
def test_reset__a_wrong_seed_is_refused(seed: Any) -> None:
    vector = FictionVectorEnv(2, category="EP1", observation="features")
    with pytest.raises(InvalidValue, match="seed"):
        vector.reset(seed=seed)


def test_reset__seeds_may_be_listed_and_those_left_out_go_on() -> None:
    vector = FictionVectorEnv(3, category="EP1", observation="features")
    vector.reset(seed=[7, 8, 9])
    infos = vector.reset(seed=[None, 5, None])[1]
    assert infos["seed"].tolist() == [7, 5, 9]
    worlds = [FictionEnv("EP1", observation="features") for _ in range(3)]
    for world, seed in zip(worlds, (7, 8, 9), strict=True):
        world.reset(seed=seed)
    for world, again in zip(worlds, (None, 5, None), strict=True):
        world.reset(seed=again)
    assert vector.scenarios == tuple(world.scenario.id for world in worlds)
