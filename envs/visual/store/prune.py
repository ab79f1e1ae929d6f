"""Taking clips out of a store: those long unused, the least recently used beyond a size, what killed writers left.

Own design. Each entry goes under its lock and by a rename first, so no reader sees half of it; one that is just being
made stays. Only what has a name that a store gives is touched: a folder may hold the files of others.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from conflictbench.envs.visual.store.clip_store import ClipStore
from conflictbench.envs.visual.store.folder import check_store, explained
from conflictbench.envs.visual.store.listing import Held, folder_bytes, held
from conflictbench.envs.visual.store.locks import hold, let_go

_LEFTOVER = re.compile(r"[0-9a-f]{64}\.[0-9]+\.[0-9]+")  # in tmp, as `ClipStore.unused` names it
_LOCK = re.compile(r"[0-9a-f]{64}")
_SHELVED = re.compile(r"[0-9a-f]{64}\.[0-9]+\.[0-9]+(\.txt)?")  # a damaged entry, and the reason beside it


@dataclass(frozen=True, kw_only=True)
class Pruned:
    """What was taken away, or would be."""

    entries: tuple[Held, ...]
    leftovers: int  # folders of killed writers
    busy: int  # entries that somebody was using, and that stay

    @property
    def bytes(self) -> int:
        return sum(item.bytes for item in self.entries)


def prune(
    store: ClipStore,
    *,
    unused_since: float | None = None,
    max_bytes: int | None = None,
    chosen: Callable[[Held], bool] = lambda item: True,
    dry_run: bool = False,
) -> Pruned:
    """Take entries away.

    Args:
        unused_since: POSIX seconds; entries last used before go.
        max_bytes: after that, the least recently used go until the chosen ones take no more than this.
        chosen: entries to consider; the others stay whatever they take.
        dry_run: take nothing away, only say what would go.
    Raises:
        ClipStoreError: the folder cannot be used, or is no store.
    """
    check_store(store.root)
    with explained(store.root):
        candidates = sorted((item for item in held(store.root) if chosen(item)), key=lambda item: (item.used, item.key))
        going = [item for item in candidates if unused_since is not None and item.used < unused_since]
        if max_bytes is not None:
            staying = candidates[len(going) :]  # `going` is the oldest part of `candidates`
            total = sum(item.bytes for item in staying)
            for item in staying:
                if total <= max_bytes:
                    break
                going.append(item)
                total -= item.bytes
        if dry_run:
            return Pruned(entries=tuple(going), leftovers=0, busy=0)
        gone = tuple(item for item in going if _remove(store, item))
        return Pruned(entries=gone, leftovers=_sweep(store), busy=len(going) - len(gone))


def empty_quarantine(store: ClipStore) -> int:
    """Remove everything that was found damaged; gives the bytes.

    Raises:
        ClipStoreError: it cannot be removed, or the folder is no store.
    """
    check_store(store.root)
    shelf = store.root / "quarantine"
    size = 0
    with explained(store.root):
        for path in _own(shelf, _SHELVED):
            if path.is_dir():
                size += folder_bytes(path)
                shutil.rmtree(path)
            else:
                size += path.stat().st_size
                path.unlink()
        if shelf.is_dir() and not any(shelf.iterdir()):
            shelf.rmdir()
    return size


def _own(folder: Path, name: re.Pattern[str]) -> list[Path]:
    """What a store has put into one of its folders, in order; links are followed by nobody, and are no store's."""
    if folder.is_symlink():
        return []
    return [path for path in sorted(folder.glob("*")) if name.fullmatch(path.name) and not path.is_symlink()]


def _remove(store: ClipStore, item: Held) -> bool:
    """Take one entry away; False if its lock is held."""
    locks, trash = store.root / "locks", store.root / "tmp"
    locks.mkdir(exist_ok=True)
    trash.mkdir(exist_ok=True)
    handle = hold(locks / item.key, wait=False)
    if handle is None:
        return False
    try:
        place = store.unused(trash, item.key)
        try:
            os.rename(item.folder, place)
        except FileNotFoundError:
            return True
        shutil.rmtree(place, ignore_errors=True)
        return True
    finally:
        let_go(handle)


def _sweep(store: ClipStore) -> int:
    """Remove what killed writers left, and the locks that nobody holds; gives the number of folders."""
    removed = 0
    leftovers = [path for path in _own(store.root / "tmp", _LEFTOVER) if path.is_dir()]
    if leftovers:
        (store.root / "locks").mkdir(exist_ok=True)
    for leftover in leftovers:
        handle = hold(store.root / "locks" / leftover.name.partition(".")[0], wait=False)
        if handle is not None:  # its writer is gone, or it would hold the lock
            shutil.rmtree(leftover, ignore_errors=True)
            removed += 1
            let_go(handle)
    for lock in _own(store.root / "locks", _LOCK):
        if lock.is_dir():
            continue
        handle = hold(lock, wait=False)
        if handle is not None:
            lock.unlink(missing_ok=True)
            let_go(handle)
    return removed
