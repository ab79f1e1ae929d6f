"""Run directories side by side, and what is said where they do not fit together."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from conflictbench.benchmarks.report import collect, write_report
from conflictbench.errors import BrokenRecord, RunError, RunMismatch
from conflictbench.types import Label

MakeRun = Callable[..., Path]


def test_collect__two_agents_side_by_side(make_run: MakeRun) -> None:
    report = collect([make_run("b", agent="random", label=Label.BOTH_LOSE), make_run("a", agent="aligned")])
    assert [(run.name, run.agent, run.finished, run.planned) for run in report.runs] == [
        ("b", "random", 2, 2),
        ("a", "aligned", 2, 2),
    ]
    assert [(group.agent, group.tsr.k, group.n) for group in report.summary.groups if group.family == "EP1"] == [
        ("aligned", 2, 2),
        ("random", 0, 2),
    ]
    assert report.notes == ()


def test_collect__the_same_agent_twice_is_told_apart_by_directory(make_run: MakeRun) -> None:
    report = collect([make_run("first"), make_run("second", label=Label.BOTH_LOSE)])
    assert report.agents == ("random (first)", "random (second)")
    assert [group.n for group in report.summary.groups if group.family == "EP1"] == [2, 2]


def test_collect__one_directory_given_twice_is_read_once(make_run: MakeRun) -> None:
    run = make_run("only")
    report = collect([run, run / ".." / "only"])
    assert report.agents == ("random",)
    assert len(report.episodes) == 2


def test_collect__an_unfinished_run_is_shown_as_k_of_m(make_run: MakeRun) -> None:
    report = collect([make_run("half", seeds=5, finished=3)])
    assert report.notes[0].startswith("half: unfinished, 3 of 5 episodes")
    assert report.runs[0].unfinished


def test_collect__a_run_with_no_episode_yet_has_no_figures(make_run: MakeRun) -> None:
    report = collect([make_run("fresh", finished=0)])
    assert report.summary.groups == ()
    assert report.notes[0].startswith("fresh: unfinished, 0 of 2 episodes")


def test_collect__what_makes_runs_incomparable_is_said(make_run: MakeRun) -> None:
    runs = [make_run("old", version="0.1.0"), make_run("new", agent="aligned", version="0.2.0", digest="ff" * 16)]
    notes = collect(runs).notes
    assert notes[0].startswith("Written by different versions of conflictbench")
    assert "old by 0.1.0; new by 0.2.0" in notes[0]
    assert notes[1] == "EP1-001 was another text or machine in new and old: do not compare the two on it."


def test_collect__notes_of_a_run_are_kept(make_run: MakeRun) -> None:
    (run,) = collect([make_run("mended", notes=("a line was cut off",))]).runs
    assert run.notes == ("a line was cut off",)


def test_collect__no_directory_at_all(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="no run directory given"):
        collect([])


def test_collect__folders_of_earlier_reports_are_left_out(make_run: MakeRun) -> None:
    runs = [make_run("a"), make_run("b", agent="aligned")]
    folder = write_report(runs).html.parent
    report = collect(sorted(runs[0].parent.iterdir()))
    assert [run.name for run in report.runs] == ["a", "b"]
    assert report.notes == ()
    with pytest.raises(RunError, match="no run directory given"):
        collect([folder])


@pytest.mark.parametrize("kind", ["missing", "empty folder", "file"])
def test_collect__what_is_not_a_run_is_named(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "thing"
    if kind == "empty folder":
        path.mkdir()
    elif kind == "file":
        path.write_text("hello")
    with pytest.raises(RunError, match=r"thing: not a run directory"):
        collect([path])


def test_collect__another_schema_or_a_broken_line_is_an_error(make_run: MakeRun) -> None:
    other, broken = make_run("other"), make_run("broken")
    manifest = other / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"schema_version":1', '"schema_version":7', 1))
    with pytest.raises(RunMismatch, match="schema 7"):
        collect([other])
    log = broken / "episodes.jsonl"
    log.write_text("{nonsense\n" + log.read_text())
    with pytest.raises(BrokenRecord, match=r"episodes\.jsonl:1"):
        collect([broken])
