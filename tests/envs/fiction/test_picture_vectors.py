"""Worlds with images in vectors: the registered one, and Gymnasium's own in processes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from tests.envs.fiction.pictured import SCENARIO, SMALL, index_of, pictured

STOP, SHAFT = index_of("stop_fans"), index_of("open_shaft")


def scalar(observation: str, actions: tuple[int, ...]) -> list[Any]:
    env = pictured(observation=observation)
    seen = [env.reset(seed=0)[0]]
    return [*seen, *(env.step(action)[0] for action in actions)]


@pytest.mark.parametrize("env_id", ["ConflictBench/EP1-v0", "ConflictBench/Regret-v0"])
@pytest.mark.parametrize("observation", ["visual", "pixels", "all"])
def test_make_vec__is_the_scalar_worlds_side_by_side(env_id: str, observation: str) -> None:
    envs = gym.make_vec(env_id, num_envs=2, scenario=SCENARIO, observation=observation, **SMALL)
    observed, info = envs.reset(seed=0)
    images = [observed if observation == "pixels" else observed["image"]]
    assert observed in envs.observation_space
    assert info["new_clips"].tolist() == [1, 1]
    observed, _, _, _, info = envs.step(np.array([STOP, SHAFT]))
    images.append(observed if observation == "pixels" else observed["image"])
    assert info["new_clips"].tolist() == [1, 0]
    for number, action in enumerate((STOP, SHAFT)):
        for place, alone in enumerate(scalar(observation, (action,))):
            wanted = alone if observation == "pixels" else alone["image"]
            assert np.array_equal(images[place][number], wanted)
    envs.close()


@pytest.mark.parametrize("observation", ["features", "pixels"])
def test_make_vec__frames_in_info_are_one_array(observation: str) -> None:
    asked = {"observation": observation, "clip_info": ["frames", "clip"], **SMALL}
    envs = gym.make_vec("ConflictBench/EP1-v0", num_envs=2, scenario=SCENARIO, **asked)
    _, info = envs.reset(seed=0)
    assert info["frames"].shape == (2, 3, 24, 32, 3)
    assert info["clip"].dtype == object
    envs.close()


@pytest.mark.parametrize(
    "observation, shared_memory",
    [("pixels", True), ("pixels", False), ("visual", False), ("all", False)],  # Text in shared memory: see the docs
)
def test_async__is_the_scalar_worlds_in_processes(observation: str, shared_memory: bool) -> None:
    envs = gym.make_vec(
        "ConflictBench/EP1-v0",
        num_envs=2,
        vectorization_mode="async",
        vector_kwargs={"shared_memory": shared_memory},
        scenario=SCENARIO,
        observation=observation,
        **SMALL,
    )
    try:
        observed, _ = envs.reset(seed=0)
        first = observed if observation == "pixels" else observed["image"]
        assert np.array_equal(first[1], _image(scalar(observation, ())[0]))
        observed, _, _, _, info = envs.step(np.array([STOP, SHAFT]))
        after = observed if observation == "pixels" else observed["image"]
        assert np.array_equal(after[0], _image(scalar(observation, (STOP,))[1]))
        assert info["new_clips"].tolist() == [1, 0]
    finally:
        envs.close()


def test_async__images_are_right_in_shared_memory_beside_a_text() -> None:
    envs = gym.make_vec(
        "ConflictBench/EP1-v0", num_envs=2, vectorization_mode="async", scenario=SCENARIO, observation="visual", **SMALL
    )
    try:
        observed, _ = envs.reset(seed=0)
        assert np.array_equal(observed["image"][0], _image(scalar("visual", ())[0]))
    finally:
        envs.close()


@pytest.mark.parametrize("world_model", ["fake", "procedural"])
@pytest.mark.parametrize("kept", [False, True])
def test_async__clips_in_info_have_the_frames_of_the_scalar_world(world_model: str, kept: bool, tmp_path: Path) -> None:
    if world_model == "procedural":
        pytest.importorskip("skia", reason="the extra `visual` is not installed")
    asked: dict[str, Any] = {
        **SMALL,
        "world_model": world_model,
        "observation": "visual",
        "clip_info": ("clip",),
        "clips": str(tmp_path) if kept else False,
    }
    alone = pictured(**asked)
    clips = [alone.reset(seed=0)[1]["clip"], alone.step(STOP)[4]["clip"]]
    envs = gym.make_vec(
        "ConflictBench/EP1-v0",
        num_envs=2,
        vectorization_mode="async",
        vector_kwargs={"shared_memory": False},
        scenario=SCENARIO,
        **asked,
    )
    try:
        _, info = envs.reset(seed=0)
        told = [info["clip"][1]]
        _, _, _, _, info = envs.step(np.array([SHAFT, STOP]))
        told.append(info["clip"][1])
        assert info["new_clips"].tolist() == [0, 1]
    finally:
        envs.close()
    for clip, wanted in zip(told, clips, strict=True):
        frames = list(clip.frames())
        assert len(frames) == 49
        assert all(np.array_equal(frame, other) for frame, other in zip(frames, wanted.frames(), strict=True))
    assert not np.array_equal(told[0].last, told[1].last)


def _image(observed: Any) -> Any:
    return observed["image"] if isinstance(observed, dict) else observed
