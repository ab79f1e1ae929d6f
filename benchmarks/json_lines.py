"""A file of JSON lines that is only ever appended to: read whole lines, mend the end, append. Own design.

A line is whole if it ends in a newline. What follows the last newline was being written when the process died: it is
cut off by whoever opens the file for writing, or completed if only its newline is missing.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from conflictbench.benchmarks.read_errors import is_json
from conflictbench.errors import RunError

_FLAGS = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK


class JsonLines:
    """The lines of a file with their numbers from 1; a file that does not exist has none. Iterate over it once."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.count = 0  # of whole lines, and of one that lacks its newline only
        self.whole_bytes = 0  # length of the file up to and with its last newline
        self.torn_bytes = 0  # length of an unfinished last line
        self.newline_missing = False  # the last line is whole but for its newline

    def __iter__(self) -> Iterator[tuple[int, bytes]]:
        if not self._path.exists():
            return
        with self._path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                whole = line.endswith(b"\n")
                if not whole and not is_json(line):
                    self.torn_bytes = len(line)
                    break
                yield number, line
                self.count = number
                self.whole_bytes += len(line) * whole
                self.newline_missing = not whole

    def note(self, lost: str) -> str:
        """What a reader should be told about the end of the file, or "".

        Args:
            lost: what becomes of a line that is cut off.
        """
        if self.torn_bytes:
            place = f"{self._path.name}:{self.count + 1}"
            return f"{place}: a truncated last line of {self.torn_bytes} bytes was cut off; {lost}"
        if self.newline_missing:
            return f"{self._path.name}:{self.count}: the last line lacked only its newline, which was added"
        return ""


class AppendFile:
    """The writing side."""

    def __init__(self, path: Path) -> None:
        """Open it, making it if it does not exist. Raises RunError: not writable, or not an ordinary file."""
        self.path = path
        self._fd = -1
        try:
            self._fd = os.open(path, _FLAGS, 0o644)
        except OSError as error:
            raise RunError(f"{path}: cannot be written ({error.strerror})") from error
        if not stat.S_ISREG(os.fstat(self._fd).st_mode):
            self.close()
            raise RunError(f"{path}: not an ordinary file")

    def mend(self, lines: JsonLines) -> None:
        """Cut off or complete the last line, as found by reading all of them. Raises RunError if that fails."""
        try:
            if lines.newline_missing:
                os.write(self._fd, b"\n")
            elif lines.torn_bytes:
                os.ftruncate(self._fd, lines.whole_bytes)
            os.fsync(self._fd)
        except OSError as error:
            raise RunError(f"{self.path}: cannot be mended ({error.strerror})") from error

    def append(self, data: bytes, *, sync: bool) -> None:
        """Append all of it or nothing; with `sync` it is on disk when this returns. Raises OSError."""
        before = os.fstat(self._fd).st_size
        try:
            while data:
                data = data[os.write(self._fd, data) :]
            if sync:
                os.fsync(self._fd)
        except OSError:
            # Where even this fails, the torn line is cut off at the next opening: the error to tell is the first one.
            with suppress(OSError):
                os.ftruncate(self._fd, before)
            raise

    def sync(self) -> None:
        """Wait until all of it is on disk. Raises OSError."""
        os.fsync(self._fd)

    def close(self) -> None:
        """Let go of the file; a second call does nothing."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1
