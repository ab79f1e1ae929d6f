"""Signals while many episodes are in flight: what was finished is kept, what was in flight is played again."""

from __future__ import annotations

import asyncio
import signal
from itertools import count
from pathlib import Path

import pytest
from tests.benchmarks.players import LLM, ask
from tests.benchmarks.talkers import Interrupts

from conflictbench.agents.models import ModelOptions
from conflictbench.benchmarks.loading import load_run
from conflictbench.benchmarks.run_command import run_command
from conflictbench.benchmarks.runner import run_suite
from conflictbench.types import Completion, Reply, Usage

AGENT = "tests.benchmarks.talkers:Interrupts"


@pytest.fixture(autouse=True)
def _handlers_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Interrupts, "waiting", 0)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_run__a_signal_with_32_in_flight_drops_them_and_keeps_the_rest(
    number: signal.Signals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    handlers = [signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)]
    monkeypatch.setattr(Interrupts, "wanted", 0)
    first = run_suite("ep1", AGENT, seeds=40, runs=tmp_path, concurrency=8, most=5)
    assert (first.finished, first.interrupted) == (5, False)

    monkeypatch.setattr(Interrupts, "wanted", 32)
    monkeypatch.setattr(Interrupts, "number", number)
    stopped = run_suite("ep1", AGENT, seeds=40, runs=tmp_path, concurrency=32)
    assert (stopped.signal, stopped.finished, stopped.played, stopped.excluded) == (number, 5, 0, 0)
    assert [signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)] == handlers

    monkeypatch.setattr(Interrupts, "wanted", 0)
    ended = run_suite("ep1", AGENT, seeds=40, runs=tmp_path, concurrency=32)
    assert (ended.found, ended.finished, ended.interrupted) == (5, 40, False)
    records = load_run(ended.directory).records
    assert len({record.key for record in records}) == len(records) == 40
    assert {record.attempt for record in records} == {1}


def test_run__a_signal_inside_a_running_event_loop_stops_it_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Interrupts, "wanted", 3)
    monkeypatch.setattr(Interrupts, "number", signal.SIGINT)

    async def cell() -> int:
        return run_suite("ep1", AGENT, seeds=4, runs=tmp_path).signal

    # not asyncio.run, which takes the signal for itself too
    loop = asyncio.new_event_loop()
    try:
        assert loop.run_until_complete(cell()) == signal.SIGINT
    finally:
        loop.close()


@pytest.mark.parametrize("number, code", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_run_command__a_signal_has_its_exit_code(
    number: signal.Signals,
    code: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(Interrupts, "wanted", 3)
    monkeypatch.setattr(Interrupts, "number", number)
    assert run_command("ep1", [AGENT], seeds=4, runs=tmp_path, concurrency=3) == code
    assert (
        "interrupted; nothing that was finished is lost. 3 episodes in flight were dropped; they are played again. "
        "To go on, give the command again as it was\n" in capsys.readouterr().err
    )


@pytest.mark.parametrize("cached", [False, True])
def test_run_command__interrupted_it_names_the_calls_that_were_lost(
    cached: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    numbers = count(1)

    def answer(*arguments: object) -> Completion:
        if next(numbers) == 20:  # in the second episode; a model that never waits is heard when it is at its 14th call
            signal.raise_signal(signal.SIGINT)
        return Completion(reply=Reply(text="ACTION: look"), usage=Usage(calls=1))

    ask(monkeypatch, answer)
    options = ModelOptions(cache_dir=tmp_path / "cache") if cached else ModelOptions()
    assert run_command("ep1", [LLM], seeds=4, runs=tmp_path / "runs", concurrency=1, model=options) == 130
    kept = "their answers are in the cache" if cached else "with --cache DIR their answers are kept"
    assert (
        f"nothing that was finished is lost. 1 episode in flight was dropped (14 calls); it is played again ({kept}). "
        in capsys.readouterr().err
    )
