"""Playing units on daemon threads that an event loop waits for. Own design."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress

from conflictbench.benchmarks.units import Unit
from conflictbench.types import EpisodeRecord

Play = Callable[[Unit], EpisodeRecord]
AsyncPlay = Callable[[Unit], Awaitable[EpisodeRecord]]
OnStep = Callable[[], None]

FAREWELL_S = 2.0  # how long stopped threads may take to reach their next step


class Stopped(BaseException):
    """Raised between two steps of an episode when the run is stopping. Not an `Exception`: no episode failed."""


class Threads:
    """Threads of one run, which end together."""

    def __init__(self, make_player: Callable[[OnStep], Play]) -> None:
        """Begin with none.

        Args:
            make_player: called on each thread, with a function that the player calls at every step.
        """
        self._make_player = make_player
        self._stop = threading.Event()
        self._workers: list[ThreadWorker] = []

    def start(self) -> ThreadWorker:
        """One more thread."""
        worker = ThreadWorker(self._make_player, self._stop)
        self._workers.append(worker)
        return worker

    def close(self) -> None:
        """End every thread: at its next step, where it has an episode in hand."""
        self._stop.set()
        for worker in self._workers:
            worker.close()
        for worker in self._workers:
            worker.join(FAREWELL_S / len(self._workers))


class ThreadWorker:
    """A player on a daemon thread of its own, which a coroutine can wait for.

    A daemon: a worker that hangs in a model call must not keep a stopped program alive.
    """

    def __init__(self, make_player: Callable[[OnStep], Play], stop: threading.Event) -> None:
        """Start the thread; `stop` is set to end it."""
        self._make_player, self._stop = make_player, stop
        self._inbox: queue.SimpleQueue[tuple[Unit, asyncio.Future[EpisodeRecord]] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="worker", daemon=True)
        self._thread.start()

    async def __call__(self, unit: Unit) -> EpisodeRecord:
        """Play one unit. What the player raises, or making it raised, is raised here."""
        future: asyncio.Future[EpisodeRecord] = asyncio.get_running_loop().create_future()
        self._inbox.put((unit, future))
        return await future

    def close(self) -> None:
        """Wake the thread if it waits for a unit."""
        self._inbox.put(None)

    def join(self, timeout_s: float) -> None:
        """Wait for the end of the thread."""
        self._thread.join(timeout_s)

    def _work(self) -> None:
        play: Play | None = None
        while (item := self._inbox.get()) is not None and not self._stop.is_set():
            unit, future = item
            result: EpisodeRecord | BaseException
            try:
                if play is None:
                    play = self._make_player(self._check)
                result = play(unit)
            except BaseException as error:  # handed on: an exception must not die with its thread
                result = error
            with suppress(RuntimeError):  # the loop is closed: nobody waits any more
                future.get_loop().call_soon_threadsafe(_settle, future, result)

    def _check(self) -> None:
        if self._stop.is_set():
            raise Stopped


def _settle(future: asyncio.Future[EpisodeRecord], result: EpisodeRecord | BaseException) -> None:
    if future.done():  # cancelled meanwhile
        return
    if isinstance(result, BaseException):
        future.set_exception(result)
    else:
        future.set_result(result)
