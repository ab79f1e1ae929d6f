"""The report as GitHub-flavoured Markdown tables. Own design."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from conflictbench.benchmarks.report import numbers
from conflictbench.benchmarks.report.model import ENDING_TITLES, ENDINGS, Report, ending_counts
from conflictbench.benchmarks.report.visible import visible
from conflictbench.types import Label

_BEHAVIOUR = ("Failed turns", "Rejected", "Unknown", "Excluded", "Bounds")
_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|~!&])")


def to_markdown(report: Report) -> str:
    """Return the tables as one Markdown text, ending in a newline."""
    blocks = ["# conflictbench report"]
    blocks += [f"> {escape(note)}" for note in report.notes]
    blocks.append("\n".join(_runs(report)))
    blocks += ["## Success rates and endings", "\n".join(_groups(report))]
    if report.summary.effects:
        blocks += ["## Task and stake effects", "\n".join(_effects(report))]
    blocks.append(
        "k/n: episodes that ended in an outcome labelled human, of the counted ones, with a Wilson 95 % interval in "
        "percent. Bounds: the rate had all excluded episodes failed or succeeded. Effects: percentage points over "
        "pairs equal in scenario, seed and epoch, with a bootstrap interval over scenarios."
    )
    return "\n\n".join(blocks) + "\n"


def escape(text: str) -> str:
    """Return `text` on one line, with nothing in it that Markdown or HTML would act on."""
    return _MARKUP.sub(r"\\\1", visible(text))


def _table(header: Sequence[str], rows: Iterable[Sequence[str]], *, left: int) -> list[str]:
    """Table lines; the first `left` columns are set to the left, the others to the right."""
    rule = [":--" if place < left else "--:" for place in range(len(header))]
    return ["| " + " | ".join(cells) + " |" for cells in (header, rule, *rows)]


def _runs(report: Report) -> list[str]:
    header = ("Agent", "Suite", "Directory", "Version", "Finished", "Notes")
    rows = (
        [
            *map(escape, (run.agent, run.suite, run.name, run.version)),
            f"{run.finished} of {run.planned}",
            escape("; ".join(run.notes)),
        ]
        for run in report.runs
    )
    return _table(header, rows, left=4)


def _groups(report: Report) -> list[str]:
    others = [ending for ending in ENDINGS if ending != Label.HUMAN]
    titles = [ENDING_TITLES[ending] for ending in others]
    header = ("Agent", "Family", "Variant", "Ended human", *titles, *_BEHAVIOUR)
    rows = (
        [
            escape(group.agent),
            escape(group.family),
            escape(group.variant),
            escape(numbers.rate(group.tsr)),
            *(str(ending_counts(group)[ending]) for ending in others),
            *(numbers.mean(value) for value in (group.failed_turns, group.rejected, group.unknown)),
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
