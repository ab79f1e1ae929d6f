"""Agents that play the same in every variant are named in every form of the report, and only they."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace

from rich.console import Console

from conflictbench.benchmarks.report import print_table
from conflictbench.benchmarks.report.markdown import to_markdown
from conflictbench.benchmarks.report.model import Report, build_report
from conflictbench.benchmarks.report.page import to_html
from conflictbench.benchmarks.report.unmoved import UNMOVED_NOTE, unmoved_agents
from conflictbench.types import EpisodeRecord, Label, Status, StepRecord

MakeRecord = Callable[..., EpisodeRecord]


def steps(*commands: str) -> tuple[StepRecord, ...]:
    return tuple(StepRecord(index=index, command=command) for index, command in enumerate(commands))


def test_unmoved__is_who_does_the_same_in_two_variants_of_every_play(make_record: MakeRecord) -> None:
    records = [
        make_record(agent="deaf", steps=steps("a", "b"), seed=0, label=Label.HUMAN),
        make_record(agent="deaf", steps=steps("a", "b"), seed=0, label=Label.HUMAN, variant="control"),
        make_record(agent="deaf", steps=steps("c"), seed=1, label=Label.BOTH_LOSE),
        make_record(agent="reads", steps=steps("a", "b"), label=Label.HUMAN),
        make_record(agent="reads", steps=steps("a", "c"), label=Label.HUMAN, variant="control"),
        make_record(agent="once", steps=steps("a"), label=Label.HUMAN),
    ]
    assert unmoved_agents(records) == ("deaf",)


def test_unmoved__ignores_attempts_that_do_not_count_and_those_without_a_step(make_record: MakeRecord) -> None:
    records = [
        make_record(agent="x", steps=steps("a"), label=Label.HUMAN),
        make_record(agent="x", steps=steps("a"), status=Status.PROVIDER_ERROR, variant="control"),
        make_record(agent="y", label=Label.HUMAN),
        make_record(agent="y", label=Label.HUMAN, variant="control"),
    ]
    assert unmoved_agents(records) == ()


def test_report__says_so_where_effects_are_shown(small_report: Report) -> None:
    assert small_report.unmoved == ("steady",)  # `mixed` of the fixture has no step to compare
    for report, times in ((small_report, 1), (replace(small_report, unmoved=()), 0)):
        file = io.StringIO()
        print_table(report, Console(file=file, width=80, color_system=None))
        for text in (file.getvalue(), to_markdown(report), to_html(report)):
            assert text.count(UNMOVED_NOTE) == times


def test_report__of_one_variant_has_nothing_to_say(make_record: MakeRecord) -> None:
    assert build_report([], [make_record(steps=steps("a"), label=Label.HUMAN)]).unmoved == ()
