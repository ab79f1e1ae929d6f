"""Plays units many at a time on an event loop, and hands the records over in groups. Own design.

Conversations must not wait for the disk: records that arrive while others are being written form the next group, which
is written and synced at once, on a thread. An episode is finished, and its worker goes on, when its group is on disk.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from types import TracebackType
from typing import Generic, TypeVar

TICK_S = 0.5  # how often a waiting driver looks up, so that progress moves during long episodes
FAREWELL_S = 4.0  # how long stopped workers may take to let go; more than `player.GRACE_S`

UnitT = TypeVar("UnitT")  # what is played
RecordT = TypeVar("RecordT")  # what comes of it
Outcome = asyncio.Task[BaseException | None]


async def drive(
    units: Sequence[UnitT],
    make_play: Callable[[], Callable[[UnitT], Awaitable[RecordT]]],
    concurrency: int,
    write: Callable[[Sequence[RecordT]], None],
    *,
    tick: Callable[[], None] = lambda: None,
    go_on: Callable[[UnitT], bool] = lambda unit: True,
) -> None:
    """Play every unit once and keep its record.

    Cancelled, it drops what is in flight and keeps what has arrived; so it does when a player or `write` raises, and
    then passes that on.

    Args:
        make_play: called once a worker.
        concurrency: episodes in flight.
        write: called on a thread, never twice at a time; when it returns, its records are safe.
        tick: called on the loop's thread every TICK_S and after each group.
        go_on: asked before each unit; when it says no, it is asked again whenever one has ended, as long as others are
            in flight. When it says yes, the unit is begun.
    """
    todo = deque(units)
    keeper, turnstile = Keeper(write), Turnstile()

    async def work() -> None:
        play = make_play()
        while todo:
            if not go_on(todo[0]):
                if not turnstile.in_flight:
                    return
                await turnstile.one_has_ended()
                continue
            with turnstile:
                record = await play(todo.popleft())
            await keeper.keep(record)

    writing = asyncio.create_task(_outcome(lambda: keeper.run(tick)))
    workers = [asyncio.create_task(_outcome(work)) for _ in range(min(concurrency, len(units)))]
    ticking = asyncio.create_task(_outcome(lambda: _tick(tick)))
    try:
        await _until_all_done(workers, {writing, ticking})
    finally:
        await _cancel([*workers, ticking])
        keeper.close()
        error = await writing
    if error is not None:
        raise error
    tick()


class Turnstile:
    """Knows how many are being played: a context manager round each."""

    def __init__(self) -> None:
        self.in_flight = 0
        self._ended = asyncio.Event()

    def __enter__(self) -> None:
        self.in_flight += 1

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.in_flight -= 1
        self._ended.set()
        self._ended = asyncio.Event()

    async def one_has_ended(self) -> None:
        """Wait for the next end."""
        await self._ended.wait()


class Keeper(Generic[RecordT]):
    """Collects records and writes them in groups."""

    def __init__(self, write: Callable[[Sequence[RecordT]], None]) -> None:
        self._write = write
        self._arrived: list[tuple[RecordT, asyncio.Future[None]]] = []
        self._wake = asyncio.Event()
        self._closed = False

    async def keep(self, record: RecordT) -> None:
        """Hand a record over, and wait until it is safe. Raises what writing it raised."""
        kept: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._arrived.append((record, kept))
        self._wake.set()
        await kept

    def close(self) -> None:
        """Let `run` end when what has arrived is written."""
        self._closed = True
        self._wake.set()

    async def run(self, written: Callable[[], None]) -> None:
        """Write what arrives until `close`; `written` is called after each group. Raises what `write` raises."""
        while self._arrived or not self._closed:
            await self._wake.wait()
            self._wake.clear()
            group, self._arrived = self._arrived, []
            if not group:
                continue
            await asyncio.to_thread(self._write, [record for record, _ in group])
            for _, kept in group:
                if not kept.done():  # its worker may have been cancelled
                    kept.set_result(None)
            written()


async def _outcome(work: Callable[[], Awaitable[None]]) -> BaseException | None:
    """What ended the work, as a value: KeyboardInterrupt and SystemExit must not tear the loop down from inside."""
    try:
        await work()
    except asyncio.CancelledError:
        raise
    except BaseException as error:
        return error
    return None


async def _until_all_done(workers: Sequence[Outcome], others: set[Outcome]) -> None:
    """Wait for the workers; raise the first failure, of what else runs too, or they might wait for it for ever."""
    pending = {*workers}
    while pending:
        done, _ = await asyncio.wait(pending | others, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            error = task.result()
            if error is not None:
                raise error
        pending -= done


async def _cancel(tasks: Sequence[Outcome]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks, timeout=FAREWELL_S)


async def _tick(tick: Callable[[], None]) -> None:
    while True:
        await asyncio.sleep(TICK_S)
        tick()
