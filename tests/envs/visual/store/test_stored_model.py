"""A world model behind a store: asked once, then given again, frame for frame."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.envs.visual.scenes import TINY
from tests.envs.visual.store.clips import CHAIN, Counted, maker, replay, scene

from conflictbench.envs.visual.clip import Clip, Frame, LazyClip
from conflictbench.envs.visual.fake import FakeWorldModel
from conflictbench.envs.visual.prompts import scene_prompts
from conflictbench.envs.visual.scene import Scene, Transition
from conflictbench.envs.visual.store import ClipStore, StoredClip, StoredWorldModel, clip_folder, with_store
from conflictbench.errors import ClipStoreError, InvalidValue


def equal(one: Clip, other: Clip) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(one.frames(), other.frames(), strict=True))


def test_stored__a_second_run_asks_the_model_for_nothing_that_is_kept(tmp_path: Path) -> None:
    first, second, drawn = Counted(), Counted(), scene()
    replay(StoredWorldModel(first, ClipStore(tmp_path)), drawn)
    assert first.asked == ["base", *CHAIN]
    clip = replay(StoredWorldModel(second, ClipStore(tmp_path)), drawn)
    assert second.asked == []
    assert isinstance(clip, StoredClip)
    kept = [clip.frame(index) for index in (0, 4, 8)]
    assert second.asked == []
    assert [frame.tobytes() for frame in kept] == [maker(drawn)().frame(index).tobytes() for index in (0, 4, 8)]


def test_stored__other_frames_are_asked_of_the_model_once(tmp_path: Path) -> None:
    replay(StoredWorldModel(FakeWorldModel(), ClipStore(tmp_path)), scene())
    model = Counted()
    clip = replay(StoredWorldModel(model, ClipStore(tmp_path)), scene())
    assert equal(clip, maker(scene())())
    assert equal(clip, maker(scene())())
    assert model.asked == [CHAIN[-1]]


def test_stored__whole_clips_need_no_model_again(tmp_path: Path) -> None:
    replay(StoredWorldModel(FakeWorldModel(), ClipStore(tmp_path), whole=True), scene())
    model = Counted()
    clip = replay(StoredWorldModel(model, ClipStore(tmp_path), whole=True), scene())
    assert equal(clip, maker(scene())())
    assert np.array_equal(clip.frame(5), maker(scene())().frame(5))
    assert model.asked == []


def test_stored__a_clip_kept_as_stills_can_be_kept_whole_later(tmp_path: Path) -> None:
    store = ClipStore(tmp_path)
    stills = replay(StoredWorldModel(FakeWorldModel(), store), scene())
    clip = replay(StoredWorldModel(FakeWorldModel(), store, whole=True), scene())
    assert isinstance(clip, StoredClip)
    assert isinstance(stills, StoredClip)
    assert clip.digest == stills.digest
    assert sorted(path.name for path in clip.entry.folder.glob("frames.*")) == ["frames.json", "frames.zst"]


class Restless(FakeWorldModel):
    """A model that never makes the same clip twice."""

    def __init__(self) -> None:
        self.calls = 0

    def base(self, scene: Scene, seed: int) -> Clip:
        self.calls += 1
        calls = self.calls
        return LazyClip(scene.geometry, lambda index: np.full(scene.geometry.shape, 10 * calls + index, np.uint8))


def test_stored__a_model_that_does_not_repeat_itself_is_found_out(tmp_path: Path) -> None:
    store, model, drawn = ClipStore(tmp_path), Restless(), scene()
    StoredWorldModel(model, store).base(drawn, 0)
    with pytest.raises(ClipStoreError, match=r"frame 0 differs .* fake-1\+cctv does not repeat itself; keep its clips"):
        StoredWorldModel(model, store, whole=True).base(drawn, 0)
    assert not list((tmp_path / "tmp").iterdir())


def test_stored__whole_from_the_first_a_restless_model_is_given_again(tmp_path: Path) -> None:
    model, drawn = Restless(), scene()
    stored = StoredWorldModel(model, ClipStore(tmp_path), whole=True)
    first = [frame.tobytes() for frame in stored.base(drawn, 0).frames()]
    assert [frame.tobytes() for frame in stored.base(drawn, 0).frames()] == first
    assert model.calls == 1


@pytest.mark.parametrize("name", ["frames.zst", "frames.json"])
@pytest.mark.parametrize("damage", ["flip", "cut", "gone"])
def test_stored__damaged_whole_frames_are_made_again(tmp_path: Path, name: str, damage: str) -> None:
    stored = StoredWorldModel(FakeWorldModel(), ClipStore(tmp_path), whole=True)
    clip = stored.base(scene(), 0)
    assert isinstance(clip, StoredClip)
    path = clip.entry.folder / name
    data = path.read_bytes()
    if damage == "gone":
        path.unlink()
    else:
        path.write_bytes(data[:5] + bytes([data[5] ^ 1]) + data[6:] if damage == "flip" else data[:7])
    assert equal(stored.base(scene(), 0), FakeWorldModel().base(scene(), 0))
    assert path.read_bytes() == data


def test_stored__the_chain_is_what_counts(tmp_path: Path) -> None:
    model = Counted()
    stored, drawn = StoredWorldModel(model, ClipStore(tmp_path)), scene()
    replay(stored, drawn, ("ring_clinic", "valve_clinic"))
    replay(stored, drawn, ("valve_clinic", "ring_clinic"))  # the same state in the end
    assert model.asked == ["base", "ring_clinic", "valve_clinic", "valve_clinic", "ring_clinic"]


def test_stored__a_transition_without_its_chain_is_refused(tmp_path: Path) -> None:
    stored, drawn = StoredWorldModel(FakeWorldModel(), ClipStore(tmp_path)), scene()
    last = stored.base(drawn, 0).last
    with pytest.raises(InvalidValue, match="has no chain of executed actions"):
        stored.step(drawn, last, Transition("valve_clinic", 0, 1, 1), 0)


def test_stored__prompts_are_kept_with_their_clips(tmp_path: Path) -> None:
    drawn = scene()
    stored = StoredWorldModel(FakeWorldModel(), ClipStore(tmp_path))
    base, step = stored.base(drawn, 0), replay(stored, drawn, CHAIN[:1])
    assert isinstance(base, StoredClip)
    assert isinstance(step, StoredClip)
    texts = scene_prompts(drawn)
    assert base.entry.manifest.prompt == texts.scene
    assert step.entry.manifest.prompt == texts.actions["valve_clinic"]
    assert step.entry.manifest.parent == base.key


def test_stored__conditions_on_the_kept_last_frame(tmp_path: Path) -> None:
    seen: list[Frame] = []

    class Watching(FakeWorldModel):
        def step(self, scene: Scene, last_frame: Frame, transition: object, seed: int) -> Clip:
            seen.append(last_frame)
            return super().step(scene, last_frame, transition, seed)  # type: ignore[arg-type]

    drawn = scene()
    stored = StoredWorldModel(Watching(), ClipStore(tmp_path))
    replay(stored, drawn)
    assert np.array_equal(seen[0], FakeWorldModel().base(drawn, 0).last)
    assert np.array_equal(seen[1], maker(drawn, CHAIN[:1])().last)


def test_with_store__follows_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = FakeWorldModel()
    monkeypatch.setenv("CONFLICTBENCH_CLIPS", "off")
    assert with_store(model) is model
    monkeypatch.setenv("CONFLICTBENCH_CLIPS", str(tmp_path / "clips"))
    stored = with_store(model)
    assert isinstance(stored, StoredWorldModel)
    assert stored.backend == "fake-1"
    stored.base(scene(), 0)
    assert clip_folder() == tmp_path / "clips" == stored.store.root
    assert len(list((tmp_path / "clips").glob("nodes/*/*"))) == 1


def test_stored__geometry_is_the_scenes(tmp_path: Path) -> None:
    assert StoredWorldModel(FakeWorldModel(), ClipStore(tmp_path)).base(scene(), 0).geometry == TINY
