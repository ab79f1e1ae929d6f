"""Pruning takes what was asked for and nothing else."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from tests.envs.visual.store.clips import CHAIN, kept, node

from conflictbench.envs.visual.store import ClipStore
from conflictbench.envs.visual.store.listing import damage, held
from conflictbench.envs.visual.store.locks import hold, let_go
from conflictbench.envs.visual.store.prune import empty_quarantine, prune
from conflictbench.errors import ClipStoreError

CHAINS = ((), CHAIN[:1], CHAIN, ("ring_clinic",))
NOW = 1_000_000.0  # seconds; chain i was last used at NOW + 100 i


@pytest.fixture
def store(tmp_path: Path) -> ClipStore:
    """Four clips, each used 100 seconds after the one before."""
    store = ClipStore(tmp_path)
    for number, chain in enumerate(CHAINS):
        entry = kept(store, chain)
        os.utime(entry.folder / "manifest.json", (NOW + 100 * number,) * 2)
    return store


def remaining(store: ClipStore) -> set[tuple[str, ...]]:
    return {item.manifest.actions for item in held(store.root) if item.manifest is not None}


def test_prune__by_age_takes_those_not_used_since(store: ClipStore) -> None:
    done = prune(store, unused_since=NOW + 150)
    assert {item.key for item in done.entries} == {node(chain).key for chain in CHAINS[:2]}
    assert remaining(store) == set(CHAINS[2:])
    assert not list((store.root / "tmp").iterdir())


def test_prune__by_bytes_takes_the_least_recently_used(store: ClipStore) -> None:
    sizes = {item.key: item.bytes for item in held(store.root)}
    room = sizes[node(CHAINS[3]).key] + sizes[node(CHAINS[2]).key]
    assert prune(store, max_bytes=room, dry_run=True).bytes == sum(sizes.values()) - room
    assert remaining(store) == set(CHAINS)
    prune(store, max_bytes=room)
    assert remaining(store) == set(CHAINS[2:])
    prune(store, max_bytes=room - 1)
    assert remaining(store) == set(CHAINS[3:])
    prune(store, max_bytes=0)
    assert remaining(store) == set()


def test_prune__by_age_and_bytes_does_first_the_one_then_the_other(store: ClipStore) -> None:
    room = next(item.bytes for item in held(store.root) if item.key == node(CHAINS[3]).key)
    done = prune(store, unused_since=NOW + 50, max_bytes=room)
    assert [item.key for item in done.entries] == [node(chain).key for chain in CHAINS[:3]]
    assert remaining(store) == set(CHAINS[3:])


def test_prune__keeps_what_was_not_chosen_whatever_it_takes(store: ClipStore) -> None:
    prune(store, max_bytes=0, chosen=lambda item: item.key == node(CHAINS[1]).key)
    assert remaining(store) == {CHAINS[0], CHAINS[2], CHAINS[3]}


def test_prune__of_nothing_asked_for_takes_nothing(store: ClipStore) -> None:
    assert prune(store).entries == ()
    assert remaining(store) == set(CHAINS)


def test_prune__of_a_folder_that_is_not_there_makes_none(tmp_path: Path) -> None:
    assert prune(ClipStore(tmp_path / "none"), max_bytes=0).entries == ()
    assert not (tmp_path / "none").exists()


def test_prune__leaves_what_somebody_is_making(store: ClipStore) -> None:
    lock = hold(store.root / "locks" / node(CHAINS[0]).key)
    assert lock is not None
    unfinished = store.root / "tmp" / f"{node(CHAINS[0]).key}.1.1"
    unfinished.mkdir()
    done = prune(store, max_bytes=0)
    assert (len(done.entries), done.busy, done.leftovers) == (3, 1, 0)
    assert remaining(store) == {CHAINS[0]}
    assert unfinished.exists()
    let_go(lock)
    assert prune(store).leftovers == 1


def test_find__counts_as_use(store: ClipStore) -> None:
    store.find(node(CHAINS[0]))
    prune(store, unused_since=NOW + 350)
    assert remaining(store) == {CHAINS[0]}


def test_prune__what_was_read_before_can_be_made_again(store: ClipStore) -> None:
    before = kept(store).manifest
    prune(store, max_bytes=0)
    assert kept(store).manifest == before


def test_held__damaged_entries_are_listed_without_a_manifest(store: ClipStore) -> None:
    folder = store.folder(node().key)
    (folder / "manifest.json").unlink()
    (found,) = [item for item in held(store.root) if item.manifest is None]
    assert found.key == node().key
    assert damage(found) == "its manifest is missing or altered"
    prune(store, max_bytes=0, chosen=lambda item: item.manifest is None)
    assert not folder.exists()


def test_damage__is_found_in_any_file(store: ClipStore) -> None:
    assert [damage(item) for item in held(store.root)] == [""] * 4
    (store.folder(node().key) / "f0004.webp").write_bytes(b"")
    assert [bool(damage(item)) for item in held(store.root)].count(True) == 1


def test_quarantine__can_be_emptied(store: ClipStore) -> None:
    shutil.rmtree(store.folder(node().key) / "f0004.webp", ignore_errors=True)
    (store.folder(node().key) / "f0004.webp").unlink()
    kept(store)
    assert empty_quarantine(store) > 0
    assert not (store.root / "quarantine").exists()
    assert empty_quarantine(store) == 0


def test_prune__touches_no_file_that_is_not_the_stores(store: ClipStore) -> None:
    kept(store)
    own = "a" * 64
    foreign = [
        *(store.root / shelf / name for shelf in ("tmp", "locks", "quarantine") for name in ("notes", own + ".bak")),
        store.root / "tmp" / own,
        store.root / "quarantine" / own,
        store.root / "nodes" / "ab" / "photos",
        store.root / "nodes" / "ab" / own,
    ]
    for path in foreign:
        path.mkdir(parents=True, exist_ok=True)
        (path / "thesis.txt").write_text("years of work")
    for path in (store.root / "tmp" / f"{own}.7.1", store.root / "quarantine" / f"{own}.7.1"):
        path.mkdir()
    (store.root / "quarantine" / f"{own}.7.1.txt").write_text("altered")
    (store.root / "locks" / own).touch()
    assert prune(store, max_bytes=0).leftovers == 1
    assert empty_quarantine(store) == len("altered")
    assert [path for path in foreign if not (path / "thesis.txt").exists()] == []
    assert not (store.root / "tmp" / f"{own}.7.1").exists()
    assert not (store.root / "locks" / own).exists()
    assert {path.name for path in (store.root / "quarantine").iterdir()} == {"notes", own + ".bak", own}


def test_prune__a_folder_without_nodes_is_no_store(tmp_path: Path) -> None:
    (tmp_path / "tmp").mkdir()
    (tmp_path / "tmp" / f"{'a' * 64}.1.1").mkdir()
    for call in (lambda: prune(ClipStore(tmp_path), max_bytes=0), lambda: empty_quarantine(ClipStore(tmp_path))):
        with pytest.raises(ClipStoreError, match="is no clip store: it has no folder `nodes`"):
            call()
    assert (tmp_path / "tmp" / f"{'a' * 64}.1.1").exists()
