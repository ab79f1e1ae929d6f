"""Limits on tokens, money and time: of an episode and of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.benchmarks.players import LLM, ask
from tests.benchmarks.talkers import Hangs, Stubborn

from conflictbench.agents.models import ModelOptions, by_turn
from conflictbench.benchmarks import player
from conflictbench.benchmarks.limits import NO_LIMITS, RunLimits, Spending, option_of, tokens_of, usage_words
from conflictbench.benchmarks.loading import load_run
from conflictbench.benchmarks.run_command import run_command
from conflictbench.benchmarks.runner import RunResult, run_suite
from conflictbench.errors import BudgetExceeded, RunError
from conflictbench.types import Completion, Reply, Status, Usage

TALKERS = "tests.benchmarks.talkers"
TEN = Usage(calls=1, input_tokens=6, output_tokens=4, cost_usd=0.5)  # ten tokens and half a dollar
LAST_CALL = ", and 7 are set aside for its last call"
HERE = "EP1-001"
TEN_CALLS = Usage(calls=10, input_tokens=60, output_tokens=40, cost_usd=5.0)


class Clock:
    """Stands still until it is set."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize(
    "field", ["episode_tokens", "episode_minutes", "max_cost_usd", "max_total_tokens", "max_hours"]
)
@pytest.mark.parametrize("value", [0, -1, float("nan"), float("inf")])
def test_limits__must_be_above_zero(field: str, value: float) -> None:
    with pytest.raises(RunError, match=f"{field} must be above 0"):
        RunLimits(**{field: value})  # type: ignore[arg-type]


def test_spending__is_over_when_a_limit_is_reached() -> None:
    spending = Spending(RunLimits(max_total_tokens=30), used=TEN)
    spending.add(TEN)
    assert spending.spent == ""
    spending.add(TEN)
    assert spending.spent == "the run's 30 tokens are spent (30 used)"
    money = Spending(RunLimits(max_cost_usd=1), used=TEN)
    assert money.spent == ""
    money.add(TEN)
    assert money.spent == "the run's 1 USD are spent (1.0000 USD used)"


def test_spending__hours_count_from_its_making() -> None:
    clock = Clock()
    spending = Spending(RunLimits(max_hours=0.5), clock=clock)
    clock.now += 1799
    assert (spending.spent, spending.seconds_left()) == ("", 1)
    clock.now += 1
    assert (spending.spent, spending.seconds_left()) == ("the run's 0.5 hours are over", 0)


def test_spending__without_limits_is_never_over() -> None:
    spending = Spending(NO_LIMITS)
    spending.add(Usage(calls=10**9, input_tokens=10**12, cost_usd=1e9))
    meter = spending.begin_episode(HERE)
    meter.add(TEN)
    meter.check()
    assert (spending.spent, spending.seconds_left(), meter.seconds_left()) == ("", None, None)


def test_spending__closed_on_anothers_word_stays_so() -> None:
    spending = Spending(NO_LIMITS)
    spending.close("no money")
    spending.close("no time")
    assert spending.spent == "no money"


def test_meter__counts_its_own_episode_alone() -> None:
    spending = Spending(RunLimits(episode_tokens=20))
    first, second = spending.begin_episode(HERE), spending.begin_episode(HERE)
    first.add(TEN)
    first.add(TEN)
    second.add(TEN)
    second.check()
    assert not second.ended_it
    with pytest.raises(BudgetExceeded, match=r"the episode's 20 tokens are spent \(20 used\)"):
        first.check()
    assert first.ended_it
    assert spending.used.calls == 3


def test_meter__time_is_the_shorter_of_episode_and_run() -> None:
    clock = Clock()
    spending = Spending(RunLimits(episode_minutes=1, max_hours=1 / 40), clock=clock)  # 60 s and 90 s
    assert spending.begin_episode(HERE).seconds_left() == 60
    clock.now += 50
    late = spending.begin_episode(HERE)
    assert late.seconds_left() == 40
    clock.now += 39
    late.check()
    clock.now += 1
    with pytest.raises(BudgetExceeded, match=r"the run's 0\.025 hours are over"):
        late.check()


def test_usage_words__say_nothing_of_nothing() -> None:
    assert usage_words(Usage()) == ""
    assert usage_words(Usage(calls=1, input_tokens=34000, output_tokens=120)) == "34,120 tokens"
    assert usage_words(TEN) == "10 tokens, $0.5000"


def test_words_of_progress__move_with_every_call_while_no_episode_has_ended() -> None:
    spending = Spending(NO_LIMITS, by_call=True)
    assert spending.words() == ""
    spending.begin_episode(HERE)
    assert spending.words() == "no answer yet"
    spending.add(TEN)
    assert spending.words() == "1 call, 10 tokens, $0.5000"
    spending.add(Usage(calls=1, input_tokens=2))
    assert spending.words() == "2 calls, 12 tokens, $0.5000"
    others = Spending(NO_LIMITS)  # an agent that asks no model of ours
    others.begin_episode(HERE)
    assert others.words() == ""


def playing(tmp_path: Path, agent: str = LLM, **arguments: Any) -> RunResult:
    return run_suite("ep1", agent, runs=tmp_path, **arguments)


def ten_a_call(monkeypatch: pytest.MonkeyPatch) -> None:
    ask(monkeypatch, by_turn([Completion(reply=Reply(text="ACTION: look"), usage=TEN, model="ten")]))


def test_run__an_episode_over_its_tokens_ends_as_budget_and_the_others_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ten_a_call(monkeypatch)
    result = playing(tmp_path, seeds=3, limits=RunLimits(episode_tokens=35))
    records = load_run(result.directory).records
    assert [(record.status, len(record.steps)) for record in records] == [(Status.BUDGET, 4)] * 3
    assert records[0].error == "BudgetExceeded: the episode's 35 tokens are spent (40 used)"
    assert (result.stopped, result.finished) == ("", 0)
    assert playing(tmp_path, seeds=3).finished == 3


@pytest.mark.parametrize("limits", [RunLimits(max_total_tokens=100), RunLimits(max_cost_usd=5)])
def test_run__when_the_runs_budget_is_spent_nothing_more_begins(
    limits: RunLimits, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ten_a_call(monkeypatch)
    result = playing(tmp_path, seeds=5, concurrency=1, limits=limits)  # an episode is 14 calls, 140 tokens, 7 dollars
    assert [record.status for record in load_run(result.directory).records] == [Status.BUDGET]
    assert (result.usage.calls, result.cut_off) == (10, (1, TEN_CALLS))
    assert result.stopped.startswith("the run's")

    nothing = playing(tmp_path, seeds=5, concurrency=1, limits=limits)
    assert (nothing.played, nothing.stopped != "") == (0, True)

    more = playing(tmp_path, seeds=5, concurrency=1, limits=RunLimits(max_total_tokens=10_000))
    assert (more.found, more.finished, more.stopped, more.cut_off) == (0, 5, "", (0, Usage()))
    assert more.usage.calls == 10 + 5 * 14


@pytest.mark.parametrize(
    "limits, why",
    [
        (
            RunLimits(max_total_tokens=300),
            f"the 20 left of the run's 300 tokens would not finish an episode of {HERE} (it may take 140{LAST_CALL})",
        ),
        (
            RunLimits(max_cost_usd=16),
            "the 2.0000 left of the run's 16 USD would not finish an episode of EP1-001 (it may cost 7.0000)",
        ),
    ],
)
def test_run__no_episode_begins_that_the_rest_of_the_budget_would_not_finish(
    limits: RunLimits, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ten_a_call(monkeypatch)
    options = ModelOptions(max_tokens=1)  # so little that the last call needs no room of its own
    result = playing(tmp_path, seeds=5, concurrency=1, limits=limits, model=options)
    assert [record.status for record in load_run(result.directory).records] == [Status.TRUNCATED] * 2
    assert (result.stopped, result.cut_off) == (why, (0, Usage()))

    nothing = playing(tmp_path, seeds=5, concurrency=1, limits=limits, model=options)
    assert (nothing.played, nothing.stopped) == (0, why)  # judged by those of the earlier command


@pytest.mark.parametrize("concurrency", [1, 3, 16])
@pytest.mark.parametrize("agent", ["llm", "async", "threads"])
def test_run__a_limit_buys_as_many_episodes_as_it_can_whatever_the_concurrency(
    agent: str, concurrency: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ten_a_call(monkeypatch)
    # 14 calls of ten tokens; of a model's own budget the last call needs 6 read and 1 written in room besides
    limits, options = RunLimits(max_total_tokens=4 * 140 + 7), ModelOptions(max_tokens=1) if agent == "llm" else None
    spec = {"llm": LLM, "async": f"{TALKERS}:Spends", "threads": "tests.benchmarks.odd_agents:Spends"}[agent]
    result = playing(tmp_path, spec, seeds=20, concurrency=concurrency, limits=limits, model=options)
    assert [record.status for record in load_run(result.directory).records] == [Status.TRUNCATED] * 4
    assert (tokens_of(result.usage), result.cut_off[0]) == (4 * 140, 0)
    assert result.stopped.startswith("the 7 left of the run's 567 tokens would not finish an episode of EP1-001")


def test_run__a_budget_that_the_model_holds_stops_the_run_too(tmp_path: Path) -> None:
    # one call of the fake reserves over 2,048 tokens, so the model refuses long before 3,000 are used
    limits = RunLimits(max_total_tokens=3000)
    result = playing(tmp_path, seeds=5, concurrency=1, model=ModelOptions(), limits=limits)
    records = load_run(result.directory).records
    assert [record.status for record in records] == [Status.BUDGET]
    assert "the run's budget is spent" in result.stopped
    assert result.usage.input_tokens + result.usage.output_tokens <= 3000


def test_run_command__stopped_by_a_limit_it_says_how_to_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ten_a_call(monkeypatch)
    code = run_command("ep1", [LLM], seeds=5, concurrency=1, limits=RunLimits(max_total_tokens=100), runs=tmp_path)
    assert code == 3
    printed = capsys.readouterr().err
    assert (
        "stopped: the run's 100 tokens are spent (100 used); 1 episode was cut off in the middle (100 tokens; with "
        "--cache DIR their answers are kept); 5 of 5 episodes are missing. To go on, give the command again with a "
        "higher --max-tokens-total" in printed
    )
    assert "100 tokens, $5.0000" in printed


@pytest.fixture
def _hanging(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player, "GRACE_S", 0.01)
    monkeypatch.setattr(Stubborn, "release", None)


@pytest.mark.usefixtures("_hanging")
@pytest.mark.parametrize("agent", ["Hangs", "Stubborn"])
@pytest.mark.parametrize("concurrency", [1, 4])
def test_run__an_episode_that_hangs_is_ended_from_outside(
    agent: str, concurrency: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = RunLimits(episode_minutes=0.001)
    spec = f"{TALKERS}:{agent}"
    result = playing(tmp_path, spec, seeds=4, concurrency=concurrency, limits=limits)
    ends = {record.key.seed: (record.status, record.error) for record in load_run(result.directory).records}
    over = (Status.BUDGET, "the episode's 0.001 minutes are over")
    assert (ends[1], ends[3]) == (over, over)
    assert result.played == 4

    monkeypatch.setattr(Hangs, "hanging", False)
    monkeypatch.setattr(Stubborn, "hanging", False)
    assert playing(tmp_path, spec, seeds=4).finished == 4


def test_run__the_runs_time_ends_what_hangs_and_begins_nothing_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = RunLimits(max_hours=0.0002)  # 0.72 s
    result = playing(tmp_path, f"{TALKERS}:Hangs", seeds=6, concurrency=1, limits=limits)
    last = load_run(result.directory).records[-1]
    assert (last.status, last.error) == (Status.BUDGET, "the run's 0.0002 hours are over")
    assert result.played < 6
    assert result.stopped == "the run's 0.0002 hours are over"


def test_run__an_agent_that_cancels_itself_is_its_own_fault(tmp_path: Path) -> None:
    result = playing(tmp_path, f"{TALKERS}:CancelsItself", seeds=2)
    records = load_run(result.directory).records
    assert [(record.status, record.error) for record in records] == [
        (Status.ENV_ERROR, "CancelledError: the agent cancelled itself")
    ] * 2


@pytest.mark.parametrize("concurrency", [1, 2])
def test_run__agents_that_do_not_wait_keep_limits_between_steps(concurrency: int, tmp_path: Path) -> None:
    result = playing(tmp_path, "random", seeds=3, concurrency=concurrency, limits=RunLimits(episode_minutes=1e-9))
    assert {record.status for record in load_run(result.directory).records} == {Status.BUDGET}
    assert (result.played, result.stopped) == (3, "")


@pytest.mark.parametrize(
    "limit, option",
    [
        ("the run's 5,000 tokens are spent (5,010 used)", "--max-tokens-total"),
        (
            "the run's budget is spent: 1 of 2 tokens (--max-tokens-total) used, the next call may take 9",
            "--max-tokens-total",
        ),
        ("the run's 1 USD are spent (1.0000 USD used)", "--max-cost"),
        ("the run's 0.5 hours are over", "--max-hours"),
    ],
)
def test_option__is_that_of_the_limit_that_is_reached(limit: str, option: str) -> None:
    assert option_of(limit) == option
