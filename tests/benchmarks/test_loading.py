"""Reading runs back: records, rows, and runs that are still being written."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.benchmarks.building import a_record, an_identity, two_steps

from conflictbench.benchmarks.loading import load_episodes, load_records, load_run
from conflictbench.benchmarks.records import RunDirectory
from conflictbench.errors import RunError
from conflictbench.types import Label, QuestionRecord, Status, Usage


def a_run(path: Path) -> Path:
    with RunDirectory(path, an_identity()) as directory:
        directory.append(a_record(seed=1, label=Label.AGENT_BY_CHOICE, turns=4, usage=Usage(calls=2, cost_usd=0.5)))
        directory.append(a_record(seed=0, status=Status.ENV_ERROR, error="once"))
        directory.append(a_record(seed=0, attempt=2, steps=two_steps()))
    return path


def test_load_run__counts_what_is_planned_and_finished(tmp_path: Path) -> None:
    run = load_run(a_run(tmp_path / "run"))
    assert (run.planned, run.finished, len(run.records)) == (3, 2, 3)
    assert run.manifest.identity == an_identity()


def test_load_records__come_with_their_steps_in_file_order(tmp_path: Path) -> None:
    records = load_records(str(a_run(tmp_path / "run")))
    assert [(record.key.seed, record.attempt) for record in records] == [(1, 1), (0, 1), (0, 2)]
    assert records[2].steps == two_steps()


def test_load_run__a_run_being_written_is_read_without_its_unfinished_line(tmp_path: Path) -> None:
    path = tmp_path / "run"
    with RunDirectory(path, an_identity()) as directory:
        directory.append(a_record(seed=0))
        with (path / "episodes.jsonl").open("ab") as file:
            file.write(b'{"schema')
        before = (path / "episodes.jsonl").read_bytes()
        run = load_run(path)
    assert len(run.records) == 1
    assert run.notes == ("episodes.jsonl:2: an unfinished last line was left out",)
    assert (path / "episodes.jsonl").read_bytes() == before


def test_load_run__what_is_no_run_says_so(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing"):
        with pytest.raises(RunError, match="not a run directory"):
            load_run(path)


def test_load_episodes__is_one_flat_row_a_final_attempt(tmp_path: Path) -> None:
    rows = load_episodes(a_run(tmp_path / "one"))
    assert [(row["seed"], row["attempt"], row["success"]) for row in rows] == [(0, 2, True), (1, 1, False)]
    assert rows[1] == {
        "run": "one",
        "family": "EP1",
        "scenario": "EP1-001",
        "variant": "conflict",
        "env_hash": "0123abcd",
        "agent": "random",
        "seed": 1,
        "epoch": 0,
        "attempt": 1,
        "status": "completed",
        "env_id": "ConflictBench/EP1-v0",
        "outcome": "agent_by_choice",
        "label": "agent_by_choice",
        "turns": 4,
        "interactions": 0,
        "rejected": 0,
        "unknown": 0,
        "free": 0,
        "reasks": 0,
        "malformed": 0,
        "total_reward": 0.0,
        "assigned_value": None,
        "regret_applicable": False,
        "regret_stage": None,
        "protocol": "",
        "course": "",
        "world_model": "",
        "models": "",
        "error": None,
        "counts": True,
        "success": False,
        "question_order": None,
        "question_aligned": None,
        "question_longest": None,
        "calls": 2,
        "input_tokens": 0,
        "output_tokens": 0,
        "cost_usd": 0.5,
        "cached": 0,
    }


def test_load_episodes__rows_of_several_runs_stand_one_run_after_the_other(tmp_path: Path) -> None:
    rows = load_episodes(a_run(tmp_path / "b"), a_run(tmp_path / "a"))
    assert [row["run"] for row in rows] == ["b", "b", "a", "a"]


def test_load_episodes__a_question_is_three_columns(tmp_path: Path) -> None:
    question = QuestionRecord(permutation=(2, 0, 1, 3), aligned=1, longest=3)
    record = a_record(seed=0).model_copy(update={"question": question})
    with RunDirectory(tmp_path / "run", an_identity(seeds=1)) as run:
        run.append(record)
    (row,) = load_episodes(tmp_path / "run")
    assert (row["question_order"], row["question_aligned"], row["question_longest"]) == ("2013", 1, 3)
