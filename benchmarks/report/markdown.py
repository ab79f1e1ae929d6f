"""The report as GitHub-flavoured Markdown tables. Own design."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from conflictbench.benchmarks.report import numbers
from conflictbench.benchmarks.report.asking import NOT_ASKED, TITLES
from conflictbench.benchmarks.report.model import (
    ENDING_TITLES,
    ENDINGS,
    VARIANT_TITLES,
    Report,
    ending_counts,
    success_title,
)
from conflictbench.benchmarks.report.overview import overviews
from conflictbench.benchmarks.report.unmoved import UNMOVED_NOTE
from conflictbench.benchmarks.report.visible import visible
from conflictbench.benchmarks.summary import Rate
from conflictbench.types import Label

_BEHAVIOUR = ("Failed turns", "Rejected", "Unknown")
_REGRET_LEGEND = (
    "Reached: a human outcome, of the counted episodes. Saved and stood: that, and stood by through all three stages, "
    "of the same. Regretted: taken back, of those reached. Stopped: within a stage, by three other answers or for want "
    "of a usable reply."
)
_SINGLE_TURN_LEGEND = (
    "Aligned: the option that saves the people was chosen. Always A and longest: what answering A, or the longest "
    "option, scores on the same questions. Right at C 2/3: the aligned option stood at C 3 times and was chosen 2 "
    "times. Said A to D: how often the place was chosen."
)
_ANOTHER_MEASURE = " They are another measure than the episodes above, and in none of their rates."
_EPOCHS_LEGEND = (
    "TSR: over all epochs. Worst: human in every epoch of a scenario and seed; best: in one at least. Flips: human in "
    "some epochs and not in others. Left out: pairs without a counted attempt in every epoch."
)
_USAGE_LEGEND = (
    "Over every attempt, counted or not. Money is unknown where the price is not known; at least so much, where it was "
    "not known for some of the calls. Calls for episodes that a stop of the run dropped stand apart."
)
_TSR = "TSR, the task success rate: those that ended in an outcome labelled human"
_RATES = {
    "TSR": _TSR,
    "saved": "Saved: those that ended in an outcome labelled human, taken back afterwards or not",
    "TSR or saved": f"{_TSR}; saved, in the regret test: the same, taken back afterwards or not",
}
_HEADINGS = {
    "TSR": "Success rates and endings",
    "saved": "Saved, and other endings",
    "TSR or saved": "Success rates and endings",
}
_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|~!&])")


def to_markdown(report: Report) -> str:
    """Return the tables as one Markdown text, ending in a newline."""
    blocks = ["# conflictbench report"]
    blocks += [f"> {escape(note)}" for note in report.notes]
    blocks.append("\n".join(_runs(report)))
    blocks += _side_by_side(report)
    if report.regrets:
        blocks += ["## Regret test", "\n".join(_regrets(report)), _REGRET_LEGEND]
    if report.families:
        blocks += [f"## {_HEADINGS[success_title(report.families)]}", "\n".join(_groups(report))]
    if any(effect.family in report.families for effect in report.summary.effects):
        blocks += ["## Task and stake effects", "\n".join(_effects(report))]
    if any(row.family in report.families for row in report.summary.epochs):
        blocks += ["## Epochs", "\n".join(_epochs(report)), _EPOCHS_LEGEND]
    if report.summary.single_turns:
        legend = _SINGLE_TURN_LEGEND + (_ANOTHER_MEASURE if report.families else "")
        blocks += ["## Single-turn questions", "\n".join(_single_turns(report)), legend]
    if report.summary.usages:
        blocks += ["## Calls to models", "\n".join(_usages(report)), _USAGE_LEGEND]
    if report.unmoved:
        blocks.append(f"{', '.join(map(escape, report.unmoved))}: {UNMOVED_NOTE}")
    blocks.append(
        f"{_RATES[success_title(report.families)]}, of the counted episodes, as k/n with a Wilson 95 % interval in "
        "percent. Bounds: the rate had all excluded episodes failed or succeeded. "
        "Effects: percentage points over pairs equal in scenario, seed and epoch, with a bootstrap interval over "
        "scenarios."
    )
    if report.variants:
        told = "; ".join(f"{escape(name)}: {VARIANT_TITLES.get(name, 'its own')}" for name in report.variants)
        blocks.append(f"Variants: {told}.")
    return "\n\n".join(blocks) + "\n"


def escape(text: str) -> str:
    """Return `text` on one line, with nothing in it that Markdown or HTML would act on."""
    return _MARKUP.sub(r"\\\1", visible(text))


def _table(header: Sequence[str], rows: Iterable[Sequence[str]], *, left: int) -> list[str]:
    """Table lines; the first `left` columns are set to the left, the others to the right."""
    rule = [":--" if place < left else "--:" for place in range(len(header))]
    return ["| " + " | ".join(cells) + " |" for cells in (header, rule, *rows)]


def _side_by_side(report: Report) -> list[str]:
    """Each measure as one table of agents by variant, where there are several agents."""
    tables = []
    for overview in overviews(report):
        if len(overview.agents) > 1 and overview.has_figures:
            rows = (
                [escape(agent), *(_of_overview(overview.rates.get((agent, variant))) for variant in overview.variants)]
                for agent in overview.agents
            )
            table = _table((overview.title, *map(escape, overview.variants)), rows, left=1)
            tables.append("\n".join(table))
    return ["## Agents side by side", *tables] if tables else []


def _of_overview(value: Rate | None) -> str:
    return "not run" if value is None else escape(numbers.rate(value))


def _runs(report: Report) -> list[str]:
    asked = TITLES if report.asked else ()
    header = ("Agent", "Suite", "Directory", "Version", *asked, "Finished", "Notes")
    rows = (
        [
            *map(escape, (run.agent, run.suite, run.name, run.version)),
            *(map(escape, run.asking.cells) if run.asking is not None else (NOT_ASKED for _ in asked)),
            f"{run.finished} of {run.planned}",
            escape("; ".join(run.notes)),
        ]
        for run in report.runs
    )
    return _table(header, rows, left=4 + len(asked))


def _groups(report: Report) -> list[str]:
    others = [ending for ending in ENDINGS if ending != Label.HUMAN]
    titles = [ENDING_TITLES[ending] for ending in others]
    rate = success_title(report.families)
    replies = ("Asked again", "Malformed") if report.has_replies else ()
    header = (
        "Agent",
        "Family",
        "Variant",
        rate[0].upper() + rate[1:],
        *titles,
        *_BEHAVIOUR,
        *replies,
        "Excluded",
        "Bounds",
    )
    rows = (
        [
            escape(group.agent),
            escape(group.family),
            escape(group.variant),
            escape(numbers.rate(group.tsr)),
            *(str(ending_counts(group)[ending]) for ending in others),
            *(numbers.mean(value) for value in (group.failed_turns, group.rejected, group.unknown)),
            *(numbers.mean(value) for value in (group.reasks, group.malformed) if replies),
            escape(numbers.excluded(group)),
            numbers.bounds(group),
        ]
        for group in report.summary.groups
        if group.family in report.families
    )
    return _table(header, rows, left=3)


def _effects(report: Report) -> list[str]:
    header = ("Agent", "Family", "Effect", "Difference", "Points", "Pairs", "Scenarios", "Note")
    rows = (
        [
            *map(escape, (effect.agent, effect.family, effect.name, effect.formula, numbers.effect(effect))),
            str(effect.n),
            str(effect.n_scenarios),
            escape(effect.note),
        ]
        for effect in report.summary.effects
        if effect.family in report.families
    )
    return _table(header, rows, left=4)


def _regrets(report: Report) -> list[str]:
    stages = ("Stage 1", "Stage 2", "Stage 3")
    header = ("Agent", "Variant", "Reached", "Saved and stood", "Regretted", *stages, "Stood", "Stopped")
    rows = (
        [
            escape(row.agent),
            escape(row.variant),
            *(escape(numbers.rate(rate)) for rate in (row.reached, row.stood, row.regretted)),
            *map(str, (*row.stages, row.persisted, row.undecided)),
        ]
        for row in report.regrets
    )
    return _table(header, rows, left=2)


def _single_turns(report: Report) -> list[str]:
    places = [f"{what} {letter}" for what in ("Right at", "Said") for letter in "ABCD"]
    header = (
        "Agent",
        "Family",
        "Variant",
        "Aligned",
        "Always A",
        "Longest",
        *places,
        "No answer",
        "Excluded",
        "Bounds",
    )
    rows = (
        [
            *map(escape, (row.agent, row.family, row.variant, numbers.rate(row.accuracy))),
            *(numbers.short_rate(rate) for rate in (row.always_first, row.always_longest)),
            *(numbers.count(place.correct) for place in row.places),
            *(numbers.count(place.chosen) for place in row.places),
            str(row.unanswered),
            str(row.n_excluded),
            numbers.range_of(row.bounds) if row.n_excluded else "-",
        ]
        for row in report.summary.single_turns
    )
    return _table(header, rows, left=3)


def _epochs(report: Report) -> list[str]:
    header = (
        "Agent",
        "Family",
        "Variant",
        "Epochs",
        success_title(report.families),
        "Worst",
        "Best",
        "Flips",
        "Left out",
    )
    rows = (
        [
            *map(escape, (row.agent, row.family, row.variant)),
            str(row.epochs),
            escape(numbers.short_rate(row.every)),
            *(escape(numbers.rate(rate)) for rate in (row.worst, row.best, row.flips)),
            str(row.incomplete),
        ]
        for row in report.summary.epochs
        if row.family in report.families
    )
    return _table(header, rows, left=3)


def _usages(report: Report) -> list[str]:
    header = ("Agent", "Answered as", "Calls", "Tokens read", "Tokens written", "Money")
    rows = (
        [
            escape(row.agent),
            name,
            numbers.calls(figures),
            *(f"{count:,}" for count in (figures.input_tokens, figures.output_tokens)),
            numbers.cost(figures),
        ]
        for row in report.summary.usages
        for name, figures in ((escape(", ".join(row.models)), row), ("(dropped episodes)", row.of_dropped))
        if figures is not None
    )
    return _table(header, rows, left=2)
