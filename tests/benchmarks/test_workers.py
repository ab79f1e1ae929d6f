"""Playing units on threads of an event loop: every record comes back once, and nothing outlives the driver."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import closing

import pytest
from tests.benchmarks.building import a_record, an_identity

from conflictbench.benchmarks.driver import drive
from conflictbench.benchmarks.event_loop import run_to_end
from conflictbench.benchmarks.interrupts import Interrupts
from conflictbench.benchmarks.units import Unit, episode_marker, pending_units
from conflictbench.benchmarks.workers import OnStep, Play, Stopped, Threads
from conflictbench.types import EpisodeRecord, Status

UNITS = pending_units(an_identity(seeds=20), {})


def echo(on_step: OnStep) -> Play:
    """A player whose record is of the unit it was given."""
    return lambda unit: a_record(seed=unit.key.seed, attempt=unit.attempt)


def nothing() -> None:
    """A tick that nobody waits for."""


def play_all(
    units: Sequence[Unit], make_player: Callable[[OnStep], Play], concurrency: int, tick: OnStep = nothing
) -> list[EpisodeRecord]:
    """The records in the order in which they were written."""
    written: list[EpisodeRecord] = []
    with Interrupts() as interrupts, closing(Threads(make_player)) as threads:
        run_to_end(lambda: drive(units, threads.start, concurrency, written.extend, tick=tick), interrupts)
    return written


def test_pending_units__are_the_episodes_without_an_attempt_that_counts() -> None:
    attempts = [a_record(seed=0), a_record(seed=1, status=Status.BUDGET, attempt=3), a_record(seed=2)]
    units = pending_units(an_identity(seeds=4), {record.key: record for record in attempts})
    assert [(unit.key.seed, unit.attempt) for unit in units] == [(1, 4), (3, 1)]
    assert {unit.env.env_id for unit in units} == {"ConflictBench/EP1-v0"}


def test_episode_marker__is_another_for_every_episode_and_shows_none() -> None:
    markers = {episode_marker(unit.key) for unit in UNITS}
    assert len(markers) == 20
    assert all(len(marker) == 16 and int(marker, 16) >= 0 for marker in markers)


@pytest.mark.parametrize("concurrency", [1, 2, 7, 64])
def test_threads__every_unit_is_played_once(concurrency: int) -> None:
    records = play_all(UNITS, echo, concurrency)
    assert sorted(record.key.seed for record in records) == list(range(20))


def test_threads__nothing_to_play_ends_at_once() -> None:
    assert play_all([], echo, 4) == []


def test_threads__several_units_are_in_flight_together() -> None:
    barrier = threading.Barrier(3, timeout=30)

    def meet(on_step: OnStep) -> Play:
        def play(unit: Unit) -> EpisodeRecord:
            barrier.wait()  # passed by three players at a time or never
            return echo(on_step)(unit)

        return play

    assert len(play_all(UNITS[:18], meet, 3)) == 18


def test_threads__each_has_a_player_of_its_own() -> None:
    made: list[int] = []

    def make(on_step: OnStep) -> Play:
        made.append(threading.get_ident())
        return echo(on_step)

    play_all(UNITS, make, 3)
    assert len(set(made)) == len(made) == 3
    assert threading.get_ident() not in made


def test_threads__the_driver_ticks_while_it_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("conflictbench.benchmarks.driver.TICK_S", 0.001)
    ticked = threading.Event()

    def make(on_step: OnStep) -> Play:
        def play(unit: Unit) -> EpisodeRecord:
            assert ticked.wait(30)  # set by the driver alone, which waits for this very record
            return echo(on_step)(unit)

        return play

    assert len(play_all(UNITS[:2], make, 2, ticked.set)) == 2


@pytest.mark.parametrize("error", [SystemExit("enough"), KeyboardInterrupt("enough"), ValueError("enough")])
def test_threads__what_a_player_raises_reaches_the_caller(error: BaseException) -> None:
    def make(on_step: OnStep) -> Play:
        def play(unit: Unit) -> EpisodeRecord:
            raise error

        return play

    with pytest.raises(type(error), match="enough"):
        play_all(UNITS, make, 2)


def test_threads__a_player_that_cannot_be_made_reaches_the_caller() -> None:
    def make(on_step: OnStep) -> Play:
        raise OSError("no key")

    with pytest.raises(OSError, match="no key"):
        play_all(UNITS, make, 2)


def test_threads__stop_at_their_next_step_when_the_driver_fails() -> None:
    started = threading.Event()
    ended: list[type[BaseException]] = []

    def make(on_step: OnStep) -> Play:
        def play(unit: Unit) -> EpisodeRecord:
            if unit.key.seed == 0:
                assert started.wait(30)
                raise RuntimeError("down")
            started.set()
            try:
                _until_stopped(on_step)
            except BaseException as error:
                ended.append(type(error))
                raise
            return echo(on_step)(unit)

        return play

    with pytest.raises(RuntimeError, match="down"):
        play_all(UNITS[:2], make, 2)
    workers = [thread for thread in threading.enumerate() if thread.name == "worker"]
    for thread in workers:
        thread.join(30)
    assert not any(thread.is_alive() for thread in workers)
    assert ended == [Stopped]


def _until_stopped(on_step: Callable[[], None]) -> None:
    while True:
        on_step()
