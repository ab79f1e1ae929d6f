"""The report as a table for a terminal of 80 columns, plain where it is piped. Own design, drawn with rich."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console
from rich.table import Table
from rich.text import Text

from conflictbench.benchmarks.report import numbers
from conflictbench.benchmarks.report.model import (
    LABELS,
    NO_OUTCOME,
    UNUSABLE_TITLE,
    VARIANT_TITLES,
    Report,
    ending_counts,
    success_title,
)
from conflictbench.benchmarks.report.terminal_apart import print_regrets, print_single_turns
from conflictbench.benchmarks.report.terminal_models import print_asking, print_epochs, print_usage
from conflictbench.benchmarks.report.terminal_table import RIGHT, light_table, plain
from conflictbench.benchmarks.report.unmoved import UNMOVED_NOTE
from conflictbench.benchmarks.report.visible import visible
from conflictbench.benchmarks.summary import Effect, Group
from conflictbench.types import Label

_OTHERS = LABELS[1:]


def print_table(report: Report, console: Console) -> None:
    """Print per agent: rates and endings by family and variant, what was excluded, behaviour and effects overall."""
    with console.capture() as captured:
        _print(report, console)
    # rich fills the last column of a table, and the end of a wrapped line, with blanks
    console.file.write("\n".join(line.rstrip(" ") for line in captured.get().split("\n")))


def _print(report: Report, console: Console) -> None:
    whole = report.families[-1:]
    for note in report.notes:
        console.print(Text(f"Note: {visible(note)}", style="yellow"))
    for agent in report.agents:
        groups = [group for group in report.summary.groups if group.agent == agent and group.family in report.families]
        effects = [effect for effect in report.summary.effects if effect.agent == agent and effect.family in whole]
        console.print()
        console.print(Text(visible(agent), style="bold"))
        for note in dict.fromkeys(note for run in report.runs if run.agent == agent for note in run.notes):
            console.print(Text(f"Note: {visible(note)}", style="dim"))
        print_regrets([figures for figures in report.regrets if figures.agent == agent], console)
        if groups:
            console.print(_rates(groups))
            for line in _exclusions(groups):
                console.print(line)
            console.print()
            console.print(_behaviour([group for group in groups if group.family in whole], report.has_replies))
        if effects:
            console.print()
            console.print(_effects(effects))
            if agent in report.unmoved:
                console.print(Text(f"  {UNMOVED_NOTE}", style="dim"))
        print_epochs(
            [row for row in report.summary.epochs if row.agent == agent and row.family in report.families], console
        )
        print_single_turns([row for row in report.summary.single_turns if row.agent == agent], console)
        print_usage([row for row in report.summary.usages if row.agent == agent], console)
        print_asking([run for run in report.runs if run.agent == agent], console)
    if report.families:
        console.print()
    for sentence in _legend(report):
        console.print(Text(sentence, style="dim"))


def _legend(report: Report) -> Iterator[str]:
    """What the words of the tables mean; of each only where it is shown."""
    if not report.families:
        return
    yield "Variants: " + "; ".join(f"{name}: {VARIANT_TITLES.get(name, 'its own')}" for name in report.variants) + "."
    others = "".join(f" {label.words}: {label.meaning}." for label in _OTHERS)
    saved = "the same in the regret test, taken back afterwards or not"
    rate = {
        "TSR": f"TSR, task success rate: ended human ({Label.HUMAN.meaning})",
        "saved": f"saved: ended human ({Label.HUMAN.meaning}), taken back afterwards or not",
        "TSR or saved": f"TSR, task success rate: ended human ({Label.HUMAN.meaning}); saved: {saved}",
    }[success_title(report.families)]
    yield (
        f"{rate}, k/n with Wilson's 95 % interval.{others} no "
        f"end: truncated, or {UNUSABLE_TITLE}. Failed turns (where it did not end human), rejected, unknown: means."
    )
    if any(group.n_excluded for group in report.summary.groups):
        yield "Bounds: the rate had all excluded episodes failed, or all ended human."
    if any(effect.family in report.families for effect in report.summary.effects):
        yield "Effects: percentage points over pairs of episodes, with a bootstrap 95 % interval."


def _rates(groups: list[Group]) -> Table:
    table = light_table(
        ("family", "left"),
        ("variant", "left"),
        (success_title(group.family for group in groups), "right"),
        ("", "right"),
        ("", "left"),
        *((label.words.replace(" ", "\n"), RIGHT) for label in _OTHERS),
        ("no\nend", "right"),
    )
    for place, group in enumerate(groups):
        if place and group.family != groups[place - 1].family:
            table.add_row()
        counts = ending_counts(group)
        unended = sum(counts[ending] for ending in NO_OUTCOME)
        ends = (*(counts[label] for label in _OTHERS), unended)
        rate = numbers.rate_parts(group.tsr)
        table.add_row(plain(group.family), plain(group.variant), *rate, *(str(count) for count in ends))
    return table


def _behaviour(groups: list[Group], has_replies: bool) -> Table:
    titles = ("failed turns", "rejected", "unknown", *(("asked again", "malformed") if has_replies else ()))
    table = light_table(("family", "left"), ("variant", "left"), *((title, RIGHT) for title in titles))
    for group in groups:
        replies = (group.reasks, group.malformed) if has_replies else ()
        means = (group.failed_turns, group.rejected, group.unknown, *replies)
        table.add_row(plain(group.family), plain(group.variant), *(numbers.mean(value) for value in means))
    return table


def _effects(effects: list[Effect]) -> Table:
    table = light_table(("family", "left"), ("effect", "left"), ("points", "left"), ("pairs", "right"), ("", "left"))
    for effect in effects:
        note = "" if effect.note == "no pairs" else effect.note
        table.add_row(plain(effect.family), effect.name, numbers.effect(effect), str(effect.n), note)
    return table


def _exclusions(groups: list[Group]) -> list[Text]:
    """One line a group with exclusions: how many by reason, and what they could have made of the rate."""
    return [
        Text(
            visible(
                f"  {group.family} {group.variant}: excluded {numbers.excluded(group)}; bounds {numbers.bounds(group)}"
            )
        )
        for group in groups
        if group.n_excluded
    ]
