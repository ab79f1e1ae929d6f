"""Playing units on threads: every record comes back once, and nothing outlives the driver."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from tests.benchmarks.building import a_record, an_identity

from conflictbench.benchmarks.units import Unit, pending_units
from conflictbench.benchmarks.workers import OnStep, Play, Stopped, play_all
from conflictbench.types import EpisodeRecord, Status

UNITS = pending_units(an_identity(seeds=20), {})


def echo(on_step: OnStep) -> Play:
    """A player whose record is of the unit it was given."""
    return lambda unit: a_record(seed=unit.key.seed, attempt=unit.attempt)


def nothing() -> None:
    """A tick that nobody waits for."""


def test_pending_units__are_the_episodes_without_an_attempt_that_counts() -> None:
    attempts = [a_record(seed=0), a_record(seed=1, status=Status.BUDGET, attempt=3), a_record(seed=2)]
    units = pending_units(an_identity(seeds=4), {record.key: record for record in attempts})
    assert [(unit.key.seed, unit.attempt) for unit in units] == [(1, 4), (3, 1)]
    assert {unit.env.env_id for unit in units} == {"ConflictBench/EP1-v0"}


@pytest.mark.parametrize("concurrency", [1, 2, 7, 64])
def test_play_all__every_unit_is_played_once(concurrency: int) -> None:
    records = list(play_all(UNITS, echo, concurrency, nothing))
    assert sorted(record.key.seed for record in records) == list(range(20))


@pytest.mark.parametrize("concurrency", [1, 4])
def test_play_all__nothing_to_play_ends_at_once(concurrency: int) -> None:
    assert list(play_all([], echo, concurrency, nothing)) == []


def test_play_all__several_units_are_in_flight_together() -> None:
    barrier = threading.Barrier(3, timeout=30)

    def meet(on_step: OnStep) -> Play:
        def play(unit: Unit) -> EpisodeRecord:
            barrier.wait()  # passed by three players at a time or never
            return echo(on_step)(unit)

        return play

    assert len(list(play_all(UNITS[:18], meet, 3, nothing))) == 18


def test_play_all__each_worker_has_a_player_of_its_own() -> None:
    made: list[str] = []

    def make(on_step: OnStep) -> Play:
        made.append(threading.current_thread().name)
        return echo(on_step)

    list(play_all(UNITS, make, 3, nothing))
    assert len(set(made)) == len(made) == 3
    assert threading.current_thread().name not in made


def test_play_all__alone_it_plays_on_the_drivers_thread_and_ticks_there() -> None:
    ticks: list[threading.Thread] = []

    def make(on_step: OnStep) -> Play:
        def play(unit: Unit) -> EpisodeRecord:
            on_step()
            return echo(on_step)(unit)

        return play

    list(play_all(UNITS[:2], make, 1, lambda: ticks.append(threading.current_thread())))
    assert ticks == [threading.current_thread()] * 2


def test_play_all__it_ticks_while_it_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("conflictbench.benchmarks.workers.TICK_S", 0.001)
    ticked = threading.Event()

    def make(on_step: OnStep) -> Play:
        def play(unit: Unit) -> EpisodeRecord:
            assert ticked.wait(30)  # set by the driver alone, which waits for this very record
            return echo(on_step)(unit)

        return play

    assert len(list(play_all(UNITS[:2], make, 2, ticked.set))) == 2


@pytest.mark.parametrize("concurrency", [1, 2])
def test_play_all__what_a_worker_raises_reaches_the_driver(concurrency: int) -> None:
    def make(on_step: OnStep) -> Play:
        def play(unit: Unit) -> EpisodeRecord:
            raise SystemExit("enough")

        return play

    with pytest.raises(SystemExit, match="enough"):
        list(play_all(UNITS, make, concurrency, nothing))


def test_play_all__a_player_that_cannot_be_made_reaches_the_driver() -> None:
    def make(on_step: OnStep) -> Play:
        raise OSError("no key")

    with pytest.raises(OSError, match="no key"):
        list(play_all(UNITS, make, 2, nothing))


def test_play_all__closing_it_stops_workers_at_their_next_step() -> None:
    started, go_on = threading.Event(), threading.Event()
    ended: list[type[BaseException]] = []

    def make(on_step: OnStep) -> Play:
        def play(unit: Unit) -> EpisodeRecord:
            if unit.key.seed == 0:
                return echo(on_step)(unit)
            started.set()
            go_on.wait(30)
            try:
                _until_stopped(on_step)
            except BaseException as error:
                ended.append(type(error))
                raise
            return echo(on_step)(unit)

        return play

    records = play_all(UNITS, make, 2, nothing)
    assert next(records).key.seed == 0
    started.wait(30)
    go_on.set()
    records.close()

    workers = [thread for thread in threading.enumerate() if thread.name.startswith("worker-")]
    for thread in workers:
        thread.join(30)
    assert not any(thread.is_alive() for thread in workers)
    assert ended
    assert set(ended) == {Stopped}


def _until_stopped(on_step: Callable[[], None]) -> None:
    while True:
        on_step()
