"""What a plan says, worked out in the open."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.benchmarks.building import a_record
from tests.benchmarks.players import LLM, ask

from conflictbench.agents.models import ModelOptions, by_turn
from conflictbench.benchmarks.estimate import estimate
from conflictbench.benchmarks.plan_command import plan_command
from conflictbench.benchmarks.run_command import run_command
from conflictbench.errors import ProviderError
from conflictbench.types import Completion, Reply, Usage

TWO = [
    a_record(seed=0, usage=Usage(calls=6, input_tokens=1000, output_tokens=100, cost_usd=0.02)),
    a_record(seed=1, usage=Usage(calls=8, input_tokens=2000, output_tokens=300, cost_usd=0.04)),
]


def test_estimate__is_the_mean_times_what_is_missing() -> None:
    figures = estimate(TWO, 10, concurrency=4, price_known=True, seconds=[20.0, 40.0])
    # means: 7 calls, 1,500 and 200 tokens, 0.03 USD, 30 s; 10 x 30 s on 4 at a time are 75 s
    assert (figures.missing, figures.judged_by, figures.calls_each) == (10, 2, (6, 8))
    assert (figures.calls, figures.input_tokens, figures.output_tokens) == (70, 15000, 2000)
    assert figures.cost_usd == pytest.approx(0.3)
    assert figures.hours == pytest.approx(75 / 3600)


def test_estimate__knows_the_least_and_the_most_that_one_has_taken() -> None:
    figures = estimate(TWO, 10, concurrency=4, price_known=True)
    assert (figures.calls_each, figures.tokens_each, figures.cost_each) == ((6, 8), (1100, 2300), (0.02, 0.04))


def test_estimate__no_more_run_at_a_time_than_are_missing() -> None:
    assert estimate(TWO, 2, concurrency=16, price_known=True, seconds=[30.0]).hours == pytest.approx(30 / 3600)


@pytest.mark.parametrize(
    "rates, minutes",
    [
        ({"requests_per_minute": 10}, 7.0),  # 70 calls
        ({"tokens_per_minute": 1000}, 17.0),  # 17,000 tokens
        ({"requests_per_minute": 10, "tokens_per_minute": 1000}, 17.0),
        ({"requests_per_minute": 1000}, 1.25),  # the 75 s that the episodes take anyway
    ],
)
def test_estimate__a_rate_limit_may_be_what_takes_the_time(rates: dict[str, int], minutes: float) -> None:
    figures = estimate(TWO, 10, concurrency=4, price_known=True, seconds=[30.0], **rates)  # type: ignore[arg-type]
    assert figures.hours == pytest.approx(minutes / 60)


def test_estimate__what_is_not_known_is_none_and_never_a_guess() -> None:
    free = [a_record(usage=Usage(calls=3, input_tokens=10))]
    assert estimate(free, 5, concurrency=1, price_known=False).cost_usd is None
    assert estimate(free, 5, concurrency=1, price_known=True).cost_usd == 0
    assert estimate(TWO, 5, concurrency=1, price_known=False).cost_usd == pytest.approx(0.15)  # the provider said
    assert estimate(free, 5, concurrency=1, price_known=True).hours is None


def plan(tmp_path: Path, **arguments: Any) -> int:
    return plan_command("ep1", LLM, runs=tmp_path, **arguments)


def test_plan_command__plays_two_and_keeps_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    usage = Usage(calls=1, input_tokens=100, output_tokens=10, cost_usd=0.001)
    ask(monkeypatch, by_turn([Completion(reply=Reply(text="ACTION: look"), usage=usage, model="m")]))
    assert plan(tmp_path, seeds=10) == 0
    (directory,) = tmp_path.iterdir()
    printed = capsys.readouterr().out
    assert f"10 episodes, 2 played, in {directory}" in printed
    assert "the other 8, judged by 2:" in printed
    assert "calls   112 (14 an episode so far)" in printed  # 8 x 14
    assert "tokens  11,200 read, 1,120 written" in printed
    assert "money   $0.1120" in printed
    assert ", 16 at a time" in printed

    before = (directory / "episodes.jsonl").read_bytes()
    assert plan(tmp_path, seeds=10, as_json=True) == 0
    assert (directory / "episodes.jsonl").read_bytes() == before  # nothing is paid for twice
    value = json.loads(capsys.readouterr().out)
    assert (value["calls"], value["missing"], value["judged_by"], value["concurrency"]) == (112, 8, 2, 16)
    assert value["hours"] is not None

    assert run_command("ep1", [LLM], seeds=10, runs=tmp_path) == 0
    assert "10 of 10 episodes (8 played, 2 found)" in capsys.readouterr().err
    assert plan(tmp_path, seeds=10) == 0
    assert "nothing is left to play" in capsys.readouterr().out


def test_plan_command__shows_the_ends_of_what_its_two_episodes_tell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # seed 0 is cut off at once and in the second reply again: 2 calls; seed 1 looks 14 times
    def answer(messages: Any, tools: Any, limits: Any) -> Completion:
        cut = limits.seed == 0
        reply = Reply(text="Hm", finish_reason="length") if cut else Reply(text="ACTION: look")
        return Completion(
            reply=reply, usage=Usage(calls=1, input_tokens=90, output_tokens=10, cost_usd=0.001), model="m"
        )

    ask(monkeypatch, answer)
    assert plan(tmp_path, seeds=12) == 0
    printed = capsys.readouterr().out
    # ten episodes are missing, at 8 calls in the mean
    assert "calls   80 (20 to 140: 2 to 14 an episode so far)" in printed
    assert "tokens  7,200 read, 800 written (2,000 to 14,000 in all)" in printed
    assert "money   $0.0800 ($0.0200 to $0.1400)" in printed


def test_plan_command__a_probe_without_a_result_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ask(monkeypatch, by_turn([ProviderError("host answered 401: no such key", calls=1)]))
    assert plan(tmp_path, seeds=5) == 3
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "no estimate: the probe gave no result (2 x provider_error: ProviderError: host answered 401" in printed.err


def test_plan_command__a_probe_from_the_cache_is_no_estimate(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = {"seeds": 5, "model": ModelOptions(cache_dir=str(tmp_path / "cache"))}
    assert plan(tmp_path / "cold", **options) == 0
    assert plan(tmp_path / "warm", **options) == 3
    printed = capsys.readouterr()
    assert "no estimate: the probe was answered from the cache, which tells nothing of the others" in printed.err


def test_plan_command__a_run_of_one_episode_is_played_by_the_probe(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert plan(tmp_path) == 0
    assert "1 episode, 1 played" in capsys.readouterr().out
