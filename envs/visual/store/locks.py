"""One writer a key across processes: `flock`, which the kernel lets go of when a process dies. Own design."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path


def hold(path: Path, *, wait: bool = True) -> int | None:
    """Take the lock of `path`; the handle is for `let_go`, None if somebody else has it and `wait` is False.

    Raises:
        OSError: the file system cannot lock, or the file cannot be made.
    """
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_still(path, handle):
                return handle
        except BlockingIOError:
            os.close(handle)
            return None
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)  # removed while we waited: a lock on what is left would exclude nobody


def let_go(handle: int) -> None:
    """Give the lock up."""
    os.close(handle)


def _is_still(path: Path, handle: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(handle))
    except FileNotFoundError:
        return False
