"""`FeatureObservation` over a text world equals the features world."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec

from conflictbench.errors import UnknownName
from conflictbench.wrappers import FeatureObservation, History

EP1 = "ConflictBench/EP1-v0"


@pytest.mark.parametrize("dtype", ["float32", "uint8"])
def test_observation__equals_the_features_worlds(dtype: Any) -> None:
    wrapped = FeatureObservation(gym.make(EP1, mask="available"), dtype=dtype)
    native = gym.make(EP1, mask="available", observation="features", features_dtype=dtype)
    assert wrapped.observation_space == native.observation_space
    left, right = wrapped.reset(seed=0)[0], native.reset(seed=0)[0]
    for action in (0, 1, 11):
        assert left.keys() == right.keys()
        assert all(np.array_equal(left[key], right[key]) and left[key].dtype == right[key].dtype for key in left)
        assert left in wrapped.observation_space
        left, right = wrapped.step(action)[0], native.step(action)[0]


def test_flat__is_the_bare_box_and_masks_stay_within_reach() -> None:
    wrapped = FeatureObservation(gym.make(EP1, mask="available"), flat=True)
    observation, _ = wrapped.reset(seed=0)
    assert wrapped.observation_space == gym.spaces.Box(0.0, 1.0, (32,), np.float32)
    assert observation in wrapped.observation_space
    assert wrapped.action_masks().tolist() == wrapped.unwrapped.action_masks().tolist()
    assert wrapped.get_wrapper_attr("action_masks")().dtype == np.bool_


def test_init__over_other_wrappers_works() -> None:
    wrapped = FeatureObservation(History(gym.make(EP1)))
    assert wrapped.reset(seed=0)[0] in wrapped.observation_space


def test_init__unknown_dtype_lists_the_known() -> None:
    with pytest.raises(UnknownName, match="known: float32, uint8"):
        FeatureObservation(gym.make(EP1), dtype="int8")  # type: ignore[arg-type]


def test_init__another_environment_is_refused() -> None:
    with pytest.raises(TypeError, match="needs a fiction environment, not CartPoleEnv"):
        FeatureObservation(gym.make("CartPole-v1"))


def test_spec__rebuilds_the_wrapper_from_json() -> None:
    wrapped = FeatureObservation(gym.make(EP1), dtype="uint8", flat=True)
    again = gym.make(EnvSpec.from_json(wrapped.spec.to_json()))
    assert again.observation_space == wrapped.observation_space


def test_sb3_check_env__says_nothing_on_either_form() -> None:
    from stable_baselines3.common.env_checker import check_env

    check_env(FeatureObservation(gym.make(EP1)))
    check_env(FeatureObservation(gym.make(EP1), flat=True))
