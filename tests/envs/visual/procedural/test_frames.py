"""Frames of the procedural world model: the same in any order and process, of any size, within their memory."""

from __future__ import annotations

import os
import platform
import random
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from hashlib import blake2b

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.envs.visual.scenes import regret_scene, scene

from conflictbench.envs.visual.clip import Clip, Geometry
from conflictbench.envs.visual.procedural.director import Director
from conflictbench.envs.visual.procedural.identity import overlay_mask
from conflictbench.envs.visual.procedural.layers import MAX_SPRITE_BYTES
from conflictbench.envs.visual.procedural.model import ProceduralWorldModel
from conflictbench.envs.visual.procedural.timeline import beat
from conflictbench.envs.visual.scene import Scene, StageTransition, make_scene
from conflictbench.scenario_specs import get_scenario

pytest.importorskip("skia", reason="the extra `visual` is not installed")

SMALL = Geometry(208, 120, 49, 16)
CHAIN = ("valve_clinic", "start_pump")
Job = tuple[int, int]  # a clip of the chain (0: the base clip), a frame


FRAMES = """  # prints a digest of some
from hashlib import blake2b
from conflictbench.envs.visual.clip import Geometry
from conflictbench.envs.visual.procedural.model import ProceduralWorldModel
from conflictbench.envs.visual.scene import make_scene
from conflictbench.scenario_specs import get_scenario
drawn = make_scene(get_scenario("EP1-001"), "telemetry", Geometry(208, 120))
model = ProceduralWorldModel()
base = model.base(drawn, 5)
clip = model.step(drawn, base.last, drawn.follow(["stop_fans"])[0], 5)
print(blake2b(b"".join(c.frame(i).tobytes() for c in (base, clip) for i in (0, 16, 32, 48))).hexdigest())
"""


def clips(drawn: Scene, model: ProceduralWorldModel, seed: int = 0) -> list[Clip]:
    """The base clip and those of the chain."""
    base = model.base(drawn, seed)
    return [base, *(model.step(drawn, base.last, transition, seed) for transition in drawn.follow(CHAIN))]


def digests(drawn: Scene, model: ProceduralWorldModel, jobs: list[Job], *, forget: bool = False) -> dict[Job, str]:
    """Hash of each frame, drawn in the order of the jobs."""
    made = clips(drawn, model)
    found = {}
    for clip, frame in jobs:
        if forget:
            model.director(drawn, 0).stage.sprites.clear()
        found[clip, frame] = blake2b(made[clip].frame(frame).tobytes()).hexdigest()
    return found


def test_frame__does_not_depend_on_order_or_on_what_is_kept() -> None:
    drawn = scene(geometry=SMALL)
    jobs = [(clip, frame) for clip in range(3) for frame in range(0, 49, 6)]
    in_order = digests(drawn, ProceduralWorldModel(), jobs)
    mixed = jobs.copy()
    random.Random(3).shuffle(mixed)
    assert digests(drawn, ProceduralWorldModel(), mixed) == in_order
    assert digests(drawn, ProceduralWorldModel(), mixed[::-1], forget=True) == in_order
    assert len(set(in_order.values())) == len(jobs)


def test_frame__is_the_same_with_no_room_for_sprites_at_all() -> None:
    drawn = scene(geometry=Geometry(104, 60))
    (transition,) = drawn.follow(CHAIN[:1])
    kept, bare = Director(drawn, 0), Director(drawn, 0, cache_bytes=0)
    for index in (0, 16, 24, 32, 48):
        assert np.array_equal(kept.frame(kept.plan(transition), index), bare.frame(bare.plan(transition), index)), index
    assert len(bare.stage.sprites) == 0


def test_frame__is_the_same_in_two_processes_under_other_locales_zones_and_hash_seeds() -> None:
    seen = set()
    for settings in (
        {"LC_ALL": "C", "TZ": "UTC", "PYTHONHASHSEED": "1"},
        {"LC_ALL": "tr_TR.UTF-8", "TZ": "Asia/Tokyo", "PYTHONHASHSEED": "77"},
    ):
        done = subprocess.run(
            [sys.executable, "-c", FRAMES], env={**os.environ, **settings}, capture_output=True, text=True, check=True
        )
        seen.add(done.stdout)
    assert len(seen) == 1


def test_frame__is_the_same_on_a_processor_of_2008() -> None:
    qemu = shutil.which("qemu-x86_64-static") or shutil.which("qemu-x86_64")
    if qemu is None or platform.machine() != "x86_64":
        pytest.skip("no qemu-user here: an older processor cannot be tried")
    here, there = (
        subprocess.run([*before, sys.executable, "-c", FRAMES], capture_output=True, text=True, check=True).stdout
        for before in ([], [qemu, "-cpu", "Nehalem"])
    )
    assert len(here) == 129  # 64 bytes in hexadecimal, and a line's end
    assert there == here


def test_frame__two_threads_draw_what_one_draws() -> None:
    drawn, model = scene(geometry=Geometry(104, 60)), ProceduralWorldModel()
    alone = [clip.frame(16).tobytes() for clip in clips(drawn, model)]
    with ThreadPoolExecutor(2) as pool:
        both = list(pool.map(lambda _: [clip.frame(16).tobytes() for clip in clips(drawn, model)], range(4)))
    assert both == [alone] * 4


@pytest.mark.parametrize("width, height", [(84, 84), (160, 96), (33, 17), (1, 1), (1280, 720)])
def test_frame__has_any_size(width: int, height: int) -> None:
    drawn = scene(geometry=Geometry(width, height))
    frame = ProceduralWorldModel().base(drawn, 0).frame(16)
    assert frame.shape == (height, width, 3)
    assert frame.dtype == np.uint8
    assert frame.flags.owndata


@pytest.mark.parametrize("frames", [1, 2, 9, 81])
def test_clip__of_any_length_ends_in_the_state_after(frames: int) -> None:
    drawn = scene(geometry=Geometry(104, 60, frames, 16))
    (transition,) = drawn.follow(CHAIN[:1])
    director = Director(drawn, 0)
    plan = director.plan(transition)
    last = plan.moments(beat(frames - 1, frames), 0.0)["wheel"]
    assert last.props["angle"] == 270.0
    assert (last.work, last.alert) == (0.0, 0.0)


def test_frames__differ_between_states_at_the_size_of_a_learner() -> None:
    drawn, model = scene(geometry=Geometry(84, 84)), ProceduralWorldModel()
    ends = [clip.frame(48).astype(int) for clip in clips(drawn, model)]
    for one, other in ((0, 1), (1, 2), (0, 2)):
        assert (np.abs(ends[one] - ends[other]).max(axis=2) > 24).sum() > 5


def test_frame__a_seed_changes_small_things_only() -> None:
    drawn, model = scene(geometry=SMALL), ProceduralWorldModel()
    first, second = (model.base(drawn, seed).frame(16).astype(int) for seed in (0, 1))
    assert not np.array_equal(first, second)
    assert np.abs(first - second).mean() < 6.0


def test_sprites__stay_within_their_bytes() -> None:
    drawn, model = make_scene(get_scenario("EP1-001"), None, Geometry()), ProceduralWorldModel()
    director = model.director(drawn, 0)
    assert director.stage.sprites.limit == MAX_SPRITE_BYTES <= 24 * 2**20
    sprites = director.stage.sprites
    sprites.limit = 2**20
    for index in (0, 12, 24):
        director.frame(director.plan(None), index)
        assert 0 < sprites.nbytes <= 2**20
        held = sum(picture.pixels.nbytes + 256 if picture else 256 for picture in sprites._kept.values())
        assert sprites.nbytes == held


def test_clip__a_step_begins_with_what_the_one_before_ended_with() -> None:
    drawn, model = scene(geometry=SMALL), ProceduralWorldModel()
    base, first, second = clips(drawn, model)
    for before, after in ((base, first), (first, second)):
        assert _difference(before.last, after.frame(0)) < 2.0


def test_overlay__prints_within_its_places_only() -> None:
    bare, printed = (scene(geometry=Geometry(), overlay=overlay) for overlay in ("none", "cctv"))
    (transition,) = bare.follow(CHAIN[:1])
    frames = [Director(drawn, 0).frame(Director(drawn, 0).plan(transition), 24) for drawn in (bare, printed)]
    changed = (frames[0] != frames[1]).any(axis=2)
    allowed = overlay_mask(printed)
    assert changed.any()
    assert not (changed & ~allowed).any()
    assert not overlay_mask(bare).any()


def test_overlay__telemetry_prints_every_visible_variable() -> None:
    drawn = scene(geometry=Geometry(416, 240), overlay="telemetry")
    director = Director(drawn, 0)
    printed = director._printed(director.plan(None), beat(0, 49), director.plan(None).urgency(beat(0, 49)), 0.0)
    labels = [reading.label for reading in printed.readings]
    assert labels == ["tank", "valve", "pump", "patients"]
    assert {reading.text for reading in printed.readings} >= {"--"}  # patients are not known yet


def test_regret__the_feed_decays_from_stage_to_stage_and_the_agent_goes_dark() -> None:
    drawn = regret_scene(Geometry(208, 120))
    director = Director(drawn, 0)
    plans = [director.plan(StageTransition(stage, 0, stage)) for stage in (1, 2, 3)]
    ends = [plan.moments(beat(48, 49), 0.0)["core"].dead for plan in plans]
    assert ends == pytest.approx([1 / 3, 2 / 3, 1.0])
    assert [plan.urgency(beat(48, 49)).level for plan in plans] == [3, 3, 3]
    clean = director.frame(director.plan(None), 48).astype(int)
    noisy = [director.frame(plan, 48).astype(int) for plan in plans]
    assert all(np.abs(frame - clean).mean() > 12.0 for frame in noisy)


def _difference(a: NDArray[np.uint8], b: NDArray[np.uint8]) -> float:
    return float(np.abs(a.astype(int) - b.astype(int)).mean())
