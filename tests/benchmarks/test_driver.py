"""The event loop's driver: records come back once, in groups, and nothing is lost that has arrived."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Sequence

import pytest
from tests.benchmarks.building import a_record, an_identity

from conflictbench.benchmarks import driver
from conflictbench.benchmarks.driver import drive
from conflictbench.benchmarks.units import Unit, pending_units
from conflictbench.types import EpisodeRecord

UNITS = pending_units(an_identity(seeds=20), {})


class Paper:
    """Takes what is written, a group a call."""

    def __init__(self) -> None:
        self.groups: list[list[int]] = []

    def write(self, records: Sequence[EpisodeRecord]) -> None:
        self.groups.append([record.key.seed for record in records])

    @property
    def seeds(self) -> list[int]:
        return [seed for group in self.groups for seed in group]


async def echo(unit: Unit) -> EpisodeRecord:
    """Play a unit by doing nothing."""
    return a_record(seed=unit.key.seed, attempt=unit.attempt)


def run(main: Coroutine[None, None, None]) -> None:
    asyncio.run(main)


@pytest.mark.parametrize("concurrency", [1, 2, 7, 64])
def test_drive__every_unit_is_played_and_written_once(concurrency: int) -> None:
    paper = Paper()
    run(drive(UNITS, lambda: echo, concurrency, paper.write))
    assert sorted(paper.seeds) == list(range(20))


def test_drive__nothing_to_play_ends_at_once() -> None:
    paper = Paper()
    run(drive([], lambda: echo, 4, paper.write))
    assert paper.groups == []


def test_drive__as_many_are_in_flight_as_asked_for_and_no_more() -> None:
    paper, in_flight, most = Paper(), 0, 0

    async def main() -> None:
        barrier = asyncio.Barrier(5)

        async def play(unit: Unit) -> EpisodeRecord:
            nonlocal in_flight, most
            in_flight += 1
            most = max(most, in_flight)
            await barrier.wait()  # passed by five at a time or never
            in_flight -= 1
            return await echo(unit)

        await drive(UNITS, lambda: play, 5, paper.write)

    run(main())
    assert (most, len(paper.seeds)) == (5, 20)


def test_drive__what_arrives_during_a_write_is_written_together() -> None:
    paper, arrived = Paper(), threading.Event()
    seven = UNITS[:7]

    def write(records: Sequence[EpisodeRecord]) -> None:
        if not paper.groups:
            assert arrived.wait(30)  # the loop goes on: this is another thread
        paper.write(records)

    async def main() -> None:
        playing = asyncio.Event()

        async def play(unit: Unit) -> EpisodeRecord:
            if unit.key.seed == 0:
                playing.set()
                return await echo(unit)
            await playing.wait()
            if unit.key.seed == 6:
                asyncio.get_running_loop().call_soon(arrived.set)
            return await echo(unit)

        await drive(seven, lambda: play, 7, write)

    run(main())
    assert sorted(paper.seeds) == list(range(7))
    assert len(paper.groups) <= 2


def test_drive__a_worker_begins_nothing_before_its_record_is_safe() -> None:
    order: list[str] = []

    def write(records: Sequence[EpisodeRecord]) -> None:
        order.extend(f"written {record.key.seed}" for record in records)

    async def play(unit: Unit) -> EpisodeRecord:
        order.append(f"begun {unit.key.seed}")
        return await echo(unit)

    run(drive(UNITS[:3], lambda: play, 1, write))
    assert order == ["begun 0", "written 0", "begun 1", "written 1", "begun 2", "written 2"]


def test_drive__nothing_more_is_begun_once_it_shall_not_go_on() -> None:
    paper = Paper()
    run(drive(UNITS, lambda: echo, 1, paper.write, go_on=lambda unit: len(paper.seeds) < 3))
    assert paper.seeds == [0, 1, 2]


def test_drive__a_unit_that_has_to_wait_is_asked_for_again_when_another_has_ended() -> None:
    paper, asked, ended, in_flight, most = Paper(), 0, 0, 0, 0

    async def play(unit: Unit) -> EpisodeRecord:
        nonlocal ended, in_flight, most
        in_flight += 1
        most = max(most, in_flight)
        for _ in range(20):  # others may begin meanwhile
            await asyncio.sleep(0)
        in_flight -= 1
        ended += 1
        return await echo(unit)

    def go_on(unit: Unit) -> bool:
        nonlocal asked
        asked += 1
        return in_flight < (2 if ended < 4 else 8)

    run(drive(UNITS, lambda: play, 16, paper.write, go_on=go_on))
    assert sorted(paper.seeds) == list(range(20))
    assert most == 8
    assert asked > 20


@pytest.mark.parametrize("concurrency", [1, 3])
@pytest.mark.parametrize("error", [OSError("full"), SystemExit("full"), KeyboardInterrupt("full")])
def test_drive__what_a_player_raises_reaches_the_caller_and_the_others_are_kept(
    error: BaseException, concurrency: int
) -> None:
    paper = Paper()

    async def play(unit: Unit) -> EpisodeRecord:
        if unit.key.seed == 9:
            raise error
        return await echo(unit)

    with pytest.raises(type(error), match="full"):
        run(drive(UNITS, lambda: play, concurrency, paper.write))
    assert set(paper.seeds) >= set(range(9 - concurrency))
    assert 9 not in paper.seeds


def test_drive__what_writing_raises_reaches_the_caller() -> None:
    paper = Paper()

    def write(records: Sequence[EpisodeRecord]) -> None:
        if len(paper.seeds) >= 2:
            raise OSError("full")
        paper.write(records)

    with pytest.raises(OSError, match="full"):
        run(drive(UNITS, lambda: echo, 1, write))
    assert paper.seeds == [0, 1]


def test_drive__what_a_tick_raises_reaches_the_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "TICK_S", 0.001)

    async def never(unit: Unit) -> EpisodeRecord:
        await asyncio.Event().wait()
        raise AssertionError

    def tick() -> None:
        raise OSError("full")

    with pytest.raises(OSError, match="full"):
        run(drive(UNITS, lambda: never, 3, Paper().write, tick=tick))


def test_drive__cancelled_it_keeps_what_has_arrived_and_drops_what_is_in_flight() -> None:
    paper, dropped = Paper(), []
    writing, go_on = threading.Event(), threading.Event()

    def write(records: Sequence[EpisodeRecord]) -> None:
        writing.set()
        assert go_on.wait(30)
        paper.write(records)

    async def main() -> None:
        async def play(unit: Unit) -> EpisodeRecord:
            if unit.key.seed % 2 == 0:
                return await echo(unit)
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                dropped.append(unit.key.seed)
                raise
            raise AssertionError

        driving = asyncio.create_task(drive(UNITS[:8], lambda: play, 8, write))
        await asyncio.to_thread(writing.wait, 30)
        driving.cancel()
        go_on.set()
        with pytest.raises(asyncio.CancelledError):
            await driving

    run(main())
    assert sorted(paper.seeds) == [0, 2, 4, 6]
    assert sorted(dropped) == [1, 3, 5, 7]
