"""Remembers Ctrl-C and SIGTERM, because the exception they raise can get lost. Own design.

KeyboardInterrupt is raised wherever the main thread happens to be, inside pydantic's serialiser too, which makes an
ordinary error of it: an episode would look like a fault of its env, a run like a broken one. So the signal is also
noted here, and whoever catches an error asks whether it was one. Where an event loop runs nothing is raised at all:
the loop is told, and stops in its own order.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Self

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Interrupts:
    """Notes SIGINT and SIGTERM while the block runs, and then does what would have been done without it.

    SIGTERM, which by itself would end the program on the spot, raises KeyboardInterrupt like SIGINT. Off the main
    thread, or where a signal is ignored, nothing is noted. Blocks may be nested.
    """

    def __init__(self) -> None:
        self.requested = False
        self.signal: int | None = None  # the first one that came
        self._previous: dict[int, Callable[[int, FrameType | None], object] | int] = {}
        self._instead: Callable[[], object] | None = None

    def check(self) -> None:
        """Raise KeyboardInterrupt if it was asked for and got lost."""
        if self.requested:
            raise KeyboardInterrupt

    @contextmanager
    def told_to(self, stop: Callable[[], object]) -> Iterator[None]:
        """In this block the first signal calls `stop` instead of raising; the next one raises."""
        self._instead = stop
        try:
            yield
        finally:
            self._instead = None

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            for number in _SIGNALS:
                previous = signal.getsignal(number)
                if callable(previous) or (number == signal.SIGTERM and previous == signal.SIG_DFL):
                    self._previous[number] = previous
                    signal.signal(number, self._note)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, previous in self._previous.items():
            signal.signal(number, previous)
        self._previous = {}

    def _note(self, signum: int, frame: FrameType | None) -> None:
        first, self.requested = not self.requested, True
        if first:
            self.signal = signum
        try:
            previous = self._previous.get(signum)
            if callable(previous):
                previous(signum, frame)
            else:
                raise KeyboardInterrupt
        except KeyboardInterrupt:
            if self._instead is None or not first:
                raise
        if self._instead is not None and first:
            self._instead()


def ended_by(play: Callable[[Interrupts], object]) -> int:
    """Let `play` go on until its end or a signal; return the signal, else 0. Raises what it raises of its own."""
    with Interrupts() as interrupts:
        try:
            play(interrupts)
        except KeyboardInterrupt:
            return interrupts.signal or signal.SIGINT
        except Exception:
            if not interrupts.requested:
                raise
            return interrupts.signal or signal.SIGINT
    return 0
