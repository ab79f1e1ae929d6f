"""The cases of the harness benchmark do the work they are timed for; how long it takes is nobody's business here."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator

import pytest

from conflictbench.agents.models import ModelOptions
from conflictbench.benchmarks.perf import harness
from conflictbench.benchmarks.perf.mock_server import mock_server

CALLS = 3 * 4 * 14  # scenarios, variants; the mock's only command is free, so that every episode goes on to the cap


@pytest.fixture(scope="module")
def base_url() -> Iterator[str]:
    with mock_server(0.0) as url:
        yield url


def test_recorded__holds_every_conversation_of_one_seed() -> None:
    calls = harness.recorded()
    assert len(calls) == CALLS
    assert sorted({len(call.messages) for call in calls}) == list(range(2, 30, 2))


def test_run_whole__asks_the_server_as_often_as_the_recording(base_url: str) -> None:
    timing = harness.run_whole(harness.AGENT, 1, ModelOptions(base_url=base_url))
    assert timing.calls == CALLS


def test_send_alone__sends_each_conversation(base_url: str) -> None:
    assert harness.send_alone(base_url, harness.recorded()[:20], 3).calls == 60


@pytest.mark.slow
def test_ask_inspect__makes_its_calls(base_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if importlib.util.find_spec("inspect_ai") is None:
        pytest.skip("inspect-ai is not installed (extra `inspect`)")
    monkeypatch.setattr(harness, "INSPECT_CALLS", 3)
    assert harness.ask_inspect(sys.executable, base_url, harness.recorded()[0]).calls == 3


def test_show__says_which_goals_are_reached(capsys: pytest.CaptureFixture[str]) -> None:
    def timing(calls: int, wall_s: float, cpu_s: float) -> list[harness.Timing]:
        return [harness.Timing(calls=calls, wall_s=wall_s, cpu_s=cpu_s)]

    harness.show(
        {
            harness.RUNNER: timing(1000, 2.0, 0.9),  # 500/s, 0.9 ms
            harness.CLIENT: timing(1000, 1.0, 0.3),  # 0.3 ms, so that the runner's own is 0.6
            harness.FAKE: timing(1000, 0.5, 0.5),
            harness.INSPECT: timing(1000, 10.0, 5.0),  # 100/s
        }
    )
    lines = capsys.readouterr().out.splitlines()
    assert "runner / ideal: 0.391 (0.391 to 0.391), goal at least 0.5: not reached" in lines
    assert "runner / Inspect model.generate: 5 (5 to 5), goal at least 4: reached" in lines
    assert "runner above client / 0.5 ms: 1.2 (1.2 to 1.2), goal at most 1: not reached" in lines
