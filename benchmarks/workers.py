"""Playing units on one thread or several; records come back to the caller's thread, which alone writes. Own design."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Generator, Sequence

from conflictbench.benchmarks.units import Unit
from conflictbench.types import EpisodeRecord

Play = Callable[[Unit], EpisodeRecord]
OnStep = Callable[[], None]

TICK_S = 0.5  # how often a waiting driver looks up, so that progress moves during long episodes
FAREWELL_S = 2.0  # how long stopped workers may take to reach their next step


class Stopped(BaseException):
    """Raised between two steps of an episode when the run is stopping. Not an `Exception`: no episode failed."""


def play_all(
    units: Sequence[Unit], make_player: Callable[[OnStep], Play], concurrency: int, tick: OnStep
) -> Generator[EpisodeRecord, None, None]:
    """Yield one record a unit, in the order in which they finish.

    Closing the iterator, or an exception in the caller (Ctrl-C), drops the episodes in flight at their next step.

    Args:
        make_player: called once a worker with a function that the player calls at every step.
        concurrency: threads; 1 plays on the caller's own thread.
        tick: called often on the caller's thread.
    """
    if concurrency == 1:
        play = make_player(tick)
        for unit in units:
            yield play(unit)
        return
    yield from _threaded(units, make_player, min(concurrency, max(1, len(units))), tick)


def _threaded(
    units: Sequence[Unit], make_player: Callable[[OnStep], Play], concurrency: int, tick: OnStep
) -> Generator[EpisodeRecord, None, None]:
    todo: queue.SimpleQueue[Unit] = queue.SimpleQueue()
    for unit in units:
        todo.put(unit)
    done: queue.SimpleQueue[EpisodeRecord | BaseException] = queue.SimpleQueue()
    stop = threading.Event()

    def check() -> None:
        if stop.is_set():
            raise Stopped

    def work() -> None:
        try:
            play = make_player(check)
            while not stop.is_set():
                done.put(play(todo.get_nowait()))
        except (queue.Empty, Stopped):
            pass
        except BaseException as error:  # handed on: an exception must not die with its thread
            done.put(error)

    # Daemons: a worker that hangs in a model call must not keep a stopped program alive.
    threads = [threading.Thread(target=work, name=f"worker-{i}", daemon=True) for i in range(concurrency)]
    for thread in threads:
        thread.start()
    try:
        left = len(units)
        while left:
            try:
                result = done.get(timeout=TICK_S)
            except queue.Empty:
                tick()
                continue
            if isinstance(result, BaseException):
                raise result
            left -= 1
            yield result
            tick()
    finally:
        stop.set()
        for thread in threads:
            thread.join(FAREWELL_S / concurrency)
