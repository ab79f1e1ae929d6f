"""The report as one tidy CSV: one row a figure, plain numbers, ready for a data frame. Own design.

Text that a spreadsheet would take for a formula gets an apostrophe before it (OWASP, "CSV Injection").
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from conflictbench.benchmarks.report.model import Report, ending_counts
from conflictbench.benchmarks.report.visible import visible
from conflictbench.benchmarks.summary import (
    REGRET,
    SINGLE_TURN,
    CourseFigures,
    Effect,
    EpochFigures,
    Group,
    Mean,
    Rate,
    RegretFigures,
    SingleTurnFigures,
    UsageFigures,
)

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
    for regret in report.summary.regrets:
        for row in _regret_rows(regret):
            writer.writerow([_safe(cell) for cell in row])
    for question in report.summary.single_turns:
        for row in _single_turn_rows(question):
            writer.writerow([_safe(cell) for cell in row])
    for repeated in report.summary.epochs:
        for row in _epoch_rows(repeated):
            writer.writerow([_safe(cell) for cell in row])
    for copied in report.summary.courses:
        writer.writerow([_safe(cell) for cell in _course_row(copied)])
    for used in report.summary.usages:
        for row in _usage_rows(used):
            writer.writerow([_safe(cell) for cell in row])
    for effect in report.summary.effects:
        writer.writerow([_safe(cell) for cell in _effect_row(effect)])
    return text.getvalue()


def _group_rows(group: Group) -> Iterator[tuple[Cell, ...]]:
    place = (group.agent, group.family, group.variant, group.scenario)
    rate = "saved" if group.family == REGRET else "tsr"
    yield *place, rate, group.tsr.k, group.n, group.tsr.value, group.tsr.low, group.tsr.high, None, ""
    bounds = group.bounds
    yield *place, f"{rate}_if_excluded_counted", None, bounds.n, None, bounds.worst, bounds.best, None, ""
    for ending, count in ending_counts(group).items():
        yield *place, f"ended_{ending}", count, group.n, count / group.n if group.n else None, None, None, None, ""
    means: tuple[tuple[str, Mean], ...] = (
        ("turns_when_failed", group.failed_turns),
        ("interactions_when_failed", group.failed_interactions),
        ("rejected_per_episode", group.rejected),
        ("unknown_per_episode", group.unknown),
        ("reasks_per_episode", group.reasks),
        ("malformed_per_episode", group.malformed),
    )
    for metric, mean in means:
        yield *place, metric, None, mean.n, mean.value, None, None, None, ""
    for status, count in group.excluded.items():
        yield *place, f"excluded_{status}", count, None, None, None, None, None, ""


def _rate_row(place: tuple[Cell, ...], metric: str, rate: Rate) -> tuple[Cell, ...]:
    return *place, metric, rate.k, rate.n, rate.value, rate.low, rate.high, None, ""


def _regret_rows(row: RegretFigures) -> Iterator[tuple[Cell, ...]]:
    place = (row.agent, REGRET, row.variant, row.scenario)
    yield _rate_row(place, "human_reached", row.reached)
    yield _rate_row(place, "saved_and_stood", row.stood)
    yield _rate_row(place, "regret_rate", row.regretted)
    counts = {f"regretted_at_stage_{stage}": count for stage, count in enumerate(row.stages, 1)}
    for metric, count in {**counts, "persisted": row.persisted, "undecided": row.undecided}.items():
        yield *place, metric, count, row.reached.k, None, None, None, None, ""


def _single_turn_rows(row: SingleTurnFigures) -> Iterator[tuple[Cell, ...]]:
    place = (row.agent, f"{SINGLE_TURN} {row.family}", row.variant, None)
    yield _rate_row(place, "single_turn_accuracy", row.accuracy)
    bounds = row.bounds
    yield *place, "accuracy_if_excluded_counted", None, bounds.n, None, bounds.worst, bounds.best, None, ""
    yield _rate_row(place, "baseline_always_first", row.always_first)
    yield _rate_row(place, "baseline_always_longest", row.always_longest)
    for option in row.places:
        yield _rate_row(place, f"accuracy_aligned_at_{option.place}", option.correct)
        yield _rate_row(place, f"chosen_{option.place}", option.chosen)
    yield *place, "unanswered", row.unanswered, row.accuracy.n, None, None, None, None, ""


def _epoch_rows(row: EpochFigures) -> Iterator[tuple[Cell, ...]]:
    place = (row.agent, row.family, row.variant, None)
    rates = {"tsr_over_epochs": row.every, "tsr_worst": row.worst, "tsr_best": row.best, "flips": row.flips}
    for metric, rate in rates.items():
        yield _rate_row(place, f"{metric}_of_{row.epochs}", rate)
    yield *place, "pairs_incomplete", row.incomplete, None, None, None, None, None, ""


def _course_row(row: CourseFigures) -> tuple[Cell, ...]:
    place = (row.agent, row.family, row.variant, row.scenario)
    return *place, "distinct_courses", row.courses, row.episodes, None, None, None, None, "the others repeat these"


def _usage_rows(row: UsageFigures) -> Iterator[tuple[Cell, ...]]:
    place = (row.agent, None, None, None)
    counts = {"calls": row.calls, "input_tokens": row.input_tokens, "output_tokens": row.output_tokens}
    for metric, count in counts.items():
        yield *place, metric, count, None, None, None, None, None, ""
    if row.cached:
        yield *place, "cached_answers", row.cached, None, None, None, None, None, ""
    cost = row.cost_usd if row.price_known or row.cost_usd else None
    unknown = "" if row.price_known else "at least; " if row.cost_usd else "price not known; "
    yield *place, "cost_usd", None, None, cost, None, None, None, f"{unknown}answered as {', '.join(row.models)}"
    if lost := row.of_dropped:
        note = "of dropped episodes, beside those of the attempts"
        tokens = (("input_tokens", lost.input_tokens), ("output_tokens", lost.output_tokens))
        for metric, count in (("calls", lost.calls), *tokens):
            yield *place, f"dropped_{metric}", count, None, None, None, None, None, note
        cost = lost.cost_usd if lost.price_known or lost.cost_usd else None
        yield *place, "dropped_cost_usd", None, None, cost, None, None, None, unknown + note


def _effect_row(effect: Effect) -> tuple[Cell, ...]:
    metric = effect.name.replace(" ", "_")
    value = (effect.value, effect.low, effect.high, effect.n_scenarios)
    return effect.agent, effect.family, effect.formula, None, metric, None, effect.n, *value, effect.note


def _safe(cell: Cell) -> Cell:
    if not isinstance(cell, str):
        return cell
    text = visible(cell)
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text
