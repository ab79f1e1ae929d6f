"""All frames of a clip without loss, beside its stills, on request: each XOR the one before, in one zstd stream.

Own design, for world models that would not make the same clip again, or only at a price. The frames come from disk
one at a time, since a clip is 59 MB.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from conflictbench.envs.visual.clip import Clip, Frame, Geometry
from conflictbench.envs.visual.registry import extra_missing
from conflictbench.envs.visual.store.clip_store import ClipStore
from conflictbench.envs.visual.store.entry import Entry
from conflictbench.envs.visual.store.folder import explained
from conflictbench.envs.visual.store.node import Node, canonical
from conflictbench.envs.visual.store.stills import pixel_digest
from conflictbench.errors import ClipStoreError
from conflictbench.scenario_specs.synced_files import sync_folder, write_synced

FRAMES_NAME, FACTS_NAME = "frames.zst", "frames.json"
_LEVEL = 1  # of zstd


def find_whole(entry: Entry) -> bytes | None:
    """The encoded frames of an entry, checked; None if they were not kept, or are damaged."""
    with explained(entry.folder):
        try:
            facts = json.loads((entry.folder / FACTS_NAME).read_bytes())
            data = (entry.folder / FRAMES_NAME).read_bytes()
        except (FileNotFoundError, ValueError):
            return None
    kept = isinstance(facts, dict) and facts.get("sha256") == hashlib.sha256(data).hexdigest()
    return data if kept else None


def decoded(data: bytes, geometry: Geometry) -> Iterator[Frame]:
    """The frames in order, each an array of its own.

    Raises:
        NotYetAvailable: the extra `visual` is not installed.
    """
    stream = _zstandard().ZstdDecompressor().stream_reader(data)
    frame = np.zeros(geometry.shape, np.uint8)
    for _ in range(geometry.frames):
        frame = frame ^ np.frombuffer(stream.read(frame.nbytes), np.uint8).reshape(geometry.shape)
        yield frame


def keep_whole(store: ClipStore, node: Node, entry: Entry, clip: Clip) -> bytes:
    """Keep every frame of a clip whose stills are kept already; gives the encoded frames.

    Raises:
        ClipStoreFull: the disk is full.
        ClipStoreError: the clip's frames are not those that were kept: the world model does not repeat itself.
    """
    with store.locked(node.key):
        found = find_whole(entry)
        if found is not None:
            return found
        with explained(store.root):
            temporary = store.unused(store.root / "tmp", node.key)
            temporary.mkdir(parents=True)
        try:
            _encode(store.root, temporary / FRAMES_NAME, entry, clip)
            with explained(store.root):
                digest = hashlib.sha256((temporary / FRAMES_NAME).read_bytes()).hexdigest()
                write_synced(temporary / FACTS_NAME, canonical({"sha256": digest}))
                for name in (FRAMES_NAME, FACTS_NAME):  # the facts last: without them the frames are not believed
                    os.replace(temporary / name, entry.folder / name)
                sync_folder(entry.folder)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)
    kept = find_whole(entry)
    if kept is None:
        raise ClipStoreError(f"{entry.folder} gives back other bytes than were just written to it")
    return kept


def _encode(root: Path, path: Path, entry: Entry, clip: Clip) -> None:
    wanted = {still.index: still.pixels for still in entry.manifest.stills}
    before = np.zeros(clip.geometry.shape, np.uint8)
    with explained(root):
        stream = path.open("xb")
    with stream:
        writer = _zstandard().ZstdCompressor(level=_LEVEL).stream_writer(stream, closefd=False)
        for index, frame in enumerate(clip.frames()):
            if index in wanted and pixel_digest(frame) != wanted[index]:
                raise ClipStoreError(
                    f"frame {index} differs from the one kept in {entry.folder}: {entry.manifest.backend} does not "
                    "repeat itself; keep its clips whole from the first, in a new folder"
                )
            with explained(root):
                writer.write((frame ^ before).tobytes())
            before = frame
        with explained(root):
            writer.close()
            stream.flush()
            os.fsync(stream.fileno())


def _zstandard() -> Any:
    try:
        import zstandard
    except ModuleNotFoundError as error:
        raise extra_missing("a clip kept whole", error) from error
    return zstandard
