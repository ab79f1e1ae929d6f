"""The clips of an episode: made when looked at, each from the one before; and what a full disk does to them."""

from __future__ import annotations

import errno
import os
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.envs.fiction.pictured import SMALL, index_of, pictured

from conflictbench.envs.visual import episode
from conflictbench.envs.visual.clip import Clip, Frame
from conflictbench.envs.visual.episode import EpisodePictures
from conflictbench.envs.visual.fake import FakeWorldModel
from conflictbench.envs.visual.scene import AnyTransition, Scene
from conflictbench.envs.visual.settings import PictureSettings
from conflictbench.errors import ClipStoreFull, InvalidValue, UnknownName
from conflictbench.scenario_specs import get_scenario

SCENARIO, PACK = "EP1-001", "core"
TABLES = get_scenario(SCENARIO).tables
STOP, REVERSE = index_of("stop_fans"), index_of("reverse_fans")
AFTER_STOP = int(TABLES.next_state[0, STOP])
AFTER_BOTH = int(TABLES.next_state[AFTER_STOP, REVERSE])


class Counting(FakeWorldModel):
    """The fake, with a note of every clip it was asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.continued: list[Frame] = []

    def base(self, scene: Scene, seed: int) -> Clip:
        self.asked.append("base")
        return super().base(scene, seed)

    def step(self, scene: Scene, last_frame: Frame, transition: AnyTransition, seed: int) -> Clip:
        self.asked.append("/".join(transition.chain))
        self.continued.append(last_frame)
        return super().step(scene, last_frame, transition, seed)


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Counting:
    counting = Counting()
    monkeypatch.setattr(episode, "_world_model", lambda name: counting)
    return counting


def pictures(**settings: Any) -> EpisodePictures:
    made = EpisodePictures(PictureSettings(**{"world_model": "fake", "size": (24, 32), **settings}))
    made.begin(SCENARIO, PACK)
    return made


def play(made: EpisodePictures) -> None:
    made.interact()
    made.act("stop_fans", 0, AFTER_STOP)
    made.interact()
    made.act("reverse_fans", AFTER_STOP, AFTER_BOTH)


def test_clips__are_made_when_looked_at_and_once(model: Counting) -> None:
    made = pictures()
    play(made)
    assert model.asked == []
    for _ in range(3):
        _ = made.image, made.new, made.newest, made.info()
    assert model.asked == ["base", "stop_fans", "stop_fans/reverse_fans"]


def test_clips__each_continues_the_last_frame_of_the_one_before(model: Counting) -> None:
    made = pictures()
    made.interact()
    first = made.image
    made.act("stop_fans", 0, AFTER_STOP)
    second = made.image
    made.interact()
    made.act("reverse_fans", AFTER_STOP, AFTER_BOTH)
    _ = made.image
    assert np.array_equal(model.continued[0], first)
    assert np.array_equal(model.continued[1], second)


def test_new__is_of_the_last_interaction_alone(model: Counting) -> None:
    made = pictures()
    assert [shown.name for shown in made.new] == ["base"]
    play(made)
    assert [shown.name for shown in made.new] == ["reverse_fans"]  # the other was made too, and is not new
    made.interact()
    assert made.new == ()
    assert made.newest.name == "reverse_fans"


def test_new__an_action_and_a_stage_in_one_interaction_are_two(model: Counting) -> None:
    made = pictures()
    made.interact()
    _ = made.new
    made.act("stop_fans", 0, AFTER_STOP)
    made.stage(1, AFTER_STOP)
    assert [shown.name for shown in made.new] == ["stop_fans", "stage:1"]
    assert model.asked == ["base", "stop_fans", "stop_fans/stage:1"]


def test_key__is_that_of_the_chain_and_of_every_setting() -> None:
    keys = {pictures().newest.key}
    for other in ({"clip_seed": 1}, {"overlay": "none"}, {"size": (24, 40)}):
        keys.add(pictures(**other).newest.key)
    made = pictures()
    play(made)
    keys.add(made.newest.key)
    assert len(keys) == 5
    assert all(len(key) == 64 for key in keys)
    again = pictures()
    play(again)
    assert again.newest.key == made.newest.key


def test_digest__is_there_where_a_store_keeps_the_clip(tmp_path: Path) -> None:
    assert pictures().newest.digest == ""
    kept, again = (pictures(clips=str(tmp_path)).newest.digest for _ in range(2))
    assert len(kept) == 64
    assert kept == again


def test_store__keeps_what_is_looked_at_and_gives_it_again(model: Counting, tmp_path: Path) -> None:
    made = pictures(clips=str(tmp_path))
    play(made)
    image = made.image
    again = pictures(clips=str(tmp_path))
    play(again)
    assert np.array_equal(again.image, image)
    assert model.asked == ["base", "stop_fans", "stop_fans/reverse_fans"]
    assert len(list((tmp_path / "nodes").glob("??/*"))) == 3


class FullDisk:
    """Every write fails for want of space, until there is some."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.full = True
        self._write = os.write
        monkeypatch.setattr(os, "write", self.write)

    def write(self, handle: int, data: Any) -> int:
        if self.full:
            raise OSError(errno.ENOSPC, "No space left on device")
        return self._write(handle, data)


def test_full_disk__is_an_error_that_names_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    FullDisk(monkeypatch)
    env = pictured(clips=str(tmp_path / "clips"))
    with pytest.raises(ClipStoreFull, match=r"the disk is full.*clips"):
        env.reset(seed=0)


def test_full_disk__the_episode_goes_on_in_black_if_asked_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    disk = FullDisk(monkeypatch)
    kwargs = SMALL | {"clips": str(tmp_path / "clips"), "missing_image": "blank", "clip_info": ["frames", "clip"]}
    env = pictured(**kwargs)
    observed, info = env.reset(seed=0)
    assert not observed["image"].any()
    assert (info["image_missing"], info["new_clips"]) == (True, 1)
    assert not {"clip", "frames"} & set(info)
    observed, _, _, _, info = env.step(STOP)
    assert info["event"] == "accepted"
    assert not observed["image"].any()
    assert (info["image_missing"], info["new_clips"]) == (True, 1)
    disk.full = False  # what is missing is made before what continues it
    observed, _, _, _, info = env.step(REVERSE)
    assert (info["image_missing"], info["new_clips"]) == (False, 1)
    wanted = pictured(clips=False)
    wanted.reset(seed=0)
    wanted.step(STOP)
    assert np.array_equal(observed["image"], wanted.step(REVERSE)[0]["image"])


def test_full_disk__is_tried_once_an_interaction(
    model: Counting, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    FullDisk(monkeypatch)
    made = pictures(clips=str(tmp_path / "clips"), missing_image="blank")
    _ = made.image, made.info(), made.new
    assert model.asked == ["base"]
    made.interact()
    made.act("stop_fans", 0, AFTER_STOP)
    assert [(shown.name, shown.clip) for shown in made.new] == [("stop_fans", None)]
    assert model.asked == ["base", "base"]


def test_other_faults_of_the_store__are_errors_in_any_case(tmp_path: Path) -> None:
    (tmp_path / "clips").write_text("a file, no folder")
    with pytest.raises(Exception, match="cannot be used") as raised:
        pictured(clips=str(tmp_path / "clips"), missing_image="blank").reset(seed=0)
    assert not isinstance(raised.value, ClipStoreFull)


@pytest.mark.parametrize(
    "kwargs, error, message",
    [
        ({"world_model": "wan"}, UnknownName, "unknown world model 'wan'; known: fake, procedural"),
        ({"overlay": "all"}, UnknownName, "unknown overlay 'all'; known: none, cctv, telemetry"),
        ({"missing_image": "skip"}, UnknownName, "unknown missing_image 'skip'; known: error, blank"),
        ({"clip_info": ("film",)}, UnknownName, "unknown clip_info 'film'; known: clip, frames"),
        (
            {"clip_info": "clip"},
            InvalidValue,
            r"clip_info 'clip' must be a list or tuple of names, such as \('clip',\)",
        ),
        ({"clip_info": ("clip", "clip")}, InvalidValue, "names clip more than once"),
        ({"first_frame": 1}, InvalidValue, "first_frame 1 must be True or False"),
        ({"clips": 3}, InvalidValue, "clips 3 must be True, False, the path of a folder"),
        ({"clips": ""}, InvalidValue, "clips '' must be"),
        ({"clips": "a\0b"}, InvalidValue, "a path holds no NUL character"),
        ({"clip_seed": -1}, InvalidValue, "clip_seed -1 must be a whole number from 0 to 4,294,967,295"),
        ({"clip_seed": True}, InvalidValue, "clip_seed True"),
        ({"image_size": 84}, InvalidValue, r"image_size 84 must be \(height, width\), whole numbers from 8 to 4,096"),
        ({"image_size": (84, 84, 3)}, InvalidValue, r"image_size \(84, 84, 3\) must"),
        ({"image_size": (7, 84)}, InvalidValue, "image_size"),
        ({"image_size": (84.0, 84)}, InvalidValue, "image_size"),
    ],
)
def test_arguments__outside_their_lists_are_refused(kwargs: dict[str, Any], error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        pictured(**kwargs)


@pytest.mark.parametrize(
    "observation, clips, kept",
    [
        ("visual", None, True),
        ("all", None, True),
        ("pixels", None, False),
        ("pixels", True, True),
        ("visual", False, False),
    ],
)
def test_clips__are_kept_where_people_or_models_look_on(
    observation: str, clips: bool | None, kept: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONFLICTBENCH_CLIPS", str(tmp_path / "clips"))
    pictured(observation=observation, clips=clips).reset(seed=0)
    assert (tmp_path / "clips").exists() is kept


def test_clips__off_keeps_none_and_a_tilde_is_the_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    pictured(clips="off").reset(seed=0)
    assert list(tmp_path.iterdir()) == []
    pictured(clips="~/kept").reset(seed=0)
    assert (tmp_path / "home" / "kept" / "nodes").is_dir()


@pytest.mark.parametrize("stored", [False, True])
def test_clip__in_info_and_a_world_in_mid_episode_can_be_pickled(stored: bool, tmp_path: Path) -> None:
    world = pictured(clip_info=("clip",), clips=str(tmp_path) if stored else False)
    world.reset(seed=0)
    clip = world.step(index_of("stop_fans"))[4]["clip"]
    again = pickle.loads(pickle.dumps(clip))
    assert [frame.tobytes() for frame in again.frames()] == [frame.tobytes() for frame in clip.frames()]
    branch = pickle.loads(pickle.dumps(world))
    one, other = (each.step(index_of("reverse_fans")) for each in (world, branch))
    assert np.array_equal(one[0]["image"], other[0]["image"])
    assert np.array_equal(one[4]["clip"].frame(7), other[4]["clip"].frame(7))
