"""Ctrl-C is noted even where its exception is swallowed."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import FrameType

import pytest

from conflictbench.benchmarks.interrupts import Interrupts
from conflictbench.benchmarks.loading import load_run
from conflictbench.benchmarks.runner import run_suite


@pytest.fixture(autouse=True)
def _handler_as_before() -> Iterator[None]:
    before = signal.getsignal(signal.SIGINT)
    yield
    assert signal.getsignal(signal.SIGINT) is before


def test_interrupts__still_raise_where_they_hit() -> None:
    with Interrupts() as interrupts, pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
    assert interrupts.requested


def test_interrupts__are_remembered_when_swallowed() -> None:
    with Interrupts() as outer, Interrupts() as inner:
        inner.check()
        with suppress(BaseException):  # as a serialiser would
            signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            inner.check()
    assert outer.requested


def test_interrupts__leave_another_programs_handler_its_say() -> None:
    seen: list[int] = []

    def theirs(signum: int, frame: FrameType | None) -> None:
        seen.append(signum)

    before = signal.signal(signal.SIGINT, theirs)
    try:
        with Interrupts() as interrupts:
            signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is theirs
    finally:
        signal.signal(signal.SIGINT, before)
    assert (interrupts.requested, seen) == (True, [signal.SIGINT])


def test_interrupts__stay_ignored_where_they_are() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with Interrupts() as interrupts:
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)
    assert not interrupts.requested


def test_interrupts__on_another_thread_change_nothing() -> None:
    handlers: list[object] = []

    def use() -> None:
        with Interrupts():
            handlers.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=use)
    thread.start()
    thread.join()
    assert handlers == [signal.getsignal(signal.SIGINT)]


@pytest.mark.parametrize("where", ["player.to_line", "episode_log.EpisodeRecord.model_validate_json"])
def test_run__an_interrupt_swallowed_by_a_serialiser_is_no_fault_of_the_episode(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[object] = []

    def swallow(value: object) -> bytes:
        calls.append(value)
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt as error:
            raise ValueError("Error serializing to JSON: KeyboardInterrupt") from error
        raise AssertionError("the signal was not raised")

    monkeypatch.setattr(f"conflictbench.benchmarks.{where}", swallow)
    result = run_suite("ep1", "random", seeds=3, runs=tmp_path)
    assert len(calls) == 1
    assert (result.interrupted, result.played, result.excluded) == (True, 0, 0)
    monkeypatch.undo()
    assert load_run(result.directory).records == ()
    assert run_suite("ep1", "random", seeds=3, runs=tmp_path).finished == result.planned
