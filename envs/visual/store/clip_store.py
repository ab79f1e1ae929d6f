"""Clips on disk, one folder a node of the tree of action chains, found by what they were made from. Own design.

    nodes/<2 hex>/<key>/   manifest.json, f0000.webp, f0016.webp, ...      valid, or found out when it is read
    tmp/<key>.<pid>.<n>/   being written, or left by a writer that was killed
    locks/<key>            held while a clip is made, so that it is made once
    quarantine/            entries that were damaged, each with its reason

An entry comes into being by one rename of a finished, synced folder, so a reader sees all of it or nothing, and of two
writers the first wins. There is no index: what exists is what the folders hold.
"""

from __future__ import annotations

import errno
import hashlib
import itertools
import logging
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from conflictbench.envs.visual.clip import Clip
from conflictbench.envs.visual.store.entry import MANIFEST_NAME, Damaged, Entry, read_entry
from conflictbench.envs.visual.store.folder import explained
from conflictbench.envs.visual.store.locks import hold, let_go
from conflictbench.envs.visual.store.manifest import Still, manifest_for, write_manifest
from conflictbench.envs.visual.store.node import Node, kept_frames
from conflictbench.envs.visual.store.stills import encode_still, pixel_digest, still_name
from conflictbench.errors import ClipStoreError, InvalidValue
from conflictbench.scenario_specs.synced_files import sync_folder, write_synced

_log = logging.getLogger("conflictbench.clips")
_counter = itertools.count(1)  # with the process id, a name that nobody else takes


class ClipStore:
    """A folder of clips, safe for any number of readers and writers on one machine."""

    def __init__(self, root: str | os.PathLike[str]) -> None:
        """Use the folder `root`; it is made at the first write."""
        self.root = Path(root)

    def folder(self, key: str) -> Path:
        """Where the entry of a key is."""
        return self.root / "nodes" / key[:2] / key

    def find(self, node: Node) -> Entry | None:
        """The entry of a node, checked; None if there is none, or a damaged one (which the next `fetch` replaces).

        Raises:
            ClipStoreError: the folder cannot be read.
        """
        with explained(self.root):
            try:
                entry = read_entry(self.folder(node.key), node)
            except Damaged:
                return None
        if entry is not None:
            with suppress(OSError):  # when it was last used, for `prune`; a store may be read-only
                os.utime(entry.folder / MANIFEST_NAME)
        return entry

    def fetch(self, node: Node, make: Callable[[], Clip], prompt: Callable[[], str] = str) -> Entry:
        """The entry of a node; what nobody has made yet is made, by one process for all that ask at the same time.

        Args:
            make: gives the clip; only its kept frames are drawn.
            prompt: what a world model is asked in words, for the manifest.
        Raises:
            ClipStoreFull: the disk is full.
            ClipStoreError: the folder cannot be used.
            InvalidValue: the clip is of another size than the node says.
        """
        entry = self.find(node)
        if entry is not None:
            return entry
        with self.locked(node.key):
            entry = self._valid(node)
            if entry is None:
                files, stills = _encoded(node, make())
                manifest = write_manifest(manifest_for(node, prompt(), stills))
                with explained(self.root):
                    self._put(node.key, {**files, MANIFEST_NAME: manifest})
                entry = self.find(node)
        if entry is None:
            raise ClipStoreError(f"{self.folder(node.key)} gives back other bytes than were just written to it")
        return entry

    @contextmanager
    def locked(self, key: str) -> Iterator[None]:
        """Be the only one who makes, moves or removes the entry of a key."""
        lock = self.root / "locks" / key
        with explained(self.root):
            lock.parent.mkdir(parents=True, exist_ok=True)
            handle = hold(lock)
        assert handle is not None
        try:
            yield
        finally:
            with suppress(OSError):  # whoever waits for it notices that it is gone, and asks again
                lock.unlink()
            let_go(handle)

    def _valid(self, node: Node) -> Entry | None:
        """The entry of a locked key; a damaged one is moved away, and what a killed writer left is removed."""
        with explained(self.root):
            try:
                entry = read_entry(self.folder(node.key), node)
            except Damaged as error:
                self.quarantine(self.folder(node.key), str(error))
                entry = None
            for leftover in sorted((self.root / "tmp").glob(f"{node.key}.*")):
                shutil.rmtree(leftover, ignore_errors=True)
        return entry

    def quarantine(self, path: Path, reason: str) -> None:
        """Move a damaged entry away, for a person to look at; the key must be locked.

        Raises:
            OSError: it cannot be moved.
        """
        shelf = self.root / "quarantine"
        shelf.mkdir(parents=True, exist_ok=True)
        place = self.unused(shelf, path.name)
        os.rename(path, place)
        place.with_name(f"{place.name}.txt").write_text(f"{reason}\n", "utf-8")
        _log.warning("damaged clip %s (%s) moved to %s; it is made again", path.name[:12], reason, place)

    def _put(self, key: str, files: Mapping[str, bytes]) -> None:
        target = self.folder(key)
        target.parent.mkdir(parents=True, exist_ok=True)
        (self.root / "tmp").mkdir(exist_ok=True)
        temporary = self.unused(self.root / "tmp", key)
        temporary.mkdir()
        try:
            for name, data in files.items():
                write_synced(temporary / name, data)
            sync_folder(temporary)
            os.rename(temporary, target)
            sync_folder(target.parent)
        except OSError as error:
            shutil.rmtree(temporary, ignore_errors=True)
            if error.errno not in (errno.EEXIST, errno.ENOTEMPTY):
                raise
            # Somebody without our lock (another machine) was first: theirs is the one that counts.
        except BaseException:
            shutil.rmtree(temporary, ignore_errors=True)
            raise

    @staticmethod
    def unused(folder: Path, name: str) -> Path:
        """A path that no process of this machine takes; one of another container may have our process id."""
        while True:
            path = folder / f"{name}.{os.getpid()}.{next(_counter)}"
            if not path.exists():
                return path


def _encoded(node: Node, clip: Clip) -> tuple[dict[str, bytes], tuple[Still, ...]]:
    """The files of a clip's kept frames, and what the manifest says of them."""
    if clip.geometry != node.geometry:
        raise InvalidValue(f"a clip of {clip.geometry} for a scene of {node.geometry}")
    files, stills = {}, []
    for index in kept_frames(node.geometry):
        frame = clip.frame(index)
        data = files[still_name(index)] = encode_still(frame)
        stills.append(Still(index=index, pixels=pixel_digest(frame), file=hashlib.sha256(data).hexdigest()))
    return files, tuple(stills)
