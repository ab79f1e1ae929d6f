"""Plays the units of a run in the way that suits its agent, and stops in good order. Own design.

An agent that is not asynchronous plays alone on the caller's thread, outside any event loop (it may want to run one of
its own), or with others on threads; asynchronous ones are tasks of one loop. All but the first go through `drive`.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing

from conflictbench.benchmarks.driver import drive
from conflictbench.benchmarks.event_loop import run_to_end
from conflictbench.benchmarks.interrupts import Interrupts, ended_by
from conflictbench.benchmarks.player import AsyncPlayer, Player
from conflictbench.benchmarks.session import Session
from conflictbench.benchmarks.units import Unit
from conflictbench.benchmarks.workers import OnStep, Play, Threads


def play(units: Sequence[Unit], session: Session, concurrency: int) -> int:
    """Play the units and keep their records; return the signal that ended it before the last one, else 0."""

    def to_the_end(interrupts: Interrupts) -> None:
        with session.progress:
            if session.cast.entry.is_async:
                run_to_end(lambda: _converse(units, session, concurrency), interrupts)
            elif concurrency == 1:
                _alone(units, session, interrupts)
            else:
                _on_threads(units, session, concurrency, interrupts)
            session.tick()

    return ended_by(to_the_end)


def _alone(units: Sequence[Unit], session: Session, interrupts: Interrupts) -> None:
    def on_step() -> None:
        interrupts.check()
        session.tick()

    player = Player(session.cast.make_agent, session, on_step)
    for unit in units:
        if not session.go_on(unit):
            break
        record = player(unit)
        interrupts.check()  # a record made while the signal came may blame it on the env
        session.write([record])
        session.tick()


def _on_threads(units: Sequence[Unit], session: Session, concurrency: int, interrupts: Interrupts) -> None:
    def make_player(check: OnStep) -> Play:
        return Player(session.cast.make_agent, session, check)

    with closing(Threads(make_player)) as threads:
        run_to_end(
            lambda: drive(units, threads.start, concurrency, session.write, tick=session.tick, go_on=session.go_on),
            interrupts,
        )


async def _converse(units: Sequence[Unit], session: Session, concurrency: int) -> None:
    try:
        await drive(
            units,
            lambda: AsyncPlayer(session.cast.make_async_agent, session),
            concurrency,
            session.write,
            tick=session.tick,
            go_on=session.go_on,
        )
    finally:
        await session.cast.close()
