"""A file that saves work when it is there: whole or absent, and never believed when it is damaged. Own design.

A digest stands in front of the body. Writers put a finished file in place by one rename: readers and other writers see
a whole one or none. What cannot be read or kept costs time, never a result, and is said in the log.
"""

from __future__ import annotations

import logging
import os
import tempfile
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

DIGEST_BYTES = 16

_log = logging.getLogger("conflictbench.cache")


@dataclass(frozen=True)
class Kept:
    """One kind of such files, in the words of the log."""

    what: str  # plural, such as "tables"
    again: str  # what happens without one, such as "they are made again"

    def read(self, path: Path) -> bytes | None:
        """The body of the file; None if there is none, or none that can be trusted."""
        try:
            raw = path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            _log.warning("kept %s %s cannot be read (%s); %s", self.what, path, error, self.again)
            return None
        # The digest is compared before anything is parsed: what parsers raise over damaged bytes is an open list.
        digest, body = raw[:DIGEST_BYTES], raw[DIGEST_BYTES:]
        if _digest(body) != digest:
            _log.warning("kept %s %s are damaged; %s", self.what, path, self.again)
            return None
        return body

    def write(self, path: Path, body: bytes) -> None:
        """Put a body in place, its folder too."""
        temporary: str | None = None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(prefix=".", suffix=".tmp", dir=path.parent)
            with os.fdopen(handle, "wb") as stream:
                stream.write(_digest(body) + body)
                stream.flush()
                os.fsync(stream.fileno())
            os.replace(temporary, path)
        except OSError as error:
            _log.warning("%s cannot be kept in %s (%s); %s next time", self.what, path.parent, error, self.again)
            if temporary is not None:
                Path(temporary).unlink(missing_ok=True)


def _digest(body: bytes) -> bytes:
    return blake2b(body, digest_size=DIGEST_BYTES).digest()
