"""What is seen of a world: images of the newest clip, clips in info, and what gives none."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from itertools import pairwise
from typing import Any, ClassVar

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.utils.env_checker import check_env
from tests.contract.env_contract import EnvContract, rollout_digest
from tests.envs.fiction.pictured import SMALL, index_of, pictured

from conflictbench.envs.visual.clip import Clip, Geometry
from conflictbench.envs.visual.episode import EpisodePictures
from conflictbench.errors import NotYetAvailable

STOP, REVERSE, SHAFT = (index_of(action) for action in ("stop_fans", "reverse_fans", "open_shaft"))
IDS = ("ConflictBench/EP1-v0", "ConflictBench/EP2-v0", "ConflictBench/EP3-v0")


class TestVisual(EnvContract):
    env_id = "ConflictBench/EP1-v0"
    kwargs: ClassVar[dict[str, Any]] = {"observation": "visual", **SMALL}


class TestPixels(EnvContract):
    env_id = "ConflictBench/EP2-v0"
    kwargs: ClassVar[dict[str, Any]] = {"observation": "pixels", **SMALL}


class TestAll(EnvContract):
    env_id = "ConflictBench/EP3-v0"
    kwargs: ClassVar[dict[str, Any]] = {"observation": "all", "features_dtype": "uint8", **SMALL}


@pytest.mark.parametrize("env_id", IDS)
@pytest.mark.parametrize(
    "observation, parts",
    [
        ("visual", {"action_mask", "image", "text"}),
        ("all", {"action_mask", "features", "image", "text"}),
        ("pixels", None),
    ],
)
def test_reset__observes_its_parts(env_id: str, observation: str, parts: set[str] | None) -> None:
    env = gym.make(env_id, observation=observation, world_model="fake", clips=False)
    observed, info = env.reset(seed=0)
    image = observed if parts is None else observed["image"]
    assert parts is None or set(observed) == parts
    assert (image.shape, image.dtype) == ((480, 832, 3), np.uint8)
    assert observed in env.observation_space
    assert (info["new_clips"], info["image_missing"]) == (1, False)
    assert env.unwrapped.action_masks().shape == (12,)


def test_step__an_executed_action_alone_gives_a_clip() -> None:
    env = pictured()
    first = env.reset(seed=0)[0]["image"]
    seen = []
    for act, event in (
        (lambda: env.step(SHAFT), "rejected"),
        (lambda: env.unwrapped.command("sing"), "unknown"),
        (lambda: env.unwrapped.command("look"), "free"),
        (lambda: env.step(STOP), "accepted"),
        (lambda: env.unwrapped.command("examine the moon"), "unknown"),
    ):
        observed, _, _, _, info = act()
        assert info["event"] == event
        seen.append((info["new_clips"], observed["image"]))
    assert [new for new, _ in seen] == [0, 0, 0, 1, 0]
    assert all(np.array_equal(image, first) for _, image in seen[:3])
    assert not np.array_equal(seen[3][1], first)
    assert np.array_equal(seen[4][1], seen[3][1])


def test_step__the_end_keeps_the_last_image() -> None:
    env = pictured()
    image, ended = env.reset(seed=0)[0]["image"], False
    while not ended:
        before = image
        action = int(np.flatnonzero(env.unwrapped.scenario.tables.accepted[env.unwrapped.state_index])[0])
        observed, _, ended, _, info = env.step(action)
        image = observed["image"]
        assert info["event"] == "accepted"
        assert info["new_clips"] == (0 if ended else 1)
    assert np.array_equal(image, before)


def test_step__the_cap_is_ten_with_images_and_its_last_action_has_a_clip() -> None:
    assert pictured().unwrapped.max_interactions == 10
    assert pictured(observation="text").unwrapped.max_interactions == 14
    assert pictured(max_interactions=12).unwrapped.max_interactions == 12
    env = pictured(max_interactions=1)
    env.reset(seed=0)
    _, _, _, truncated, info = env.step(STOP)
    assert truncated
    assert info["new_clips"] == 1


def test_reset__begins_with_the_base_clip_again() -> None:
    env = pictured()
    first = env.reset(seed=0)[0]["image"]
    env.step(STOP)
    again, info = env.reset(seed=0)
    assert info["new_clips"] == 1
    assert np.array_equal(again["image"], first)
    other = pictured(scenario="EP1-002")
    assert not np.array_equal(other.reset(seed=0)[0]["image"], first)


def test_image__is_the_callers_own() -> None:
    env = pictured()
    image = env.reset(seed=0)[0]["image"]
    kept = image.copy()
    image[:] = 7
    assert np.array_equal(env.step(SHAFT)[0]["image"], kept)


def test_clip_info__gives_the_clip_and_the_frames_a_model_sees() -> None:
    env = pictured(observation="text", clip_info=("clip", "frames"))
    _, info = env.reset(seed=0)
    assert isinstance(info["clip"], Clip)
    assert info["clip"].geometry == Geometry(32, 24)
    assert info["frames"].shape == (3, 24, 32, 3)  # 16, 32, 48
    _, _, _, _, info = env.step(STOP)
    for place, index in enumerate((16, 32, 48)):
        assert np.array_equal(info["frames"][place], info["clip"].frame(index))
    assert "frames" not in pictured(clip_info=["clip"]).reset(seed=0)[1]
    four = pictured(clip_info=["frames"], first_frame=True).reset(seed=0)[1]["frames"]
    assert four.shape == (4, 24, 32, 3)


def test_info__says_nothing_of_pictures_that_only_the_screen_shows() -> None:
    env = pictured(observation="text", render_mode="rgb_array")
    _, info = env.reset(seed=0)
    assert not {"new_clips", "image_missing", "clip", "frames"} & set(info)


@pytest.mark.parametrize("observation", ["text", "features", "visual", "pixels", "all"])
def test_render__gives_the_image(observation: str) -> None:
    env = pictured(observation=observation, render_mode="rgb_array")
    env.reset(seed=0)
    first = env.render()
    assert (first.shape, first.dtype) == ((24, 32, 3), np.uint8)
    observed = env.step(STOP)[0]
    assert not np.array_equal(env.render(), first)
    if observation == "pixels":
        assert np.array_equal(env.render(), observed)
    check_env(pictured(observation=observation, render_mode="rgb_array").unwrapped, skip_render_check=True)


def test_render__a_list_is_every_frame_since_the_last_call() -> None:
    env = pictured(render_mode="rgb_array_list")
    env.reset(seed=0)
    assert len(env.render()) == 49
    env.step(STOP)
    env.step(REVERSE)
    frames = env.render()
    assert len(frames) == 98
    assert np.array_equal(frames[49], frames[48])  # the fake continues where the clip before it stopped
    (still,) = env.render()
    assert np.array_equal(still, frames[-1])


def test_render__later_than_the_episode_shows_where_it_stands() -> None:
    late, prompt = (pictured(observation="text", render_mode="rgb_array") for _ in range(2))
    for env in (late, prompt):
        env.reset(seed=0)
        for action in (STOP, REVERSE):
            env.step(action)
            if env is prompt:
                env.render()
    assert np.array_equal(late.render(), prompt.render())


@pytest.mark.parametrize("env_id", [*IDS, "ConflictBench/Regret-v0"])
@pytest.mark.parametrize("observation", ["text", "features", "visual", "pixels", "all"])
@pytest.mark.parametrize("render_mode", ["rgb_array", "rgb_array_list"])
@pytest.mark.filterwarnings("ignore:.*Overwriting existing videos.*:UserWarning")  # the folder is the test's own
def test_record_video__films_every_world(env_id: str, observation: str, render_mode: str, tmp_path: Any) -> None:
    pytest.importorskip("moviepy", reason="RecordVideo needs moviepy")
    import av

    env = gym.wrappers.RecordVideo(
        gym.make(env_id, observation=observation, render_mode=render_mode, **SMALL),
        str(tmp_path),
        episode_trigger=lambda episode: True,
    )
    env.reset(seed=0)
    for action in range(3):
        env.step(action)
    env.close()
    (video,) = tmp_path.glob("*.mp4")
    with av.open(str(video)) as container:
        assert sum(1 for _ in container.decode(video=0)) == 4  # one a reset or step


def test_image_size__is_that_of_space_images_and_clips() -> None:
    env = pictured(image_size=[36, 60], clip_info=["clip"])
    observed, info = env.reset(seed=0)
    assert observed["image"].shape == env.observation_space["image"].shape == (36, 60, 3)
    assert info["clip"].geometry == Geometry(60, 36)


def test_spec__json_makes_the_same_pictures() -> None:
    env = pictured(overlay="telemetry", clip_seed=3, clip_info=("frames",), missing_image="blank")
    again = gym.make(EnvSpec.from_json(env.spec.to_json()))
    assert again.unwrapped.config == env.unwrapped.config
    assert rollout_digest(again, seed=1, episodes=1) == rollout_digest(env, seed=1, episodes=1)


def test_clip_seed_and_overlay__make_other_pictures() -> None:
    plain = pictured().reset(seed=0)[0]["image"]
    for other in ({"clip_seed": 1}, {"overlay": "none"}):
        assert not np.array_equal(pictured(**other).reset(seed=0)[0]["image"], plain)


@pytest.mark.parametrize("render_mode", [None, "rgb_array", "rgb_array_list"])
def test_deepcopy_and_pickle__are_branches_of_the_episode(render_mode: str | None) -> None:
    env = pictured(render_mode=render_mode).unwrapped
    env.reset(seed=0)
    env.step(STOP)
    for branch in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        mine, theirs = env.observe()["image"], branch.observe()["image"]
        assert np.array_equal(mine, theirs)
        branch.step(REVERSE)
        assert not np.array_equal(branch.observe()["image"], mine)
        assert np.array_equal(env.observe()["image"], mine)


def test_text__without_pictures_imports_no_drawing(tmp_path: Any) -> None:
    script = (
        "import sys, gymnasium as gym, conflictbench\n"
        "env = gym.make('ConflictBench/EP1-v0', render_mode=sys.argv[1] or None)\n"
        "env.reset(seed=0); env.step(0)\n"
        "print([name for name in ('skia', 'av', 'PIL', 'zstandard') if name in sys.modules])\n"
    )
    for mode in ("", "rgb_array"):  # asked for, and not looked at
        done = subprocess.run([sys.executable, "-c", script, mode], capture_output=True, text=True, check=True)
        assert done.stdout == "[]\n"


@pytest.mark.parametrize("observation", ["visual", "pixels", "all"])
def test_make__without_the_extra_says_how_to_get_it(observation: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from conflictbench.envs.visual import episode

    episode._world_model.cache_clear()
    monkeypatch.setitem(sys.modules, "skia", None)
    with pytest.raises(NotYetAvailable, match=r"it needs skia, of the extra 'visual': .*pip install .*\[visual\]'"):
        gym.make("ConflictBench/EP1-v0", observation=observation)


def test_pictures__procedural_ones_differ_between_states() -> None:
    env = gym.make("ConflictBench/EP1-v0", scenario="EP1-001", observation="pixels", image_size=(60, 104))
    image, _ = env.reset(seed=0)
    images = [image]
    for action in map(index_of, ("stop_fans", "reverse_fans", "divert_air", "unlock_door")):
        image, _, ended, _, info = env.step(action)
        assert (info["event"], ended) == ("accepted", False)
        images.append(image)
    distances = [np.abs(a.astype(int) - b).mean() for a, b in pairwise(images)]
    assert min(distances) > 1.0  # of 255, over all pixels


def test_pictures__are_none_where_nothing_shows_any() -> None:
    assert pictured(observation="text").unwrapped.pictures is None
    assert isinstance(pictured().unwrapped.pictures, EpisodePictures)
