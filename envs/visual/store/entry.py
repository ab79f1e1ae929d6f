"""One entry of the clip store, read whole and checked before anything of it is believed. Own design."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from conflictbench.envs.visual.clip import Frame
from conflictbench.envs.visual.store.manifest import MAX_BYTES, Manifest, read_manifest
from conflictbench.envs.visual.store.node import Node, kept_frames
from conflictbench.envs.visual.store.stills import decode_still, pixel_digest, still_name
from conflictbench.errors import ClipStoreError

MANIFEST_NAME = "manifest.json"


class Damaged(ValueError):
    """What lies under a key is not what was put there; the message is the reason."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Entry:
    """The kept frames of one clip, still encoded."""

    folder: Path
    manifest: Manifest
    files: Mapping[int, bytes]  # frame index -> its still

    def still(self, index: int) -> Frame | None:
        """A kept frame; None if it was not kept.

        Raises:
            ClipStoreError: another decoder made other pixels of the right bytes.
        """
        if index not in self.files:
            return None
        wanted = next(still.pixels for still in self.manifest.stills if still.index == index)
        frame = decode_still(self.files[index])
        if pixel_digest(frame) != wanted:
            raise ClipStoreError(
                f"frame {index} of {self.folder} is decoded to other pixels than were kept; "
                "another version of Pillow may have kept it: remove the folder"
            )
        return frame


def read_entry(folder: Path, node: Node) -> Entry | None:
    """The entry in `folder`, every byte checked; None if there is none.

    Raises:
        Damaged: a file is missing, cut short or altered, or the entry belongs to another key.
        OSError: something is there and cannot be read.
    """
    if not folder.is_dir():
        if folder.is_symlink() or folder.exists():
            raise Damaged("not a folder")
        return None
    manifest = _manifest(folder)
    if manifest.node != node:
        raise Damaged(f"the manifest is that of {manifest.node.key}")
    if tuple(still.index for still in manifest.stills) != kept_frames(node.geometry):
        raise Damaged(
            f"frames {[still.index for still in manifest.stills]} instead of {list(kept_frames(node.geometry))}"
        )
    files = {}
    for still in manifest.stills:
        data = _bytes(folder / still_name(still.index))
        if hashlib.sha256(data).hexdigest() != still.file:
            raise Damaged(f"{still_name(still.index)} is cut short or altered ({len(data):,} bytes)")
        files[still.index] = data
    return Entry(folder=folder, manifest=manifest, files=files)


def _manifest(folder: Path) -> Manifest:
    data = _bytes(folder / MANIFEST_NAME, MAX_BYTES)
    try:
        return read_manifest(data)
    except ValueError as error:
        raise Damaged(str(error)) from error


def _bytes(path: Path, most: int = -1) -> bytes:
    try:
        with path.open("rb") as stream:
            return stream.read(most)
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError) as error:
        raise Damaged(f"{path.name} is missing") from error
