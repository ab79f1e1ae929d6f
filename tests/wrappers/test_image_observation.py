"""Smaller and grey images, and a policy that learns from them."""

from __future__ import annotations

from typing import Any, ClassVar

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.utils.env_checker import check_env
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.envs.fiction.pictured import index_of, pictured

from conflictbench.errors import InvalidValue, ResetNeeded, UnknownName
from conflictbench.wrappers import FeatureObservation, ImageObservation
from conflictbench.wrappers.image_observation import area_weights, averaged, gray

STOP = index_of("stop_fans")


def procedural(**kwargs: Any) -> Any:
    """A world drawn by the default world model, in full."""
    return gym.make("ConflictBench/EP1-v0", scenario="EP1-001", **{"observation": "pixels", **kwargs})


@pytest.mark.parametrize("method", ["render", "area"])
@pytest.mark.parametrize("grayscale, channels", [(False, 3), (True, 1)])
def test_observation__has_the_size_asked_for(method: str, grayscale: bool, channels: int) -> None:
    env = ImageObservation(pictured(observation="pixels"), (12, 20), grayscale, method)
    image, _ = env.reset(seed=0)
    assert image.shape == env.observation_space.shape == (12, 20, channels)
    assert image in env.observation_space
    image, *_ = env.step(STOP)
    assert image in env.observation_space


@pytest.mark.parametrize("method", ["render", "area"])
def test_observation__of_a_dict_changes_its_image_alone(method: str) -> None:
    env = ImageObservation(pictured(observation="all"), (12, 20), True, method)
    observed, _ = env.reset(seed=0)
    whole, _ = pictured(observation="all").reset(seed=0)
    assert observed in env.observation_space
    assert observed["text"] == whole["text"]
    assert np.array_equal(observed["features"], whole["features"])


def test_render__makes_the_clips_at_that_size() -> None:
    env = ImageObservation(procedural(), (36, 64))
    image, _ = env.reset(seed=0)
    assert np.array_equal(image, procedural(image_size=(36, 64)).reset(seed=0)[0])


def test_render__later_than_a_reset_needs_another() -> None:
    env = pictured(observation="pixels")
    env.reset(seed=0)
    smaller = ImageObservation(env, (12, 20))
    with pytest.raises(ResetNeeded):
        smaller.step(STOP)
    smaller.reset(seed=0)
    smaller.step(STOP)


def test_render__in_a_regret_test_keeps_its_own_mask() -> None:
    env = ImageObservation(pictured("ConflictBench/Regret-v0"), (12, 20))
    observed, _ = env.reset(seed=0)
    assert observed in env.observation_space
    assert observed["action_mask"].shape == (14,)
    assert observed["image"].shape == (12, 20, 3)


def test_area__of_whole_blocks_is_their_mean() -> None:
    image = np.array([[0, 10, 20, 31], [2, 12, 22, 33]], np.uint8)[..., None]  # means 6 and 26.5, halves up
    small = averaged(image, area_weights(2, 1), area_weights(4, 2))
    assert small[..., 0].tolist() == [[6, 27]]


def test_area__of_parts_of_pixels_weighs_them() -> None:
    image = np.array([[0, 90, 240]], np.uint8)[..., None]  # (0 + 90 / 2) / 1.5 = 30, (90 / 2 + 240) / 1.5 = 190
    assert averaged(image, area_weights(1, 1), area_weights(3, 2))[..., 0].tolist() == [[30, 190]]


@given(before=st.integers(1, 60), after=st.integers(1, 60), level=st.integers(0, 255))
@settings(deadline=None, derandomize=True)
def test_area__of_one_colour_is_that_colour(before: int, after: int, level: int) -> None:
    after = min(before, after)
    rows = area_weights(before, after)
    assert rows.shape == (after, before)
    assert np.allclose(rows.sum(axis=1), 1)
    assert np.allclose(rows.sum(axis=0), after / before)  # every pixel counts alike
    flat = np.full((before, before, 3), level, np.uint8)
    assert np.array_equal(averaged(flat, rows, rows), np.full((after, after, 3), level, np.uint8))


def test_gray__is_brightness() -> None:
    colours = np.array([[[255, 255, 255], [255, 0, 0], [0, 255, 0], [0, 0, 255], [0, 0, 0]]], np.uint8)
    assert gray(colours)[..., 0].tolist() == [[255, 76, 150, 29, 0]]  # 0.299, 0.587, 0.114 of 255


def test_init__what_cannot_be_is_refused() -> None:
    with pytest.raises(TypeError, match="needs images, observation='pixels' say"):
        ImageObservation(pictured(observation="features"))
    with pytest.raises(TypeError, match="needs a fiction environment, not CartPoleEnv"):
        ImageObservation(gym.make("CartPole-v1"))
    with pytest.raises(UnknownName, match="unknown method 'crop'; known: render, area"):
        ImageObservation(pictured(), (12, 20), method="crop")
    with pytest.raises(InvalidValue, match=r"size \(84, 84\) is larger than the images, which are \(24, 32\)"):
        ImageObservation(pictured(), (84, 84), method="area")
    with pytest.raises(InvalidValue, match="size 84 must be"):
        ImageObservation(pictured(), 84)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="action_mask"):
        FeatureObservation(pictured(observation="pixels"))


@pytest.mark.parametrize("method", ["render", "area"])
def test_spec__json_makes_the_same_images(method: str) -> None:
    env = ImageObservation(pictured(observation="pixels"), (12, 20), True, method)
    again = gym.make(EnvSpec.from_json(env.spec.to_json()))
    assert again.observation_space == env.observation_space
    assert np.array_equal(again.reset(seed=0)[0], env.reset(seed=0)[0])


@pytest.mark.filterwarnings("ignore:.*is different from the unwrapped version.*:UserWarning")  # it is a wrapper
@pytest.mark.parametrize("method", ["render", "area"])
def test_checkers__say_nothing(method: str) -> None:
    from stable_baselines3.common.env_checker import check_env as check_sb3

    check_env(
        ImageObservation(pictured(observation="pixels").unwrapped, (12, 20), False, method), skip_render_check=True
    )
    check_sb3(ImageObservation(procedural(), (40, 56), True, method))


@pytest.mark.slow
def test_ppo__learns_from_frames_that_differ_between_states() -> None:
    import torch
    from stable_baselines3 import PPO

    class Seen(gym.ObservationWrapper[Any, Any, Any]):
        """Keeps each distinct frame with the states that it was seen in."""

        frames: ClassVar[dict[bytes, set[tuple[str, int]]]] = {}

        def observation(self, observation: Any) -> Any:
            world = self.unwrapped
            place = (world.scenario.id, world.state_index)
            if world.last_interaction is None or world.scenario.tables.outcome[world.state_index] < 0:
                self.frames.setdefault(observation.tobytes(), set()).add(place)
            return observation

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        env = Seen(ImageObservation(gym.make("ConflictBench/EP1-v0", observation="pixels"), (48, 84)))
        model = PPO("CnnPolicy", env, n_steps=64, batch_size=32, n_epochs=2, seed=0, device="cpu")
        before = [parameter.clone() for parameter in model.policy.parameters()]
        model.learn(256)
        assert any(not torch.equal(a, b) for a, b in zip(before, model.policy.parameters(), strict=True))
    finally:
        torch.set_num_threads(threads)
    states = {state for together in Seen.frames.values() for state in together}
    assert len(states) > 20
    assert len(Seen.frames) >= len(states)
    assert all(len(together) == 1 for together in Seen.frames.values())  # no frame stands for two states
