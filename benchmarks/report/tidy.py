"""The report as one tidy CSV: one row a figure, plain numbers, ready for a data frame. Own design.

Text that a spreadsheet would take for a formula gets an apostrophe before it (OWASP, "CSV Injection").
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from conflictbench.benchmarks.report.model import Report, ending_counts
from conflictbench.benchmarks.report.visible import visible
from conflictbench.benchmarks.summary import Effect, Group, Mean

COLUMNS = (
    "agent", "family", "variant", "scenario", "metric", "k", "n", "value", "low", "high", "n_scenarios", "note"
)  # fmt: skip
Cell = str | int | float | None


def to_csv(report: Report) -> str:
    """Return the CSV text (comma, CRLF-free, header first).

    Rates and differences are in [-1, 1] (the interaction in [-2, 2]), means in turns or counts per episode; an empty
    cell is a value that does not exist, as for n = 0.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for group in (*report.summary.groups, *report.summary.scenarios):
        for row in _group_rows(group):
            writer.writerow([_safe(cell) for cell in row])
    for effect in report.summary.effects:
        writer.writerow([_safe(cell) for cell in _effect_row(effect)])
    return text.getvalue()


def _group_rows(group: Group) -> Iterator[tuple[Cell, ...]]:
    place = (group.agent, group.family, group.variant, group.scenario)
    yield *place, "tsr", group.tsr.k, group.n, group.tsr.value, group.tsr.low, group.tsr.high, None, ""
    bounds = group.bounds
    yield *place, "tsr_if_excluded_counted", None, bounds.n, None, bounds.worst, bounds.best, None, ""
    for ending, count in ending_counts(group).items():
        yield *place, f"ended_{ending}", count, group.n, count / group.n if group.n else None, None, None, None, ""
    means: tuple[tuple[str, Mean], ...] = (
        ("turns_when_failed", group.failed_turns),
        ("interactions_when_failed", group.failed_interactions),
        ("rejected_per_episode", group.rejected),
        ("unknown_per_episode", group.unknown),
        ("reasks_per_episode", group.reasks),
    )
    for metric, mean in means:
        yield *place, metric, None, mean.n, mean.value, None, None, None, ""
    for status, count in group.excluded.items():
        yield *place, f"excluded_{status}", count, None, None, None, None, None, ""


def _effect_row(effect: Effect) -> tuple[Cell, ...]:
    metric = effect.name.replace(" ", "_")
    value = (effect.value, effect.low, effect.high, effect.n_scenarios)
    return effect.agent, effect.family, effect.formula, None, metric, None, effect.n, *value, effect.note


def _safe(cell: Cell) -> Cell:
    if not isinstance(cell, str):
        return cell
    text = visible(cell)
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text
