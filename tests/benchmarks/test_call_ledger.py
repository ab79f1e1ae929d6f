"""The ledger of calls: what it keeps, what it mends, and that a run counts from it what it paid."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from typing import Any

import pytest
from tests.benchmarks.building import a_record
from tests.benchmarks.players import LLM, ask

from conflictbench.agents.models import CallLabels, PaidCall, by_turn
from conflictbench.benchmarks.call_ledger import CallLedger
from conflictbench.benchmarks.call_log import FILE_NAME, read_calls
from conflictbench.benchmarks.limits import RunLimits
from conflictbench.benchmarks.loading import load_run
from conflictbench.benchmarks.run_command import run_command
from conflictbench.benchmarks.runner import RunResult, run_suite
from conflictbench.benchmarks.units import episode_marker
from conflictbench.errors import BrokenRecord, ProviderError, RunError
from conflictbench.types import Completion, EpisodeRecord, Reply, Status, Usage

TEN = Usage(calls=1, input_tokens=6, output_tokens=4, cost_usd=0.5)  # ten tokens and half a dollar


def a_call(record: EpisodeRecord, usage: Usage = TEN, **fields: Any) -> PaidCall:
    labels = CallLabels(episode=episode_marker(record.key), attempt=record.attempt)
    return PaidCall(**{"labels": labels, "usage": usage, "outcome": "completed", "model": "ten"} | fields)


def opened(folder: Path, *records: EpisodeRecord, notes: list[str] | None = None) -> CallLedger:
    return CallLedger(folder, records, (notes if notes is not None else []).append)


def lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / FILE_NAME).read_bytes().splitlines()]


def test_add__a_line_is_in_the_file_when_it_returns(tmp_path: Path) -> None:
    record = a_record()
    with opened(tmp_path) as ledger:
        ledger.add(a_call(record))
        assert lines(tmp_path) == [
            {
                "session": 1,
                "episode": episode_marker(record.key),
                "attempt": 1,
                "requests": 1,
                "input_tokens": 6,
                "output_tokens": 4,
                "cost_usd": 0.5,
                "model": "ten",
                "outcome": "completed",
            }
        ]
        assert ledger.total == TEN


def test_open__begins_where_the_last_session_ended(tmp_path: Path) -> None:
    with opened(tmp_path) as ledger:
        ledger.add(a_call(a_record()))
    with opened(tmp_path) as ledger:
        ledger.add(a_call(a_record(), outcome="cancelled", usage=Usage(calls=1), model=""))
        assert ledger.total == TEN + Usage(calls=1)
    assert [line["session"] for line in lines(tmp_path)] == [1, 2]


def test_open__a_torn_line_is_cut_off_and_said(tmp_path: Path) -> None:
    with opened(tmp_path) as ledger:
        ledger.add(a_call(a_record()))
        ledger.add(a_call(a_record()))
    path = tmp_path / FILE_NAME
    whole = path.read_bytes()
    path.write_bytes(whole[:-30])
    notes: list[str] = []
    with opened(tmp_path, notes=notes) as ledger:
        assert ledger.total == TEN
    length = len(whole) // 2
    assert path.read_bytes() == whole[:length]
    assert notes == [
        f"calls.jsonl:2: a truncated last line of {length - 30} bytes was cut off; its request is not counted"
    ]


def test_open__a_line_without_its_newline_is_completed(tmp_path: Path) -> None:
    with opened(tmp_path) as ledger:
        ledger.add(a_call(a_record()))
    path = tmp_path / FILE_NAME
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    with opened(tmp_path) as ledger:
        assert ledger.total == TEN
    assert path.read_bytes() == whole


@pytest.mark.parametrize("bad", [b"{}\n", b'{"torn\n', b"[1]\n", b"\xff\n"])
def test_open__a_whole_line_that_cannot_be_read_is_named_and_nothing_is_changed(bad: bytes, tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    path.write_bytes(bad)
    with pytest.raises(BrokenRecord, match=r"calls\.jsonl:1: not the line of a call"):
        opened(tmp_path)
    assert path.read_bytes() == bad


def test_add__a_full_disk_stops_the_run_and_leaves_whole_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real_write = os.write
    room = 20

    def full_after_twenty_bytes(fd: int, data: bytes) -> int:
        nonlocal room
        if not room:
            raise OSError(errno.ENOSPC, "No space left on device")
        written, room = real_write(fd, data[:room]), 0
        return written

    with opened(tmp_path) as ledger:
        ledger.add(a_call(a_record()))
        monkeypatch.setattr(os, "write", full_after_twenty_bytes)
        ledger.add(a_call(a_record()))  # whoever called is not to blame
        monkeypatch.undo()
        for use in (ledger.check, ledger.sync):
            with pytest.raises(RunError, match=r"calls\.jsonl: cannot be written \(No space left on device\)"):
                use()
        assert len(lines(tmp_path)) == 1


def test_open__a_run_without_one_begins_with_its_records(tmp_path: Path) -> None:
    older = a_record(usage=TEN + TEN, models=("ten",))
    notes: list[str] = []
    with opened(tmp_path, older, a_record(seed=1), notes=notes) as ledger:
        assert ledger.total == TEN + TEN
        ledger.add(a_call(a_record(seed=2)))
    assert [(line["session"], line["outcome"]) for line in lines(tmp_path)] == [(0, "recorded"), (1, "completed")]
    assert [note.split(":")[0] for note in notes] == ["this run kept no calls.jsonl"]


def test_fault__a_kept_attempt_whose_calls_are_missing_is_named(tmp_path: Path) -> None:
    notes: list[str] = []
    kept, short = a_record(usage=TEN), a_record(seed=1, usage=TEN + TEN)
    with opened(tmp_path) as ledger:
        for record in (kept, short):
            ledger.add(a_call(record))
    opened(tmp_path, kept, notes=notes).close()
    assert notes == []
    opened(tmp_path, kept, short, notes=notes).close()
    assert notes[0].startswith("calls.jsonl lacks calls of 1 attempt kept in the run")
    assert short.key.model_dump_json() in notes[0]


def test_fault__calls_of_a_killed_play_do_not_stand_for_the_one_that_followed(tmp_path: Path) -> None:
    record = a_record(usage=TEN + TEN)
    for _ in range(2):  # killed after one call, then played to its end with one line lost
        with opened(tmp_path) as ledger:
            ledger.add(a_call(record))
    sums, _ = read_calls(tmp_path / FILE_NAME)
    assert "lacks calls of 1 attempt" in sums.fault([record])


def ten_a_call(monkeypatch: pytest.MonkeyPatch) -> None:
    ask(monkeypatch, by_turn([Completion(reply=Reply(text="ACTION: look"), usage=TEN, model="ten")]))


def play(runs: Path, agent: str = LLM, **arguments: Any) -> RunResult:
    return run_suite("ep1", agent, runs=runs, concurrency=1, **arguments)


def killed_before_the_record(result: RunResult) -> None:
    """As if the process had died when its last episode had ended and was not kept yet."""
    path = result.directory / "episodes.jsonl"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))


def test_run__records_and_ledger_agree_for_finished_episodes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = [Reply(text="ACTION: look"), ProviderError("down", calls=2)]
    ask(monkeypatch, by_turn(answers))
    result = play(tmp_path, seeds=3)
    run = load_run(result.directory)
    sums, _ = read_calls(result.directory / FILE_NAME)
    assert sums.total == sum((record.usage for record in run.records), Usage()) == result.usage
    assert (sums.fault(run.records), run.dropped, run.notes) == ("", Usage(), ())
    assert result.usage.calls == 3 * (1 + 2)


def test_run__calls_of_dropped_episodes_count_against_the_runs_budget(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ten_a_call(monkeypatch)  # an episode is 14 calls, 140 tokens, 7 dollars
    killed_before_the_record(play(tmp_path, seeds=2, most=1))

    for limits in (RunLimits(max_total_tokens=140), RunLimits(max_cost_usd=7)):
        nothing = play(tmp_path, seeds=2, limits=limits)
        assert (nothing.played, nothing.stopped != "") == (0, True)

    some = play(tmp_path, seeds=2, limits=RunLimits(max_total_tokens=200))
    (record,) = load_run(some.directory).records
    assert (record.status, record.usage.calls) == (Status.BUDGET, 6)  # 14 were made before
    assert some.usage.calls == 20


def test_run__the_models_own_budget_begins_with_them_too(tmp_path: Path) -> None:
    first = play(tmp_path, most=1)
    killed_before_the_record(first)
    spent = first.usage.input_tokens + first.usage.output_tokens
    again = play(tmp_path, limits=RunLimits(max_total_tokens=spent + 100))  # no call fits into 100 tokens
    assert "the run's budget is spent" in again.stopped
    assert again.usage == first.usage


def test_report__names_what_dropped_episodes_took(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ten_a_call(monkeypatch)
    first = play(tmp_path, seeds=2)
    killed_before_the_record(first)
    assert run_command("ep1", [LLM], runs=tmp_path, seeds=2, concurrency=1) == 0
    run = load_run(first.directory)
    assert (run.dropped.calls, run.dropped.cost_usd) == (14, 7.0)
    printed = capsys.readouterr()
    words = " ".join(printed.out.split())
    assert "Calls of dropped episodes, beside those: 14 calls, 84 tokens read, 56 written, cost $7.0000" in words
    assert "420 tokens, $21.0000" in printed.err  # of all three plays
    report = {path.suffix: path.read_text() for path in first.directory.glob("report.*")}
    assert "(dropped episodes)" in report[".html"]
    assert r"(dropped episodes) | 14 | 84 | 56 | $7.0000" in report[".md"]
    assert "dropped_calls,14," in report[".csv"]


def test_run__an_agent_that_asks_no_model_keeps_no_ledger(tmp_path: Path) -> None:
    result = play(tmp_path, "random", seeds=2)
    assert not (result.directory / FILE_NAME).exists()
    assert load_run(result.directory).dropped == Usage()


def test_run__a_call_that_cannot_be_kept_stops_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ten_a_call(monkeypatch)
    real_write = os.write

    def full_for_calls(fd: int, data: bytes) -> int:
        if b'"requests":' in data:
            raise OSError(errno.ENOSPC, "No space left on device")
        return real_write(fd, data)

    monkeypatch.setattr(os, "write", full_for_calls)
    with pytest.raises(RunError, match=r"calls\.jsonl: cannot be written"):
        play(tmp_path, seeds=2, out=tmp_path / "run")
    monkeypatch.setattr(os, "write", real_write)
    assert load_run(tmp_path / "run").records == ()  # no record without its calls
