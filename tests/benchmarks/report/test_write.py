"""Files of a report and the body of `conflictbench report`."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from conflictbench.benchmarks.report import FORMATS, report_command, write_report
from conflictbench.errors import RunError, UnknownName

MakeRun = Callable[..., Path]


def test_write_report__one_run_keeps_its_report_beside_its_records(make_run: MakeRun) -> None:
    run = make_run("run")
    paths = write_report([run])
    assert (paths.html, paths.markdown, paths.csv) == (run / "report.html", run / "report.md", run / "report.csv")
    assert sorted(os.listdir(run)) == ["episodes.jsonl", "manifest.json", "report.csv", "report.html", "report.md"]


def test_write_report__several_runs_have_a_folder_beside_them_whatever_their_order(make_run: MakeRun) -> None:
    a, b = make_run("a"), make_run("b", agent="aligned")
    first, second = write_report([a, b]), write_report([b, a, b])
    assert first.html.parent == second.html.parent
    assert first.html.parent.parent == a.parent
    assert first.html.parent.name.startswith("report-")


def test_write_report__same_runs_same_bytes(make_run: MakeRun, tmp_path: Path) -> None:
    run = make_run("run")
    one, two = write_report([run], tmp_path / "one"), write_report([run], tmp_path / "two" / "deep")
    assert one.html.read_bytes() == two.html.read_bytes()
    assert one.markdown.read_bytes() == two.markdown.read_bytes()
    assert one.csv.read_bytes() == two.csv.read_bytes()


def test_write_report__a_folder_that_cannot_be_made_is_named(make_run: MakeRun, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RunError, match=r"cannot be written to .*file/out: Not a directory"):
        write_report([make_run("run")], tmp_path / "file" / "out")


def test_report_command__prints_the_table_and_where_the_page_is(
    make_run: MakeRun, capsys: pytest.CaptureFixture[str]
) -> None:
    run = make_run("run")
    paths = report_command([run])
    out = capsys.readouterr().out
    assert "2/2 100% [34, 100]" in out
    assert out.splitlines()[-1] == f"report: {run / 'report.html'}"
    assert paths is not None
    assert paths.html.exists()


@pytest.mark.parametrize("output_format", FORMATS)
def test_report_command__a_format_goes_to_stdout_and_writes_nothing(
    make_run: MakeRun, capsys: pytest.CaptureFixture[str], output_format: str
) -> None:
    run = make_run("run")
    assert report_command([run], output_format=output_format) is None
    out = capsys.readouterr().out
    starts = {"table": "\nrandom\n", "md": "# conflictbench", "csv": "agent,", "html": "<!doctype", "json": "{"}
    assert out.startswith(starts[output_format])
    assert sorted(os.listdir(run)) == ["episodes.jsonl", "manifest.json"]


def test_report_command__json_holds_every_figure(make_run: MakeRun, capsys: pytest.CaptureFixture[str]) -> None:
    report_command([make_run("run")], output_format="json")
    value = json.loads(capsys.readouterr().out)
    assert value["runs"][0]["name"] == "run"
    assert value["summary"]["groups"][0]["tsr"] == {
        "k": 2,
        "n": 2,
        "value": 1.0,
        "low": pytest.approx(0.3424, abs=1e-4),
        "high": 1.0,
    }


def test_report_command__an_unknown_format_is_told_the_known_ones(make_run: MakeRun) -> None:
    with pytest.raises(UnknownName, match="unknown report format 'pdf'; known: table, md, csv, html, json"):
        report_command([make_run("run")], output_format="pdf")


def test_report_command__format_and_folder_exclude_each_other(make_run: MakeRun, tmp_path: Path) -> None:
    with pytest.raises(RunError, match="--format prints to the terminal and --out writes files"):
        report_command([make_run("run")], output_format="md", out=tmp_path)


def test_report_command__says_which_folders_it_left_out(make_run: MakeRun, capsys: pytest.CaptureFixture[str]) -> None:
    runs = [make_run("a"), make_run("b", agent="aligned")]
    first = write_report(runs)
    before = first.html.read_bytes()
    report_command([*runs, first.html.parent])
    assert capsys.readouterr().err == f"{first.html.parent}: a report, not a run; left out\n"
    assert first.html.read_bytes() == before
