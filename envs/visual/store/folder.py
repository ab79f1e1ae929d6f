"""Where clips are kept, and what an error of the file system there means. Own design."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import platformdirs

from conflictbench.errors import ClipStoreError, ClipStoreFull

ENVIRONMENT_VARIABLE = "CONFLICTBENCH_CLIPS"  # a folder, or "off"
OFF = "off"  # keep no clips

_FULL = (errno.ENOSPC, errno.EDQUOT)


def clip_folder() -> Path | None:
    """The folder of clips: $CONFLICTBENCH_CLIPS, else one in the user's cache; None if it is "off"."""
    chosen = os.environ.get(ENVIRONMENT_VARIABLE, "")
    if chosen == OFF:
        return None
    return Path(chosen).expanduser() if chosen else Path(platformdirs.user_cache_dir("conflictbench")) / "clips"


@contextmanager
def explained(root: Path) -> Iterator[None]:
    """Raise what the file system raises as an error that names the folder and the way out.

    Raises:
        ClipStoreFull: no space, or no quota, is left.
        ClipStoreError: anything else.
    """
    try:
        yield
    except OSError as error:
        elsewhere = f"set {ENVIRONMENT_VARIABLE} to another folder, or to off to keep no clips"
        if error.errno in _FULL:
            raise ClipStoreFull(
                f"the disk is full: a clip cannot be kept in {root}; "
                f"free space there with `conflictbench clips prune`, or {elsewhere}"
            ) from error
        what = f"{error.strerror or error} ({error.filename})"
        raise ClipStoreError(f"the folder of clips {root} cannot be used: {what}; {elsewhere}") from error


def check_store(root: Path) -> None:
    """Refuse a folder that a store never wrote to; one that is empty, or not there, may become a store.

    Raises:
        ClipStoreError: it is something else, or cannot be read.
    """
    with explained(root):
        if not root.exists() or (root / "nodes").is_dir():
            return
        if not root.is_dir():
            raise ClipStoreError(f"{root} is no folder, so it holds no clips")
        if any(root.iterdir()):
            raise ClipStoreError(f"{root} is no clip store: it has no folder `nodes`")
