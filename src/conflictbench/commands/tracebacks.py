"""`--debug`: what the package logs while episodes are played, tracebacks of agents above all, on stderr. Own design."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Iterator
from contextlib import contextmanager

PACKAGE = "conflictbench"


@contextmanager
def tracebacks_shown(wanted: bool) -> Iterator[None]:
    """Show what is logged inside the block, if it is wanted; an exception that comes again from one place, once."""
    if not wanted:
        yield
        return
    logger, handler = logging.getLogger(PACKAGE), logging.StreamHandler()
    handler.setFormatter(_Cleaned("%(message)s"))
    handler.addFilter(_Once())
    before = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(before)


class _Once(logging.Filter):
    """Lets an exception through the first time that it comes from a line."""

    def __init__(self) -> None:
        super().__init__()
        self._seen: set[str] = set()

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        frames = traceback.extract_tb(error.__traceback__) if error is not None else []
        place = f"{record.getMessage()} {frames[-1].filename}:{frames[-1].lineno}" if frames else record.getMessage()
        new = place not in self._seen
        self._seen.add(place)
        return new


class _Cleaned(logging.Formatter):
    """Takes every secret of the environment out of what is shown."""

    def format(self, record: logging.LogRecord) -> str:
        from conflictbench.agents.models.keys import Redactor

        return Redactor().clean(super().format(record))
