"""Agents side by side, and the last lines of a run: what came out, and where to look."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from conflictbench.benchmarks.report import print_closing, print_table
from conflictbench.benchmarks.report.markdown import to_markdown
from conflictbench.benchmarks.report.model import Report, build_report
from conflictbench.benchmarks.report.overview import overviews
from conflictbench.types import EpisodeRecord, Label, QuestionRecord, Status

MakeRecord = Callable[..., EpisodeRecord]
LONG_NAME = "llm:provider/a-very-long-laboratory-name/and-a-very-long-model-name-2026-01-01"


def drawn(draw: Callable[[Console], None]) -> list[str]:
    file = io.StringIO()
    draw(Console(file=file, width=80, highlight=False, color_system=None))
    return file.getvalue().splitlines()


def table(report: Report) -> list[str]:
    return drawn(lambda console: print_table(report, console))


def closing(report: Report) -> list[str]:
    return drawn(lambda console: print_closing(report, Path("/runs/x/report.html"), console))


def episodes(make_record: MakeRecord, agent: str, k: int, n: int, variant: str = "conflict") -> list[EpisodeRecord]:
    """n episodes of which k saved the people."""
    labels = [Label.HUMAN] * k + [Label.BOTH_LOSE] * (n - k)
    return [make_record(agent=agent, variant=variant, seed=seed, label=label) for seed, label in enumerate(labels)]


def question(record: EpisodeRecord) -> EpisodeRecord:
    asked = QuestionRecord(permutation=(0, 1, 2, 3), aligned=0, longest=3)
    changes = {"env_id": "ConflictBench/SingleTurn-v0", "question": asked, "outcome": "choice_0"}
    return record.model_copy(update=changes)


def test_overview__is_the_first_table_with_every_rate_and_its_interval(make_record: MakeRecord) -> None:
    records = [
        *episodes(make_record, "random", 3, 20),
        *episodes(make_record, "aligned", 20, 20),
        *episodes(make_record, "aligned", 10, 20, "control"),
    ]
    # Wilson: 3 of 20 is 5.2 to 36.0 %, 20 of 20 from 83.9 %, 10 of 20 is 29.9 to 70.1 %.
    assert table(build_report([], records))[1:8] == [
        "TSR over EP1, k/n with 95 % interval",
        "agent    conflict    control",
        "──────────────────────────────",
        "aligned  20/20 100%  10/20 50%",
        "         [84, 100]   [30, 70]",
        "random   3/20 15%    not run",
        "         [5, 36]",
    ]


def test_overview__of_one_agent_is_no_table_of_its_own(make_record: MakeRecord) -> None:
    report = build_report([], episodes(make_record, "random", 1, 2))
    assert table(report)[1] == "random"
    assert "side by side" not in to_markdown(report)
    assert [overview.agents for overview in overviews(report)] == [("random",)]


def test_overview__of_nothing_that_counted_is_left_out(make_record: MakeRecord) -> None:
    records = [make_record(agent=agent, status=Status.PROVIDER_ERROR, error="gone") for agent in ("a", "b")]
    assert not [line for line in table(build_report([], records)) if "TSR over" in line]


def test_overview__keeps_three_measures_apart(make_record: MakeRecord) -> None:
    records = []
    for agent in ("a", "b"):
        played = make_record(agent=agent, label=Label.BOTH_LOSE)
        regret = make_record(agent=agent, seed=1, label=Label.HUMAN).model_copy(
            update={"env_id": "ConflictBench/Regret-v0", "regret_applicable": True}
        )
        records += [played, regret, question(make_record(agent=agent, seed=2, label=Label.HUMAN))]
    found = {overview.title: overview.rates["a", "conflict"] for overview in overviews(build_report([], records))}
    assert {title: (rate.k, rate.n) for title, rate in found.items()} == {
        "TSR over EP1": (0, 1),
        "Regret test, saved and stood": (1, 1),
        "Single-turn questions, aligned option, over EP1": (1, 1),
    }


def test_overview__of_questions_takes_all_families_of_each_agent(make_record: MakeRecord) -> None:
    records = [question(make_record(agent="one", label=Label.HUMAN))]
    records += [
        question(make_record(agent="two", scenario=f"EP{n}-001", label=Label.HUMAN if n == 1 else Label.BOTH_LOSE))
        for n in (1, 2, 3)
    ]
    (overview,) = overviews(build_report([], records))
    assert {agent: (rate.k, rate.n) for (agent, _), rate in overview.rates.items()} == {"one": (1, 1), "two": (1, 3)}


def test_overview__fits_80_columns_with_long_names_and_large_counts(make_record: MakeRecord) -> None:
    records = []
    for agent in (LONG_NAME, "other"):
        for variant in ("conflict", "stake_only", "task_only", "control"):
            records += episodes(make_record, agent, 1199, 1200, variant)
    lines = table(build_report([], records))
    assert max(map(len, lines)) <= 80
    assert lines[4].endswith("  ".join(["1199/1200 >99%"] * 4))
    width = lines[4].index("1199/1200")
    name = "".join(line[:width].strip() for line in lines[4 : lines.index("", 4)])
    assert name == f"{LONG_NAME}other"  # over several lines, whole


def test_overview__in_markdown(make_record: MakeRecord) -> None:
    records = [*episodes(make_record, "random", 3, 20), *episodes(make_record, "aligned", 20, 20, "control")]
    assert to_markdown(build_report([], records)).split("## ")[1].splitlines()[2:6] == [
        "| TSR over EP1 | conflict | control |",
        "| :-- | --: | --: |",
        r"| aligned | not run | 20/20  100% \[84, 100\] |",
        r"| random | 3/20  15% \[5, 36\] | not run |",
    ]


def test_closing__is_at_most_six_lines_and_ends_with_the_page(make_record: MakeRecord) -> None:
    records = []
    for place in range(5):
        records += episodes(make_record, f"agent {place}", place, 5)
    lines = closing(build_report([], records))
    assert lines == [
        "",
        "In short: TSR over EP1 (2 more agents in the first table)",
        "  agent 0  conflict 0/5 0% [0, 43]",
        "  agent 1  conflict 1/5 20% [4, 62]",
        "  agent 2  conflict 2/5 40% [12, 77]",
        "To read: every episode in report.html, the tables in report.md and report.csv.",
        "report: /runs/x/report.html",
    ]


def test_closing__sets_the_control_beside_the_conflict_and_cuts_a_long_name(make_record: MakeRecord) -> None:
    records = [
        *episodes(make_record, LONG_NAME, 1, 4),
        *episodes(make_record, LONG_NAME, 4, 4, "control"),
        *episodes(make_record, LONG_NAME, 2, 4, "task_only"),
    ]
    lines = closing(build_report([], records))
    assert lines[2].startswith("  llm:provider/a-very-long-labor")
    assert lines[2].endswith("...  conflict 1/4 25% [5, 70]; control 4/4 100%")
    assert len(lines[2]) == 80


def test_closing__of_nothing_that_counted_names_the_page_alone(make_record: MakeRecord) -> None:
    lines = closing(build_report([], [make_record(status=Status.PROVIDER_ERROR, error="gone")]))
    assert [line.split(":")[0] for line in lines] == ["", "To read", "report"]


@pytest.mark.parametrize("name", ["\x1b[2J", "[bold]x[/bold]"])
def test_closing__a_name_cannot_reach_the_terminal_as_a_command(make_record: MakeRecord, name: str) -> None:
    text = "\n".join(closing(build_report([], episodes(make_record, name, 1, 1))))
    assert "\x1b" not in text
    assert name.replace("\x1b", "\\x1b") in text
