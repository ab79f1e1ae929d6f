"""Episodes that repeat one another are told of, and no figure is changed by it."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path

import pytest
from tests.benchmarks.building import a_record
from tests.benchmarks.players import LLM, ask

from conflictbench.agents.models import ModelOptions, by_turn
from conflictbench.benchmarks.loading import load_episodes
from conflictbench.benchmarks.metrics import summarise
from conflictbench.benchmarks.report import collect
from conflictbench.benchmarks.report.copies import copy_notes
from conflictbench.benchmarks.run_command import run_command
from conflictbench.benchmarks.runner import RunResult, run_suite
from conflictbench.benchmarks.summary import CourseFigures
from conflictbench.types import QuestionRecord, Reply, Status

AT_ZERO = "note: seeds and epochs ask the same again, the world does not change with them: at temperature 0"
BY_CHANCE = ", unless equal ones came about by chance"
WITH_ONE_SEED = "with one --model-seed their episodes may be copies"
ALIKE = by_turn([Reply(text="ACTION: look")])


def figures(
    episodes: int, courses: int, family: str = "EP3", variant: str = "conflict", agent: str = LLM
) -> CourseFigures:
    return CourseFigures(
        agent=agent, family=family, variant=variant, scenario=f"{family}-001", episodes=episodes, courses=courses
    )


def test_courses__are_counted_where_there_are_fewer_than_episodes() -> None:
    copied = [a_record(seed=seed, course="a") for seed in range(4)] + [a_record(seed=4, course="b")]
    others = [a_record("EP2-001", seed=seed, course=str(seed)) for seed in range(5)]
    summary = summarise([*copied, *others])
    assert summary.courses == (
        CourseFigures(agent="random", family="EP1", variant="conflict", scenario="EP1-001", episodes=5, courses=2),
    )
    group = summary.group("random", "EP1", "conflict")
    assert group is not None
    assert (group.tsr.k, group.tsr.n) == (5, 5)  # told of, not taken out


def test_courses__of_scenarios_variants_and_agents_are_not_compared_with_each_other() -> None:
    records = [
        a_record(scenario, variant, agent=agent, course="a")
        for scenario in ("EP1-001", "EP1-002")
        for variant in ("conflict", "control")
        for agent in ("random", "first")
    ]
    assert summarise(records).courses == ()


def test_courses__of_attempts_that_do_not_count_or_did_nothing_are_not_compared() -> None:
    left_out = a_record(seed=1, course="a", status=Status.BUDGET)
    nothing = [a_record(seed=seed, course="") for seed in (2, 3)]
    assert summarise([a_record(course="a"), left_out, *nothing]).courses == ()


def test_courses__a_question_in_another_order_is_another_one() -> None:
    def asked(seed: int, *permutation: int) -> QuestionRecord:
        return QuestionRecord(permutation=permutation, aligned=0, longest=0)

    def record(seed: int, *permutation: int) -> object:
        return a_record(seed=seed, course="a").model_copy(update={"question": asked(seed, *permutation)})

    different = [record(0, 0, 1, 2, 3), record(1, 1, 0, 2, 3)]
    assert summarise(different).courses == ()  # type: ignore[arg-type]
    assert [row.courses for row in summarise([*different, record(2, 1, 0, 2, 3)]).courses] == [2]  # type: ignore[list-item]


@pytest.mark.parametrize(
    "rows, draws, expected",
    [
        ([figures(20, 1)], False, f"{LLM}, EP3 conflict: 20 episodes, 1 distinct course: the interval is too narrow"),
        (
            [figures(20, 1), figures(20, 2, "EP1", "control"), figures(1960, 3, "EP1")],
            False,
            f"{LLM}, EP1, EP3 conflict, control: 2,000 episodes, 6 distinct courses: the intervals are too narrow",
        ),
        (
            [figures(20, 12)],
            None,  # sampled: replies as short as a command may well be equal by chance
            f"{LLM}, EP3 conflict: 20 episodes, 12 distinct courses: the interval is too narrow{BY_CHANCE}",
        ),
        ([figures(20, 19)], True, ""),
        ([], False, ""),
    ],
)
def test_note__is_one_line_an_agent(rows: list[CourseFigures], draws: bool | None, expected: str) -> None:
    assert list(copy_notes(rows, {LLM: draws})) == ([expected] if expected else [])


def play(tmp_path: Path, **options: object) -> RunResult:
    return run_suite("ep1", LLM, runs=tmp_path, **options)  # type: ignore[arg-type]


def test_run__copies_of_one_trajectory_are_told_of_in_every_form(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ask(monkeypatch, ALIKE)
    assert run_command("ep1", [LLM], seeds=20, runs=tmp_path) == 0
    printed = capsys.readouterr()
    assert AT_ZERO in printed.err
    note = f"{LLM}, EP1 conflict: 20 episodes, 1 distinct course: the interval is too narrow"
    assert f"Note: {note}" in " ".join(printed.out.split())
    (directory,) = tmp_path.iterdir()
    assert note in (directory / "report.html").read_text()
    assert f"> {note}" in (directory / "report.md").read_text()
    (line,) = [line for line in (directory / "report.csv").read_text().splitlines() if "distinct_courses" in line]
    assert line == f"{LLM},EP1,conflict,EP1-001,distinct_courses,1,20,,,,,the others repeat these"
    assert run_command("ep1", [LLM], seeds=20, runs=tmp_path, as_json=True) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["notes"] == [note]
    assert [(row["episodes"], row["courses"]) for row in told["summary"]["courses"]] == [(20, 1)]
    (course,) = {row["course"] for row in load_episodes(directory)}
    assert len(course) == 16


def test_run__draws_of_their_own_are_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = count()
    ask(monkeypatch, lambda *_: Reply(text=f"THINK: {next(numbers)}\nACTION: look"))
    result = play(tmp_path, seeds=5, model=ModelOptions(temperature=1.0))
    assert result.summary.courses == ()
    assert collect([result.directory]).notes == ()


def test_run__an_agent_that_draws_its_actions_may_repeat_itself_by_chance(tmp_path: Path) -> None:
    result = run_suite("single_turn", "random", epochs=30, runs=tmp_path)  # 30 answers of four possible ones
    assert result.summary.courses != ()
    assert not any("course" in note for note in collect([result.directory]).notes)


def test_run__a_baseline_that_draws_nothing_repeats_itself(tmp_path: Path) -> None:
    result = run_suite("ep1", "first", seeds=3, runs=tmp_path)
    assert collect([result.directory]).notes == (
        "first, EP1 conflict: 3 episodes, 1 distinct course: the interval is too narrow",
    )


@pytest.mark.parametrize(
    "options, said",
    [
        ({"seeds": 2}, AT_ZERO),
        ({"epochs": 2}, AT_ZERO),
        ({}, ""),
        ({"seeds": 2, "model": ModelOptions(temperature=0.5)}, ""),
        ({"seeds": 2, "model": ModelOptions(temperature=0.5, seed=1)}, WITH_ONE_SEED),
    ],
)
def test_run__says_at_its_start_that_seeds_are_no_draws(
    options: dict[str, object], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(tmp_path, **options)
    assert said in (printed := capsys.readouterr().err)
    assert ("seeds and epochs" in printed) == bool(said)
    play(tmp_path, **options)  # nothing is left to play, and nothing to be said
    assert "seeds and epochs" not in capsys.readouterr().err


@pytest.mark.parametrize("options, told", [({"seeds": 4}, False), ({"epochs": 2}, True)])
def test_run__questions_change_with_their_seed(
    options: dict[str, int], told: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run_suite("single_turn", LLM, runs=tmp_path, **options)  # type: ignore[arg-type]
    assert (AT_ZERO in capsys.readouterr().err) == told
