"""A writer may be killed at any moment: what it leaves is never taken for a clip, and the next one completes it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.checkout import ROOT
from tests.envs.visual.store.clips import kept, node

from conflictbench.envs.visual.store import ClipStore
from conflictbench.envs.visual.store.entry import read_entry
from conflictbench.envs.visual.store.prune import prune


@pytest.fixture(scope="module")
def remains(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A store for each system call at which its writer was killed, and one whose writer came to its end."""
    root = tmp_path_factory.mktemp("killed")
    command = [sys.executable, "-m", "tests.envs.visual.store.killed_writes", str(root)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    points = int(done.stdout)
    # 4 folders, the lock, 4 stills and a manifest with open, write and fsync each, two synced folders, one rename
    assert points >= 4 + 1 + 4 * 3 + 2 * 2 + 1
    return [root / str(point) for point in range(points + 1)]


def test_killed_writer__leaves_a_whole_entry_or_none(remains: list[Path]) -> None:
    found = [read_entry(ClipStore(folder).folder(node().key), node()) for folder in remains]  # raises if one is damaged
    complete = [entry is not None for entry in found]
    assert complete[-1]
    assert complete == sorted(complete)  # once the rename is done, and not before
    assert not complete[0]


def test_killed_writer__a_rerun_completes_it_and_clears_up(remains: list[Path]) -> None:
    digests = set()
    for folder in remains:
        digests.add(kept(ClipStore(folder)).manifest.digest)
        assert not list((folder / "tmp").glob("*")), folder
        assert not (folder / "quarantine").exists(), folder
    assert len(digests) == 1


def test_killed_writer__prune_removes_what_it_left(tmp_path: Path) -> None:
    store = ClipStore(tmp_path)
    kept(store)
    for name in (f"{node().key}.999999.1", f"{'0' * 64}.999999.2"):
        (tmp_path / "tmp" / name).mkdir()
        (tmp_path / "tmp" / name / "f0000.webp").write_bytes(b"half")
    done = prune(store)
    assert (len(done.entries), done.leftovers) == (0, 2)
    assert not list((tmp_path / "tmp").iterdir())
    assert not list((tmp_path / "locks").iterdir())
    assert store.find(node()) is not None
