"""Markdown tables that no name can break."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conflictbench.benchmarks.report.markdown import escape, to_markdown
from conflictbench.benchmarks.report.model import Report, build_report
from conflictbench.types import EpisodeRecord, Label

MakeRecord = Callable[..., EpisodeRecord]
GOLDEN = Path(__file__).parent / "golden"


def test_markdown__of_a_small_report_is_as_kept(small_report: Report) -> None:
    assert to_markdown(small_report) == (GOLDEN / "report.md").read_text("utf-8")


@pytest.mark.parametrize(
    "text, escaped",
    [("a|b", r"a\|b"), ("<script>", r"\<script\>"), ("[x](y)", r"\[x\](y)"), ("a\nb", r"a\\x0ab"), ("`x`", r"\`x\`")],
)
def test_escape__leaves_nothing_to_act_on(text: str, escaped: str) -> None:
    assert escape(text) == escaped


@settings(deadline=None, derandomize=True)
@given(st.text())
def test_escape__stays_in_its_cell(text: str) -> None:
    cell = escape(text)
    assert len(cell.splitlines()) <= 1
    assert not re.search(r"(?<!\\)(?:\\\\)*[|<`]", cell)


def test_markdown__every_row_has_as_many_cells_as_its_header(make_record: MakeRecord) -> None:
    report = build_report([], [make_record(agent="a | b\n| c", label=Label.HUMAN)], ["# x\n## y"])
    rows = [re.split(r"(?<!\\)\|", line) for line in to_markdown(report).splitlines() if line.startswith("|")]
    # A row begins and ends with a bar, so it has two pieces more than cells: runs 6, figures 17.
    assert {len(row) for row in rows} == {8, 19}
    assert not [line for line in to_markdown(report).splitlines() if line.startswith("## y")]
