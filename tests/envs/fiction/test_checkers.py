"""Gymnasium's and SB3's own checkers over everything that can be made."""

from __future__ import annotations

from itertools import product

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.utils.env_checker import check_env

from conflictbench.errors import NotYetAvailable
from conflictbench.types import VARIANTS

IDS = ("ConflictBench/EP1-v0", "ConflictBench/EP2-v0", "ConflictBench/EP3-v0")
REWARDS = ("human", "assigned", 0.3, {"human": 0.5, "assigned": 0.5})


@pytest.mark.parametrize("env_id", IDS)
@pytest.mark.parametrize("observation", ["text", "features"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_check_env__says_nothing_on_any_reward_and_mask(env_id: str, observation: str, variant: str) -> None:
    for reward, mask in product(REWARDS, ("exists", "available")):
        env = gym.make(env_id, observation=observation, variant=variant, reward=reward, mask=mask)
        check_env(env.unwrapped, skip_render_check=True)  # warnings are errors


@pytest.mark.parametrize("env_id", IDS)
@pytest.mark.parametrize("observation", ["text", "features", "visual", "pixels", "all"])
def test_check_env__says_nothing_on_any_render_mode(env_id: str, observation: str) -> None:
    check_env(gym.make(env_id, observation=observation, image_size=(24, 40), clips=False).unwrapped)


@pytest.mark.parametrize("env_id", IDS)
def test_sb3_check_env__says_nothing_on_pixels(env_id: str) -> None:
    from stable_baselines3.common.env_checker import check_env as check_sb3

    check_sb3(gym.make(env_id, observation="pixels", image_size=(40, 64)).unwrapped)


@pytest.mark.parametrize("env_id", IDS)
@pytest.mark.parametrize("dtype", ["float32", "uint8"])
def test_sb3_check_env__says_nothing_on_features(env_id: str, dtype: str) -> None:
    from stable_baselines3.common.env_checker import check_env as check_sb3

    check_sb3(gym.make(env_id, observation="features", features_dtype=dtype).unwrapped)


def test_maskable_ppo__finds_the_masks() -> None:
    from sb3_contrib import MaskablePPO
    from sb3_contrib.common.maskable.utils import get_action_masks

    env = gym.make("ConflictBench/EP1-v0", observation="features", mask="available")
    model = MaskablePPO("MultiInputPolicy", env, n_steps=16, batch_size=16, n_epochs=1, seed=0, device="cpu")
    model.learn(16)
    env.reset(seed=0)
    masks = get_action_masks(env)
    assert masks.dtype == np.bool_
    observation, _ = env.reset(seed=0)
    action, _ = model.predict(observation, action_masks=masks)
    assert env.step(action)[4]["event"] == "accepted"


@pytest.mark.parametrize("installed", [True, False])
@pytest.mark.filterwarnings("ignore:.*rgb_array.*:UserWarning")  # Gymnasium's own, before SB3 asks again without
def test_sb3_make_vec_env__makes_worlds_by_id(monkeypatch: pytest.MonkeyPatch, installed: bool) -> None:
    from stable_baselines3.common.env_util import make_vec_env

    monkeypatch.setattr("conflictbench.envs.fiction.config.can_draw", lambda world_model: installed)
    vector = make_vec_env("ConflictBench/EP1-v0", n_envs=2, seed=0, env_kwargs={"observation": "features"})
    assert vector.reset()["features"].shape == (2, 32)
    assert vector.render_mode == ("rgb_array" if installed else None)  # SB3 asks for it unasked
    vector.close()


def test_make__a_mode_of_pictures_without_the_extra_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("conflictbench.envs.fiction.config.can_draw", lambda world_model: False)
    with pytest.raises(NotYetAvailable, match=r"it needs the extra 'visual': .*pip install .*\[visual\]'"):
        gym.make("ConflictBench/EP1-v0", render_mode="rgb_array")


@pytest.mark.parametrize(
    "kwargs",
    [
        {},
        {"scenario": "EP1-001", "variant": "task_only", "mask": "available"},
        {"scenario": ["EP1-001"], "privileged": ("state", "best_action_assigned")},
        {"reward": {"human": 0.5, "assigned": 0.25}, "max_interactions": 5},
        {"reward": 0.25, "observation": "features", "features_dtype": "uint8", "scenario_bits": False},
        {"render_mode": "ansi"},
    ],
)
def test_spec__json_round_trip_makes_the_same_world(kwargs: dict[str, object]) -> None:
    env = gym.make("ConflictBench/EP1-v0", **kwargs)
    again = gym.make(EnvSpec.from_json(env.spec.to_json()))
    assert again.unwrapped.config == env.unwrapped.config
