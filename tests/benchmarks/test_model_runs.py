"""Runs of a language model: what its answers, faults and changes make of an episode."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from tests.benchmarks.players import LLM, ask

from conflictbench.agents.models import CallLabels, by_turn, current_labels
from conflictbench.benchmarks.loading import load_run
from conflictbench.benchmarks.run_command import run_command
from conflictbench.benchmarks.run_options import RunOptions
from conflictbench.benchmarks.runner import RunResult, run_suite
from conflictbench.benchmarks.units import episode_marker
from conflictbench.errors import (
    AgentError,
    BudgetExceeded,
    ContextOverflow,
    ModelError,
    ProviderError,
    TransientError,
)
from conflictbench.types import Completion, EpisodeRecord, Reply, Status, ToolCall, Usage

LOOK = "THINK: first things first.\nACTION: look"


def play(tmp_path: Path, **arguments: Any) -> RunResult:
    return run_suite("ep1", LLM, runs=tmp_path, **arguments)


def only(result: RunResult) -> EpisodeRecord:
    (record,) = load_run(result.directory).records
    return record


def test_run__the_record_holds_the_conversation_the_usage_and_the_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = Usage(calls=1, input_tokens=100, output_tokens=10, cost_usd=0.001)
    ask(monkeypatch, by_turn([Completion(reply=Reply(text=LOOK), usage=usage, model="look-2024-08")]))
    result = play(tmp_path)
    record = only(result)
    assert (record.status, record.interactions, len(record.steps)) == (Status.TRUNCATED, 14, 14)
    assert (record.usage.calls, record.usage.input_tokens, record.usage.output_tokens) == (14, 1400, 140)
    assert record.usage.cost_usd == pytest.approx(0.014)
    assert record.models == ("look-2024-08",)
    assert {step.model for step in record.steps} == {"look-2024-08"}
    assert {step.reasoning for step in record.steps} == {"first things first."}
    assert record.protocol.startswith("paper-v1-")
    assert result.usage == record.usage
    assert result.notes == ()


@pytest.mark.parametrize(
    "answer, status, error",
    [
        (Reply(text="I'm sorry, but I can't take part in this."), Status.REFUSED, None),
        (Reply(text="Blocked.", finish_reason="content_filter"), Status.REFUSED, None),
        (Reply(text="Hm."), Status.UNPARSED, None),
        (Reply(text="THINK: well", finish_reason="length"), Status.CUT_OFF, None),
        (ContextOverflow("9000 tokens, 8192 fit", calls=1), Status.CONTEXT_OVERFLOW, "ContextOverflow: 9000 tokens"),
        (BudgetExceeded("no more money"), Status.BUDGET, "BudgetExceeded: no more money"),
        (ProviderError("host answered 401: no", calls=1), Status.PROVIDER_ERROR, "ProviderError: host answered 401"),
        (TransientError("host answered 503: no", calls=1), Status.PROVIDER_ERROR, "TransientError: host answered"),
        (ModelError("gone", calls=1), Status.PROVIDER_ERROR, "ModelError: gone"),
        (AgentError("what is this?"), Status.ENV_ERROR, "AgentError: what is this?"),
        (ValueError("what\nis this?"), Status.ENV_ERROR, "ValueError: what is this?"),
        (
            ExceptionGroup("tasks", [ExceptionGroup("more", [ContextOverflow("full", calls=1)])]),
            Status.CONTEXT_OVERFLOW,
            "ContextOverflow: full",
        ),
    ],
)
def test_run__every_fault_has_its_status_and_one_line_of_reason(
    answer: Reply | Exception, status: Status, error: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(monkeypatch, by_turn([Reply(text=LOOK), answer]))
    result = play(tmp_path)
    record = only(result)
    assert record.status is status
    assert record.label is None
    assert result.finished == int(status.counts)
    if error is None:
        assert record.error is None
        assert record.reasks == 1
        assert len(record.steps) == 3  # a look, an answer, and the answer to being asked again
    else:
        assert record.error is not None
        assert record.error.startswith(error)
        assert len(record.steps) == 1


@pytest.mark.parametrize(
    "error, calls",
    [
        (ProviderError("down", calls=6), 7),  # one for the look, and the attempts that failed
        (ContextOverflow("full", calls=1), 2),
        (BudgetExceeded("spent"), 1),
        (ValueError("what?"), 1),
    ],
)
def test_run__requests_that_brought_no_answer_are_in_the_usage(
    error: Exception, calls: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(monkeypatch, by_turn([Reply(text=LOOK), error]))
    assert only(play(tmp_path)).usage.calls == calls


def test_run__what_the_provider_failed_at_is_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ask(monkeypatch, by_turn([ProviderError("down", calls=1)]))
    failed = play(tmp_path, seeds=3)
    assert (failed.finished, failed.excluded, failed.usage.calls) == (0, 3, 3)
    ask(monkeypatch, by_turn([Reply(text=LOOK)]))
    mended = play(tmp_path, seeds=3)
    assert (mended.found, mended.finished, mended.excluded) == (0, 3, 0)
    assert mended.usage.calls == 3 + 3 * 14  # of every attempt
    assert sorted(record.attempt for record in load_run(mended.directory).records) == [1, 1, 1, 2, 2, 2]


@pytest.mark.parametrize("concurrency, played", [(1, 3), (2, 4)])
def test_run__a_provider_that_answers_nobody_ends_the_run_and_nothing_is_lost(
    concurrency: int, played: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments: RunOptions = {"seeds": 20, "runs": tmp_path, "concurrency": concurrency}
    fault = "host answered 401: no such key"
    ask(monkeypatch, by_turn([ProviderError(fault, calls=1, hopeless=True)]))
    assert run_command("ep1", [LLM], **arguments) == 3
    (directory,) = tmp_path.iterdir()
    records = load_run(directory).records
    assert len(records) in range(3, played + 1)  # those in flight at the third come to their end
    assert {(record.status, record.error) for record in records} == {(Status.PROVIDER_ERROR, f"ProviderError: {fault}")}
    printed = capsys.readouterr().err
    assert f"stopped: every call would fail as the first ones did ({fault}); 20 of 20 episodes are missing. " in printed
    assert "To go on, give the command again when that is mended" in printed
    assert f"left out: {len(records)} x provider_error: ProviderError: {fault}" in printed

    ask(monkeypatch, by_turn([Reply(text=LOOK)]))
    assert run_command("ep1", [LLM], **arguments) == 0
    assert sum(record.status.counts for record in load_run(directory).records) == 20


@pytest.mark.parametrize("suite, episodes", [("ep1", 1), ("quick", 3)])
def test_run__a_provider_that_answers_nobody_is_named_also_where_nothing_was_left_to_begin(
    suite: str, episodes: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fault = "host answered 401: no such key"
    ask(monkeypatch, by_turn([ProviderError(fault, calls=1, hopeless=True)]))
    assert run_command(suite, [LLM], runs=tmp_path) == 3
    printed = capsys.readouterr().err
    assert f"stopped: every call would fail as the first ones did ({fault}); {episodes} of {episodes} " in printed
    assert "give the command again when that is mended" in printed
    assert "plays it again" not in printed  # what ended would end the same


def test_run__a_server_that_dies_is_not_called_to_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    numbers = count(1)

    def answer(*arguments: object) -> Reply | Exception:
        if next(numbers) <= 2 * 14 + 5:  # two whole episodes and a part of the third
            return Reply(text=LOOK)
        return ProviderError("host: connection refused", calls=0, hopeless=True)

    ask(monkeypatch, answer)
    arguments: RunOptions = {"seeds": 40, "runs": tmp_path, "concurrency": 1}
    assert run_command("ep1", [LLM], **arguments) == 3
    (directory,) = tmp_path.iterdir()
    statuses = Counter(record.status for record in load_run(directory).records)
    assert statuses == {Status.TRUNCATED: 2, Status.PROVIDER_ERROR: 8}
    assert (
        "stopped: every call would fail as the last 8 did (host: connection refused); 38 of 40 episodes are missing. "
        "To go on, give the command again when that is mended" in capsys.readouterr().err
    )
    ask(monkeypatch, by_turn([Reply(text=LOOK)]))
    assert run_command("ep1", [LLM], **arguments) == 0
    assert sum(record.status.counts for record in load_run(directory).records) == 40


def test_run__a_provider_that_has_answered_is_not_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, refused = Reply(text=LOOK), ProviderError("403", calls=1, hopeless=True)
    ask(monkeypatch, by_turn([first, refused]))
    result = play(tmp_path, seeds=5, concurrency=1)
    assert (result.played, result.excluded, result.stopped) == (5, 5, "")


@pytest.mark.parametrize("concurrency", [1, 5, None])
def test_run__the_same_records_whatever_the_concurrency(concurrency: int | None, tmp_path: Path) -> None:
    alone = play(tmp_path / "alone", seeds=7, variants=["all"], concurrency=1)
    other = play(tmp_path / "other", seeds=7, variants=["all"], concurrency=concurrency)
    lines = [sorted((result.directory / "episodes.jsonl").read_bytes().splitlines()) for result in (alone, other)]
    assert lines[0] == lines[1]
    assert other.summary == alone.summary


def test_run__inside_a_running_event_loop_as_a_notebook_has_one(tmp_path: Path) -> None:
    async def cell() -> int:
        return play(tmp_path, seeds=2).finished

    assert asyncio.run(cell()) == 2


def test_run__calls_are_labelled_with_their_episode(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: set[CallLabels] = set()

    def answer(*arguments: object) -> Reply | Exception:
        seen.add(current_labels())
        return Reply(text=LOOK) if len(seen) > 2 else ProviderError("down")

    ask(monkeypatch, answer)
    play(tmp_path, seeds=2)
    result = play(tmp_path, seeds=2)
    keys = list(result.identity.episodes())
    expected = {(episode_marker(key), f"{key.seed}/{key.epoch}", attempt) for key in keys for attempt in (1, 2)}
    assert {(labels.episode, labels.sample, labels.attempt) for labels in seen} == expected
    assert current_labels() == CallLabels()


def changing(calls: list[int]) -> Any:
    """A script that answers under another id from its third call on."""

    def answer(*arguments: object) -> Completion:
        calls.append(1)
        return Completion(reply=Reply(text=LOOK), usage=Usage(calls=1), model="old" if len(calls) < 3 else "new")

    return answer


def test_run__a_model_that_changes_is_shouted_about_and_noted_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ask(monkeypatch, changing([]))
    result = play(tmp_path, seeds=2)
    assert capsys.readouterr().err.count("THE MODEL CHANGED inside this run") == 1
    (note,) = result.notes
    assert "answered as 'new' and as 'old'; its episodes may not be comparable" in note  # no order: a rerun has another
    assert only_models(result) == {("old", "new"), ("old",)} or only_models(result) == {("old", "new"), ("new",)}

    again = play(tmp_path, seeds=2)
    assert "THE MODEL CHANGED" not in capsys.readouterr().err
    assert again.notes == (note,)


def only_models(result: RunResult) -> set[tuple[str, ...]]:
    return {record.models for record in load_run(result.directory).records}


def test_run__a_change_between_two_calls_of_a_run_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ask(monkeypatch, by_turn([Completion(reply=Reply(text=LOOK), model="old")]))
    play(tmp_path, seeds=2, most=1)
    ask(monkeypatch, by_turn([Completion(reply=Reply(text=LOOK), model="new")]))
    result = play(tmp_path, seeds=2)
    assert "answered as 'new' and as 'old';" in capsys.readouterr().err
    assert len(result.notes) == 1


def test_run__a_model_that_changes_with_every_call_is_one_note(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    numbers = iter(range(1000))
    ask(monkeypatch, lambda *_: Completion(reply=Reply(text=LOOK), usage=Usage(calls=1), model=f"m-{next(numbers)}"))
    result = play(tmp_path, concurrency=1)
    assert "THE MODEL CHANGED inside this run: the provider answered as more than 10 ids;" in result.notes[-1]
    noted = result.notes
    assert play(tmp_path, concurrency=1).notes == noted


def test_run__a_key_that_only_a_reader_of_the_reply_sees_is_written_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    key = "canary-0123456789"
    monkeypatch.setenv("OPENAI_API_KEY", key)
    escaped = "".join(f"\\u{ord(char):04x}" for char in key)
    replies = [
        Reply(tool_calls=(ToolCall(name="act", arguments=f'{{"command": "{escaped}"}}', id="1"),)),
        Reply(text="ACTION: " + "\u200b".join(key)),
        Reply(text="ACTION: look", reasoning="\x1b[0m".join(key)),
    ]
    ask(monkeypatch, by_turn([Completion(reply=one, usage=Usage(calls=1), model=f"m {key}") for one in replies]))
    result = play(tmp_path, protocol="tools")
    record = only(result)
    assert [step.command for step in record.steps[:3]] == ["[key]", "[key]", "look"]
    assert record.steps[2].reasoning == "[key]"
    assert record.models == ("m [key]",)
    written = "".join(file.read_text() for file in result.directory.iterdir())
    for shown in (key, escaped, json.dumps(escaped).strip('"'), "c\u200ba\u200bn", "canary"):
        assert shown not in written
    assert key not in "".join(capsys.readouterr())


def test_run_command__the_change_stands_in_the_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ask(monkeypatch, changing([]))
    assert run_command("ep1", [LLM], runs=tmp_path) == 0
    printed = capsys.readouterr()
    assert "THE MODEL CHANGED" in " ".join(printed.out.split())
    (directory,) = tmp_path.iterdir()
    assert "THE MODEL CHANGED" in (directory / "report.html").read_text()
    assert any("THE MODEL CHANGED" in note for note in json.loads((directory / "manifest.json").read_text())["notes"])


def test_run__what_the_models_layers_note_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from conflictbench.benchmarks import cast

    ask(monkeypatch, by_turn([Reply(text=LOOK)]))
    scripted = cast.make_model

    def make(*arguments: Any, **options: Any) -> Any:
        model = scripted(*arguments, **options)
        model.notes.add("look takes no temperature: it samples with its own")
        return model

    monkeypatch.setattr(cast, "make_model", make)
    assert play(tmp_path).notes == ("look takes no temperature: it samples with its own",)


def innermost(model: Any) -> Any:
    """The model that all layers stand round."""
    return innermost(model.model) if hasattr(model, "model") else model


def test_run__the_model_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from conflictbench.benchmarks import cast

    made: list[Any] = []
    ask(monkeypatch, by_turn([Reply(text=LOOK)]))
    scripted = cast.make_model

    def make(*arguments: Any, **options: Any) -> Any:
        made.append(scripted(*arguments, **options))
        return made[-1]

    monkeypatch.setattr(cast, "make_model", make)
    play(tmp_path, seeds=3)
    asked = [scripted for scripted in map(innermost, made) if scripted.calls]
    assert len(asked) == 1  # one model for all three episodes
    assert asked[0].closed
