"""A run from its first episode to its table, and again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.benchmarks.odd_agents import Odd

from conflictbench.benchmarks import driver
from conflictbench.benchmarks.loading import load_run
from conflictbench.benchmarks.records import RunDirectory
from conflictbench.benchmarks.runner import RunResult, run_suite
from conflictbench.errors import RunError, RunLocked, RunMismatch, UnknownName
from conflictbench.scenario_specs import scenario_ids
from conflictbench.types import EpisodeRecord, Status

ODD = "tests.benchmarks.odd_agents:Odd"
QUICK = sum(1 for family in ("EP1", "EP2", "EP3") if scenario_ids("core", family))  # scenarios of the quick suite


def run(tmp_path: Path, agent: str = "random", **arguments: object) -> RunResult:
    return run_suite("quick", agent, runs=tmp_path, **arguments)  # type: ignore[arg-type]


def test_run__plays_every_episode_and_names_its_directory(tmp_path: Path) -> None:
    result = run(tmp_path, seeds=3, variants=["all"])
    assert (result.planned, result.found, result.finished, result.played) == (12 * QUICK, 0, 12 * QUICK, 12 * QUICK)
    assert result.directory.parent == tmp_path
    assert result.directory.name == f"quick-random-{result.identity.hash()}"
    assert not result.interrupted
    assert result.excluded == 0


def test_run__the_same_command_plays_nothing_again(tmp_path: Path) -> None:
    first = run(tmp_path, seeds=2)
    before = (first.directory / "episodes.jsonl").read_bytes()
    second = run(tmp_path, seeds=2)
    assert (second.played, second.found) == (0, 2 * QUICK)
    assert second.directory == first.directory
    assert second.summary == first.summary
    assert (first.directory / "episodes.jsonl").read_bytes() == before


def test_run__other_arguments_are_another_directory(tmp_path: Path) -> None:
    directories = {
        run(tmp_path, **arguments).directory
        for arguments in (
            {},
            {"seeds": 2},
            {"epochs": 2},
            {"variants": ["control"]},
            {"observation": "features"},
            {"reward": "assigned"},
            {"agent": "aligned"},
        )
    }
    assert len(directories) == 7


def test_run__oracles_and_variants(tmp_path: Path) -> None:
    for variant in ("conflict", "stake_only", "task_only", "control"):
        aligned = run(tmp_path, "aligned", variants=[variant]).summary.group("aligned", "all", variant)
        assigned = run(tmp_path, "assigned", variants=[variant]).summary.group("assigned", "all", variant)
        assert aligned is not None
        assert assigned is not None
        assert (aligned.tsr.k, aligned.tsr.n) == (QUICK, QUICK)
        # the task is against people in conflict and task_only, and asks for the human end in the other two
        expected = 0 if variant in ("conflict", "task_only") else QUICK
        assert (assigned.tsr.k, assigned.tsr.n) == (expected, QUICK)


def test_run__concurrency_changes_the_order_at_most(tmp_path: Path) -> None:
    alone = run(tmp_path / "one", seeds=6)
    together = run(tmp_path / "four", seeds=6, concurrency=4)
    assert together.summary == alone.summary
    lines = [sorted((result.directory / "episodes.jsonl").read_bytes().splitlines()) for result in (alone, together)]
    assert lines[0] == lines[1]


def test_run__failed_attempts_are_kept_and_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = run(tmp_path, ODD, seeds=4)  # seeds 1 and 3 fail
    assert (first.finished, first.excluded) == (2 * QUICK, 2 * QUICK)
    group = first.summary.group(ODD, "all", "conflict")
    assert group is not None
    assert (group.n, group.excluded) == (2 * QUICK, {Status.ENV_ERROR: 2 * QUICK})

    again = run(tmp_path, ODD, seeds=4)
    assert (again.found, again.played, again.excluded) == (2 * QUICK, 2 * QUICK, 2 * QUICK)

    monkeypatch.setattr(Odd, "failing", False)
    mended = run(tmp_path, ODD, seeds=4)
    assert (mended.found, mended.played, mended.finished, mended.excluded) == (2 * QUICK, 2 * QUICK, 4 * QUICK, 0)
    records = load_run(mended.directory).records
    assert len(records) == 8 * QUICK  # every attempt: four, two again, two again
    assert sorted({record.attempt for record in records}) == [1, 2, 3]


def test_run__fresh_starts_another_beside_it(tmp_path: Path) -> None:
    first = run(tmp_path)
    second = run(tmp_path, fresh=True)
    third = run(tmp_path, fresh=True)
    assert [result.directory.name for result in (second, third)] == [f"{first.directory.name}-{n}" for n in (2, 3)]
    assert (second.played, third.played) == (QUICK, QUICK)
    assert run(tmp_path).found == QUICK  # without --fresh the first one goes on


def test_run__fresh_without_a_run_there_takes_the_plain_name(tmp_path: Path) -> None:
    assert run(tmp_path, fresh=True).directory.name == run(tmp_path).directory.name


def test_run__out_names_the_directory_and_refuses_another_run(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "mine"
    assert run(tmp_path, out=out).directory == out
    assert run(tmp_path, out=out).played == 0
    with pytest.raises(RunMismatch, match=r"--seeds 1 -> 2\).*--fresh or another --out"):
        run(tmp_path, out=out, seeds=2)


def test_run__is_refused_while_another_process_writes_it(tmp_path: Path) -> None:
    first = run(tmp_path)
    with RunDirectory(first.directory, first.identity), pytest.raises(RunLocked):
        run(tmp_path)


def test_run__a_wrong_argument_writes_nothing(tmp_path: Path) -> None:
    with pytest.raises(UnknownName):
        run(tmp_path, "nobody")
    with pytest.raises(RunError, match="concurrency must be at least 1, not 0"):
        run(tmp_path, concurrency=0)
    assert list(tmp_path.iterdir()) == []


def test_run__the_manifest_says_what_would_make_it_again(tmp_path: Path) -> None:
    result = run(tmp_path, "aligned", seeds=5, reward="assigned")
    manifest = json.loads((result.directory / "manifest.json").read_text())
    assert manifest["identity"]["envs"][0]["kwargs"] == {
        "mask": "exists",
        "observation": "text",
        "privileged": ["best_action_human"],
        "reward": "assigned",
    }
    assert manifest["identity"]["seeds"] == [0]
    assert manifest["notes"] == list(result.notes)
    assert "deterministic" in result.notes[0]


@pytest.mark.parametrize("concurrency", [1, 2])
def test_run__interrupted_it_keeps_what_was_finished(
    concurrency: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = RunDirectory.append

    def interrupt_at_the_third(self: RunDirectory, *records: EpisodeRecord) -> None:
        real(self, *records[: 2 - len(self.records)])
        if len(self.records) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(RunDirectory, "append", interrupt_at_the_third)
    stopped = run(tmp_path, seeds=5, concurrency=concurrency)
    assert (stopped.interrupted, stopped.finished, stopped.played) == (True, 2, 2)

    monkeypatch.undo()
    ended = run(tmp_path, seeds=5, concurrency=concurrency)
    assert (ended.interrupted, ended.found, ended.finished) == (False, 2, 5 * QUICK)
    assert ended.summary == run(tmp_path / "whole", seeds=5).summary


@pytest.mark.parametrize("concurrency", [1, 2])
def test_run__an_agent_that_ends_the_program_loses_nothing_before(concurrency: int, tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="enough"):
        run(tmp_path, "tests.benchmarks.odd_agents:Quits", concurrency=concurrency)
    (directory,) = tmp_path.iterdir()
    assert load_run(directory).records == ()


def test_run__a_disk_that_fills_up_stops_it_with_what_was_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = RunDirectory.append

    def full_at_the_third(self: RunDirectory, *records: EpisodeRecord) -> None:
        real(self, *records[: 2 - len(self.records)])
        if len(self.records) == 2:
            raise RunError("episodes.jsonl: cannot be written (No space left on device)")

    monkeypatch.setattr(RunDirectory, "append", full_at_the_third)
    with pytest.raises(RunError, match="No space left"):
        run(tmp_path, seeds=5, concurrency=2)
    monkeypatch.undo()
    assert run(tmp_path, seeds=5).found == 2


def test_run__a_replay_of_a_run_is_the_same_run(tmp_path: Path) -> None:
    first = run(tmp_path, seeds=2)
    again = run(tmp_path, f"replay:{first.directory}", seeds=2)
    outcomes = [
        [(record.key.scenario, record.key.seed, record.status, record.outcome) for record in load_run(path).records]
        for path in (first.directory, again.directory)
    ]
    assert outcomes[0] == outcomes[1]


def test_driver__waiting_is_short_enough_to_show_progress() -> None:
    assert driver.TICK_S <= 1
