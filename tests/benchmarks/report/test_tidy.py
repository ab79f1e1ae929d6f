"""The CSV: one row a figure, numbers that read back exactly, nothing a spreadsheet would run."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest

from conflictbench.benchmarks.report.model import Report, build_report
from conflictbench.benchmarks.report.tidy import COLUMNS, to_csv
from conflictbench.types import EpisodeRecord, Label, Status

MakeRecord = Callable[..., EpisodeRecord]
GOLDEN = Path(__file__).parent / "golden"


def rows(report: Report) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(to_csv(report), newline="")))


def test_csv__of_a_small_report_is_as_kept(make_record: MakeRecord) -> None:
    records = [
        make_record(variant=variant, seed=seed, label=Label.HUMAN if seed else Label.BOTH_LOSE, turns=4 + seed)
        for variant in ("conflict", "control")
        for seed in range(2)
    ]
    assert to_csv(build_report([], records)) == (GOLDEN / "report.csv").read_text("utf-8")


def test_csv__numbers_read_back_exactly(make_record: MakeRecord) -> None:
    records = [make_record(seed=seed, label=Label.HUMAN if seed else None, turns=4) for seed in range(3)]
    records[0] = make_record(seed=0, status=Status.TRUNCATED, turns=5, malformed=6)
    report = build_report([], records)
    found = {row["metric"]: row for row in rows(report) if row["family"] == "EP1" and not row["scenario"]}
    assert (found["tsr"]["k"], found["tsr"]["n"]) == ("2", "3")
    assert float(found["tsr"]["value"]) == 2 / 3
    assert (found["ended_truncated"]["k"], float(found["ended_truncated"]["value"])) == ("1", 1 / 3)
    assert (found["turns_when_failed"]["n"], found["turns_when_failed"]["value"]) == ("1", "5.0")
    assert (found["malformed_per_episode"]["n"], found["malformed_per_episode"]["value"]) == ("3", "2.0")


def test_csv__over_nothing_is_an_empty_cell(make_record: MakeRecord) -> None:
    report = build_report([], [make_record(status=Status.BUDGET, error="spent")])
    found = {row["metric"]: row for row in rows(report) if row["family"] == "EP1" and not row["scenario"]}
    assert (found["tsr"]["n"], found["tsr"]["value"], found["tsr"]["low"]) == ("0", "", "")
    assert found["excluded_budget"]["k"] == "1"
    assert (found["tsr_if_excluded_counted"]["low"], found["tsr_if_excluded_counted"]["high"]) == ("0.0", "1.0")


@pytest.mark.parametrize("agent", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", 'a,b\n"c"', "=cmd|' /C calc'!A0"])
def test_csv__text_is_no_formula_and_stays_in_its_cell(make_record: MakeRecord, agent: str) -> None:
    found = rows(build_report([], [make_record(agent=agent, label=Label.HUMAN)]))
    assert {tuple(row) for row in found} == {COLUMNS}
    assert not {row["agent"][0] for row in found} & set("=+-@\t\r")
