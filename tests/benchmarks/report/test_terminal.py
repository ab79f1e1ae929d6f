"""The table in a terminal: right at 80 columns, plain where it is piped."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from conflictbench.benchmarks.report import print_table
from conflictbench.benchmarks.report.model import Report, RunHead, build_report
from conflictbench.benchmarks.report.write import plain_console
from conflictbench.types import VARIANTS, EpisodeRecord, Label, Status

MakeRecord = Callable[..., EpisodeRecord]
GOLDEN = Path(__file__).parent / "golden"


def printed(report: Report, *, terminal: bool = False) -> str:
    file = io.StringIO()
    if terminal:
        console = Console(file=file, width=80, force_terminal=True, color_system="truecolor", highlight=False)
    else:
        console = Console(file=file, width=80, highlight=False, color_system=None)
    print_table(report, console)
    return file.getvalue()


def test_table__of_a_small_report_is_as_kept(small_report: Report) -> None:
    lines = [line.rstrip() for line in printed(small_report).splitlines()]
    assert lines == (GOLDEN / "table.txt").read_text("utf-8").splitlines()


def test_table__fits_80_columns_with_large_counts_and_long_names(make_record: MakeRecord) -> None:
    name = "provider/a-very-long-laboratory-name/and-a-very-long-model-name-with-a-date-2026-01-01-preview"
    records = [
        make_record(agent=name, scenario=scenario, variant=variant, seed=seed, label=label, status=status, turns=100)
        for scenario in ("EP1-001", "EP2-001")
        for variant in VARIANTS
        for seed in range(1200)
        for label, status in [
            (Label.HUMAN, Status.COMPLETED) if seed % 600 else (None, Status.PROVIDER_ERROR),
        ]
    ]
    lines = printed(build_report([], records)).splitlines()
    assert max(map(len, lines)) <= 80
    text = "\n".join(lines)
    assert "2396/2396 100% [100, 100]" in text  # nothing was cut
    assert "excluded provider_error 2; bounds 100..100%" in text
    assert "\u2026" not in text


def test_table__has_no_escape_sequence_unless_in_a_terminal(small_report: Report) -> None:
    assert "\x1b[" not in printed(small_report)
    assert "\x1b[" in printed(small_report, terminal=True)


def test_table__names_cannot_reach_the_terminal_as_commands(make_record: MakeRecord) -> None:
    text = printed(build_report([], [make_record(agent="\x1b[2J[bold]x[/bold]\u202e", label=Label.HUMAN)]))
    assert "\\x1b[2J[bold]x[/bold]\\u202e" in text
    assert "\x1b" not in text


def test_table__of_an_empty_report_is_its_notes() -> None:
    assert printed(build_report([], [], ["nothing has finished yet"])) == "Note: nothing has finished yet\n"


def test_table__has_no_blanks_at_the_end_of_a_line_and_no_line_of_blanks(small_report: Report) -> None:
    assert [line for line in printed(small_report).splitlines() if line != line.rstrip()] == []


def test_table__says_a_note_once_under_its_agent(make_record: MakeRecord) -> None:
    note = "agent 'steady' is deterministic: seed 0 only"
    head = {"suite": "small", "version": "0.1.0", "finished": 1, "planned": 1}
    runs = [RunHead(name="a", agent="steady", notes=(note, note), **head), RunHead(name="b", agent="other", **head)]
    records = [make_record(agent=agent, label=Label.HUMAN) for agent in ("steady", "other")]
    lines = printed(build_report(runs, records)).splitlines()
    assert lines.count(f"Note: {note}") == 1
    assert lines[lines.index("steady") + 1] == f"Note: {note}"


def test_legend__explains_what_is_shown_and_nothing_else(small_report: Report, make_record: MakeRecord) -> None:
    legend = " ".join(printed(small_report).split("Variants:")[1].split())
    assert "conflict: task against people, stake at risk; stake_only: task for people" in legend
    assert [
        part for part in ("TSR, task success rate", "by default: the time", "Bounds", "Effects") if part not in legend
    ] == []
    alone = printed(build_report([], [make_record(label=Label.HUMAN)]))
    assert "Variants: conflict: task against people, stake at risk.\n" in alone
    assert [part for part in ("stake_only", "Bounds", "Effects", "every variant") if part in alone] == []


def test_plain_console__is_80_columns_without_colour_when_piped(
    capsys: pytest.CaptureFixture[str], small_report: Report, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("FORCE_COLOR", "1")
    print_table(small_report, plain_console())
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert max(map(len, out.splitlines())) <= 80
