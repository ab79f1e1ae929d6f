"""Finds out, before anything is played, whether clips can be kept: a run should not learn it in its first episode."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final

from conflictbench.envs.visual.store.folder import clip_folder, explained

ROOM: Final = 2 * 2**20  # bytes: the kept frames of one clip of the usual size take some 1.3 million
WRITTEN_TO: Final = ("nodes", "tmp", "locks")


def check_writable(root: Path) -> None:
    """Write and remove a nameless file wherever a clip would need to; nothing is left behind, no folder is made.

    Raises:
        ClipStoreFull: there is no room for one clip.
        ClipStoreError: a folder cannot be written to, or is none.
    """
    with explained(root):
        folders = [root / name for name in WRITTEN_TO]
        for folder in {_nearest(folder): None for folder in folders}:
            try:
                with TemporaryFile(dir=folder, buffering=0) as file:
                    left = ROOM
                    while left:
                        left -= file.write(bytes(left))
            except OSError as error:  # by the folder's name: that of the file says nothing
                raise OSError(error.errno, error.strerror, str(folder)) from error


def check_clip_folder() -> None:
    """`check_writable` for the folder of `clip_folder`, where clips are kept at all."""
    folder = clip_folder()
    if folder is not None:
        check_writable(folder)


def _nearest(path: Path) -> Path:
    """The path, or the first above it at which something is."""
    path = path.absolute()
    while not os.path.lexists(path) and path != path.parent:
        path = path.parent
    return path
