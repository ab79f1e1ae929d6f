"""The clip store: what is kept, how it is found, and that damage is never believed."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.envs.visual.scenes import TINY
from tests.envs.visual.store.clips import CHAIN, kept, maker, node, scene

from conflictbench.envs.visual.clip import GEOMETRY, Geometry
from conflictbench.envs.visual.store import ClipStore, clip_folder, kept_frames
from conflictbench.envs.visual.store.manifest import read_manifest
from conflictbench.errors import InvalidValue


def test_entry__holds_first_sampled_and_last_frames_to_the_pixel(tmp_path: Path) -> None:
    entry = kept(ClipStore(tmp_path))
    clip = maker(scene())()
    assert tuple(entry.files) == (0, 4, 8)
    for index in entry.files:
        still = entry.still(index)
        assert still is not None
        assert np.array_equal(still, clip.frame(index))
    assert entry.still(3) is None
    assert sorted(path.name for path in entry.folder.iterdir()) == [
        "f0000.webp",
        "f0004.webp",
        "f0008.webp",
        "manifest.json",
    ]


def test_kept_frames__of_the_usual_clip_are_the_sampled_ones_and_the_first() -> None:
    assert kept_frames(GEOMETRY) == (0, 16, 32, 48)
    assert kept_frames(Geometry(8, 8, 53, 16)) == (0, 16, 32, 48, 52)  # the last is kept though no model sees it
    assert kept_frames(Geometry(8, 8, 1, 16)) == (0,)


def test_entry__says_what_it_is(tmp_path: Path) -> None:
    entry = ClipStore(tmp_path).fetch(node(), maker(scene()), lambda: "a hand turns a wheel")
    manifest = entry.manifest
    assert (manifest.scenario, manifest.backend, manifest.seed) == ("EP2-900", "fake-1+cctv", 0)
    assert (manifest.geometry, manifest.actions) == ((32, 24, 9, 4), CHAIN)
    assert manifest.parent == node(CHAIN[:1]).key
    assert manifest.prompt == "a hand turns a wheel"
    assert manifest.node.key == node().key == entry.folder.name
    assert entry.folder == tmp_path / "nodes" / node().key[:2] / node().key


def test_entry__two_stores_hold_the_same_bytes(tmp_path: Path) -> None:
    first, second = (kept(ClipStore(tmp_path / name)).folder for name in ("a", "b"))
    for path in first.iterdir():
        assert path.read_bytes() == (second / path.name).read_bytes(), path.name


def test_fetch__makes_a_clip_once(tmp_path: Path) -> None:
    store, asked = ClipStore(tmp_path), []
    for _ in range(3):
        store.fetch(node(), lambda: asked.append(1) or maker(scene())())  # type: ignore[func-returns-value]
    assert asked == [1]


def test_find__of_what_nobody_made_is_none_and_makes_no_folder(tmp_path: Path) -> None:
    assert ClipStore(tmp_path / "clips").find(node()) is None
    assert not (tmp_path / "clips").exists()


def test_key__changes_with_everything_that_changes_pixels() -> None:
    base = node()
    others = [
        replace(base, scenario="EP2-901"),
        replace(base, scene="0" * 64),
        replace(base, backend="fake-2+cctv"),
        replace(base, backend="fake-1+none"),
        replace(base, seed=1),
        replace(base, geometry=replace(TINY, width=33)),
        replace(base, geometry=replace(TINY, height=25)),
        replace(base, geometry=replace(TINY, frames=10)),
        replace(base, geometry=replace(TINY, fps=5)),
        replace(base, actions=()),
        replace(base, actions=CHAIN[:1]),
        replace(base, actions=CHAIN[::-1]),
        replace(base, actions=("valve_clinic,start_pump",)),
    ]
    assert len({base.key, *(other.key for other in others)}) == 1 + len(others)


def test_key__is_the_same_in_every_process_and_version() -> None:
    fixed = replace(node(), scene="ab" * 32)
    # sha256 over the canonical JSON of the parts, worked out with the sha256sum tool
    assert fixed.key == "63e9896c2ad571e9dd81d5a60d367ccf3fd1cdf63409ef75d035e28bb2e14f0b"


def test_fetch__a_clip_of_another_size_is_refused(tmp_path: Path) -> None:
    other = scene(Geometry(16, 16, 9, 4))
    with pytest.raises(InvalidValue, match=r"a clip of Geometry\(width=16.* for a scene of Geometry\(width=32"):
        ClipStore(tmp_path).fetch(node(), maker(other))
    assert not list(tmp_path.glob("nodes/*/*"))


def test_fetch__an_error_of_the_world_model_comes_through_and_leaves_nothing(tmp_path: Path) -> None:
    def broken() -> None:
        raise FileNotFoundError("weights.bin")

    store = ClipStore(tmp_path)
    with pytest.raises(FileNotFoundError, match=r"weights\.bin"):  # not an error of the store
        store.fetch(node(), broken)  # type: ignore[arg-type]
    assert store.find(node()) is None
    assert kept(store).manifest.digest


def flipped(path: Path, at: int) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)


def cut(path: Path, size: int) -> None:
    path.write_bytes(path.read_bytes()[:size])


def swapped(folder: Path) -> None:
    first, last = folder / "f0000.webp", folder / "f0008.webp"
    a, b = first.read_bytes(), last.read_bytes()
    first.write_bytes(b)
    last.write_bytes(a)


def other_entry(folder: Path) -> None:
    """An entry that is whole, under a key that is not its own."""
    store = ClipStore(folder.parents[2])
    shutil.rmtree(folder)
    shutil.copytree(kept(store, CHAIN[:1]).folder, folder)


DAMAGES: dict[str, tuple[Callable[[Path], object], str]] = {
    "bit of a still": (lambda folder: flipped(folder / "f0004.webp", -1), "f0004.webp is cut short or altered"),
    "short still": (lambda folder: cut(folder / "f0008.webp", 20), "f0008.webp is cut short or altered (20 bytes)"),
    "empty still": (lambda folder: cut(folder / "f0000.webp", 0), "f0000.webp is cut short or altered (0 bytes)"),
    "still gone": (lambda folder: (folder / "f0004.webp").unlink(), "f0004.webp is missing"),
    "still a folder": (
        lambda folder: ((folder / "f0004.webp").unlink(), (folder / "f0004.webp").mkdir()),
        "f0004.webp is missing",
    ),
    "stills swapped": (swapped, "f0000.webp is cut short or altered"),
    "manifest gone": (lambda folder: (folder / "manifest.json").unlink(), "manifest.json is missing"),
    "short manifest": (lambda folder: cut(folder / "manifest.json", 100), "no manifest"),
    "empty manifest": (lambda folder: cut(folder / "manifest.json", 0), "no manifest"),
    "manifest and more": (
        lambda folder: (folder / "manifest.json").write_bytes((folder / "manifest.json").read_bytes() + b" "),
        "does not agree with its own digest",
    ),
    "entry of another key": (other_entry, "the manifest is that of"),
    "a file in its place": (lambda folder: (shutil.rmtree(folder), folder.write_bytes(b"")), "not a folder"),
    "everything gone": (lambda folder: [path.unlink() for path in folder.iterdir()], "manifest.json is missing"),
}


@pytest.mark.parametrize("damage, reason", DAMAGES.values(), ids=DAMAGES)
def test_fetch__a_damaged_entry_is_put_aside_with_its_reason_and_made_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, damage: Callable[[Path], object], reason: str
) -> None:
    store = ClipStore(tmp_path)
    whole = kept(store)
    damage(whole.folder)
    assert store.find(node()) is None

    with caplog.at_level(logging.WARNING, "conflictbench.clips"):
        again = kept(store)

    assert again.manifest == whole.manifest
    assert [again.files[index] for index in (0, 4, 8)] == [whole.files[index] for index in (0, 4, 8)]
    (why,) = (tmp_path / "quarantine").glob("*.txt")
    assert reason in why.read_text("utf-8")
    assert why.with_suffix("").exists()
    assert reason in caplog.text


def test_manifest__a_flipped_bit_anywhere_is_seen(tmp_path: Path) -> None:
    data = (kept(ClipStore(tmp_path)).folder / "manifest.json").read_bytes()
    assert read_manifest(data).seed == 0
    for at in range(len(data)):
        for bit in (1, 4, 32):
            with pytest.raises(ValueError, match="manifest"):
                read_manifest(data[:at] + bytes([data[at] ^ bit]) + data[at + 1 :])


def test_folder__is_that_of_the_environment_the_users_cache_or_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONFLICTBENCH_CLIPS", str(tmp_path))
    assert clip_folder() == tmp_path
    monkeypatch.setenv("CONFLICTBENCH_CLIPS", "off")
    assert clip_folder() is None
    monkeypatch.setenv("CONFLICTBENCH_CLIPS", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert clip_folder() == tmp_path / "cache" / "conflictbench" / "clips"
