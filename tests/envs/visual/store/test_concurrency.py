"""Many processes, one clip: it is made once, and all see the same."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

from tests.checkout import ROOT
from tests.envs.visual.store.clips import CHAIN, kept, maker, node, scene

from conflictbench.envs.visual.clip import Clip
from conflictbench.envs.visual.store import ClipStore
from conflictbench.envs.visual.store.locks import hold, let_go

PROCESSES = 16


def test_fetch__16_processes_leave_one_entry_that_one_of_them_made(tmp_path: Path) -> None:
    store = ClipStore(tmp_path)
    (tmp_path / "locks").mkdir()
    held = hold(tmp_path / "locks" / node().key)  # nobody begins before all wait for the same lock
    assert held is not None
    command = [sys.executable, "-m", "tests.envs.visual.store.clips", str(tmp_path), *CHAIN]
    started = [
        subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(PROCESSES)
    ]
    while waiting_for(tmp_path / "locks" / node().key) < PROCESSES:
        assert all(process.poll() is None for process in started)
    let_go(held)
    answers = [process.communicate() for process in started]

    assert [process.returncode for process in started] == [0] * PROCESSES, answers[0][1]
    entry = store.find(node())
    assert entry is not None
    assert {out.split()[1] for out, _ in answers} == {entry.manifest.digest}
    assert sorted(out.split()[0] for out, _ in answers) == ["found"] * (PROCESSES - 1) + ["made"]
    assert [path.name for path in (tmp_path / "nodes").glob("*/*")] == [node().key]
    assert not list((tmp_path / "tmp").iterdir())


def waiting_for(lock: Path) -> int:
    """How many processes have the lock's file open, this one apart."""
    count = 0
    for process in Path("/proc").iterdir():
        if not process.name.isdigit() or int(process.name) == os.getpid():
            continue
        try:
            count += any(os.path.samefile(handle, lock) for handle in (process / "fd").iterdir())
        except OSError:  # it ended, or is not ours to look at
            continue
    return count


def test_fetch__threads_of_one_process_make_it_once(tmp_path: Path) -> None:
    store, made = ClipStore(tmp_path), []

    def make() -> Clip:
        made.append(1)
        return maker(scene())()

    threads = [threading.Thread(target=lambda: store.fetch(node(), make)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == [1]


def test_fetch__a_writer_without_our_lock_that_was_first_wins(tmp_path: Path) -> None:
    store, other = ClipStore(tmp_path / "ours"), ClipStore(tmp_path / "theirs")
    theirs = kept(other)

    def make() -> Clip:  # while we draw, another machine puts its entry in place
        store.folder(node().key).parent.mkdir(parents=True)
        theirs.folder.rename(store.folder(node().key))
        return maker(scene())()

    before = theirs.folder.stat().st_ino
    entry = store.fetch(node(), make)
    assert entry.folder.stat().st_ino == before
    assert not list((tmp_path / "ours" / "tmp").iterdir())


def test_lock__removed_while_somebody_waits_is_taken_anew(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    first = hold(lock)
    assert first is not None
    taken: list[int | None] = []
    thread = threading.Thread(target=lambda: taken.append(hold(lock)))
    thread.start()
    while sum(os.path.samefile(handle, lock) for handle in _handles()) < 2:
        assert thread.is_alive()
    lock.unlink()
    let_go(first)
    thread.join()
    assert taken[0] is not None
    assert os.path.samestat(os.fstat(taken[0]), lock.stat())  # the file that others would now lock
    assert hold(lock, wait=False) is None
    let_go(taken[0])


def _handles() -> list[Path]:
    return [path for path in Path("/proc/self/fd").iterdir() if path.exists()]
