"""Progress of a run on stderr: a bar with rate and remaining time, or plain lines where nobody watches. Own design."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import Protocol, Self, TextIO

from conflictbench.counting import counted
from conflictbench.saying import fitted, say

FIRST_S = 2.0  # a run shorter than this says nothing
EVERY_S = 5.0  # between plain lines


class Progress(Protocol):
    """What the runner tells whoever is watching. A context manager."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def advance(self, episodes: int = 1) -> None:
        """So many more episodes have been kept."""

    def tick(self) -> None:
        """Time has passed."""

    def say(self, line: str) -> None:
        """Show a line at once, whatever else is shown."""


class PlainProgress:
    """A line every few seconds: `random: 120/240 episodes, 40.0/s, 0:03 left`, and what `extra` has to say."""

    def __init__(
        self,
        name: str,
        total: int,
        done: int,
        stream: TextIO,
        clock: Callable[[], float] = time.monotonic,
        extra: Callable[[], str] = lambda: "",
        unit: str = "episode",
    ) -> None:
        self._name, self._total, self._done, self._stream, self._clock = name, total, done, stream, clock
        self._extra, self._unit = extra, unit
        self._start = clock()
        self._at_start = done
        self._next = self._start + FIRST_S
        self._spoke = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._spoke:
            self._say()

    def advance(self, episodes: int = 1) -> None:
        self._done += episodes
        self.tick()

    def tick(self) -> None:
        if self._clock() >= self._next:
            self._next = self._clock() + EVERY_S
            self._spoke = True
            self._say()

    def say(self, line: str) -> None:
        say(line, self._stream)

    def _say(self) -> None:
        rate = (self._done - self._at_start) / max(self._clock() - self._start, 1e-9)
        speed = [f"{rate:.1f}/s", f"{duration((self._total - self._done) / rate)} left"] if rate > 0 else []
        parts = [f"{self._done}/{counted(self._total, self._unit)}", *speed, self._extra()]
        self.say(f"{self._name}: {', '.join(part for part in parts if part)}")


class BarProgress:
    """The same as a live bar."""

    def __init__(self, name: str, total: int, done: int, stream: TextIO, extra: Callable[[], str] = lambda: "") -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as RichProgress
        from rich.table import Column

        # in a narrow terminal the name gives way: rich would drop what stands between it and the last words
        gives_way = Column(ratio=1, no_wrap=True, overflow="ellipsis")
        self._bar = RichProgress(
            TextColumn("{task.description}", markup=False, table_column=gives_way),
            BarColumn(bar_width=10),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[extra]}", markup=False),
            console=Console(file=stream),
            transient=True,
            expand=True,
        )
        self._task = self._bar.add_task(name, total=total, completed=done, extra=extra())
        self._extra = extra
        self._start, self._count = time.monotonic(), 0

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def advance(self, episodes: int = 1) -> None:
        self._count += episodes
        rate = self._count / max(time.monotonic() - self._start, 1e-9)
        self._bar.update(self._task, advance=episodes, extra=self._extra() or f"{rate:.1f}/s")

    def tick(self) -> None:
        """Nothing but the extra words: the bar redraws itself."""
        if words := self._extra():
            self._bar.update(self._task, extra=words)

    def say(self, line: str) -> None:
        line = fitted(line, self._bar.console.file)
        self._bar.console.print(line, markup=False, highlight=False, soft_wrap=True)


class QuietProgress:
    """Nothing but what must be said: a person is typing at this terminal."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass

    def advance(self, episodes: int = 1) -> None:
        """Say nothing: an agent that talks with a person says itself how an episode ended."""

    def tick(self) -> None:
        """Say nothing."""

    def say(self, line: str) -> None:
        say(line, self._stream)


def make_progress(
    name: str,
    total: int,
    done: int,
    stream: TextIO | None = None,
    extra: Callable[[], str] = lambda: "",
    *,
    interactive: bool = False,
    unit: str = "episode",
) -> Progress:
    """A bar where `stream` (default stderr) is a terminal, plain lines elsewhere, neither where a person plays.

    Args:
        name: what is running.
        total, done: episodes of the run, and how many of them are finished already.
        extra: what else there is to say, "" for nothing: tokens and money, say.
        interactive: the agent talks with a person at the terminal.
        unit: what is counted, in the singular.
    """
    stream = stream if stream is not None else sys.stderr
    if interactive:
        return QuietProgress(stream)
    if stream.isatty():
        return BarProgress(name, total, done, stream, extra)
    return PlainProgress(name, total, done, stream, extra=extra, unit=unit)


def duration(seconds: float) -> str:
    """`0:07`, `12:30`, `3:00:05`."""
    whole = round(seconds)
    hours, minutes = divmod(whole // 60, 60)
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"
