"""Taking clips out of a store: those long unused, the least recently used beyond a size, what killed writers left.

Own design. Each entry goes under its lock and by a rename first, so no reader sees half of it; one that is just being
made stays.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass

from conflictbench.envs.visual.store.clip_store import ClipStore
from conflictbench.envs.visual.store.folder import explained
from conflictbench.envs.visual.store.listing import Held, folder_bytes, held
from conflictbench.envs.visual.store.locks import hold, let_go


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
        ClipStoreError: the folder cannot be used.
    """
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
        ClipStoreError: it cannot be removed.
    """
    shelf = store.root / "quarantine"
    with explained(store.root):
        size = folder_bytes(shelf)
        if shelf.exists():
            shutil.rmtree(shelf)
        return size


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
    if (store.root / "tmp").exists():
        (store.root / "locks").mkdir(exist_ok=True)
    for leftover in sorted((store.root / "tmp").glob("*")):
        handle = hold(store.root / "locks" / leftover.name.partition(".")[0], wait=False)
        if handle is not None:  # its writer is gone, or it would hold the lock
            shutil.rmtree(leftover, ignore_errors=True)
            removed += 1
            let_go(handle)
    for lock in sorted((store.root / "locks").glob("*")):
        handle = hold(lock, wait=False)
        if handle is not None:
            lock.unlink(missing_ok=True)
            let_go(handle)
    return removed
