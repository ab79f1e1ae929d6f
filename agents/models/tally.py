"""How many requests a block of code has sent, the one in flight included when it is cancelled. Own design.

A cancelled call returns no usage, but the provider has its requests all the same. So adapters count each as they send
it, and whoever ends a call from outside reads the tally. A context variable, as the labels are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar


class Tally:
    """Requests sent so far; `on_adjusted` is told how many when the last of them is to be sent in another form."""

    def __init__(self, on_adjusted: Callable[[int], None] = lambda sent: None) -> None:
        self.sent = 0
        self.on_adjusted = on_adjusted


_OPEN: ContextVar[tuple[Tally, ...]] = ContextVar("conflictbench_tallies", default=())


@contextmanager
def tallied(on_adjusted: Callable[[int], None] = lambda sent: None) -> Iterator[Tally]:
    """Count the requests sent inside the block, and in the tasks started there; blocks inside one another all count."""
    tally = Tally(on_adjusted)
    token = _OPEN.set((*_OPEN.get(), tally))
    try:
        yield tally
    finally:
        # A task that would not be cancelled is closed by the garbage collector, in another context: nothing to undo.
        with suppress(ValueError):
            _OPEN.reset(token)


def count_request() -> None:
    """Say that a request is being sent. Called by adapters."""
    for tally in _OPEN.get():
        tally.sent += 1


def request_adjusted() -> None:
    """Say that the last request was refused for its form, and goes out again in another. Called by adapters."""
    for tally in _OPEN.get():
        tally.on_adjusted(tally.sent)
