"""Remembers Ctrl-C, because the exception it raises can get lost. Own design.

KeyboardInterrupt is raised wherever the main thread happens to be, inside pydantic's serialiser too, which makes an
ordinary error of it: an episode would look like a fault of its env, a run like a broken one. So the signal is also
noted here, and whoever catches an error asks whether it was one.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Self


class Interrupts:
    """Notes SIGINT while the block runs, and then does what would have been done without it.

    Off the main thread, or where SIGINT is ignored, nothing is noted. Blocks may be nested.
    """

    def __init__(self) -> None:
        self.requested = False
        self._previous: Callable[[int, FrameType | None], object] | None = None

    def check(self) -> None:
        """Raise KeyboardInterrupt if it was asked for and got lost."""
        if self.requested:
            raise KeyboardInterrupt

    def __enter__(self) -> Self:
        previous = signal.getsignal(signal.SIGINT)
        if callable(previous) and threading.current_thread() is threading.main_thread():
            self._previous = previous
            signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._previous is not None:
            signal.signal(signal.SIGINT, self._previous)

    def _note(self, signum: int, frame: FrameType | None) -> None:
        self.requested = True
        if self._previous is not None:
            self._previous(signum, frame)
