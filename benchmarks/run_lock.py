"""One writer a run directory: an exclusive `flock`, which the system drops however the process ends. Own design."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from conflictbench.errors import RunError, RunLocked

FILE_NAME = "run.lock"  # left in place: removing it would let two processes lock two different files


class RunLock:
    """Holds the lock of a directory from construction until `release`.

    Raises:
        RunLocked: another process (or another run of this one) writes the directory; the message names its pid.
        RunError: the lock file cannot be made.
    """

    def __init__(self, directory: Path) -> None:
        path = directory / FILE_NAME
        try:
            self._fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise RunError(f"{directory}: cannot be written ({error.strerror}: {path})") from error
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.pread(self._fd, 32, 0).decode("ascii", "replace").strip() or "unknown"
            os.close(self._fd)
            if not isinstance(error, BlockingIOError):
                raise RunError(f"{directory}: cannot be locked ({error.strerror})") from error
            raise RunLocked(
                f"{directory}: another process is writing this run (pid {holder}); "
                "wait until it ends, stop it, or start another run with --fresh or another --out"
            ) from error
        try:
            os.ftruncate(self._fd, 0)
            os.pwrite(self._fd, f"{os.getpid()}\n".encode("ascii"), 0)
        except OSError as error:
            self.release()
            raise RunError(f"{path}: cannot be written ({error.strerror})") from error

    def release(self) -> None:
        """Let others in; a second call does nothing."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1
