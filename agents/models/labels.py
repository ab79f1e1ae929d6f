"""Which episode a model call belongs to, for the layers below that need to know. Own design.

Set by the runner round an episode, read by the adapter (two headers, to a server on this machine) and by the cache.
A context variable, so that concurrent tasks each have their own, and `LanguageModel.complete` stays as small as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class CallLabels:
    """Who is calling. Never shown to a model."""

    episode: str = ""  # opaque: a digest of the episode's key, header `X-Conflictbench-Episode`
    attempt: int = 0  # of the episode, header `X-Conflictbench-Attempt`
    sample: str = ""  # what makes two calls with equal content different draws (seed and epoch): part of the cache key

    def headers(self) -> dict[str, str]:
        """HTTP headers; none where nothing is labelled."""
        if not self.episode:
            return {}
        return {"X-Conflictbench-Episode": self.episode, "X-Conflictbench-Attempt": str(self.attempt)}


_CURRENT: ContextVar[CallLabels | None] = ContextVar("conflictbench_call_labels", default=None)
_UNLABELLED = CallLabels()


def current_labels() -> CallLabels:
    """Labels of the running task."""
    return _CURRENT.get() or _UNLABELLED


@contextmanager
def labelled(labels: CallLabels) -> Iterator[None]:
    """Label every model call inside the block, and in the tasks started there."""
    token = _CURRENT.set(labels)
    try:
        yield
    finally:
        # A task that would not be cancelled is closed by the garbage collector, in another context: nothing to undo.
        with suppress(ValueError):
            _CURRENT.reset(token)
