"""The report as a table for a terminal of 80 columns, plain where it is piped. Own design, drawn with rich."""

from __future__ import annotations

from rich import box
from rich.console import Console, JustifyMethod
from rich.table import Table
from rich.text import Text

from conflictbench.benchmarks.report import numbers
from conflictbench.benchmarks.report.model import NO_OUTCOME, Report, ending_counts
from conflictbench.benchmarks.report.visible import visible
from conflictbench.benchmarks.summary import Effect, Group
from conflictbench.types import Label


def print_table(report: Report, console: Console) -> None:
    """Print per agent: rates and endings by family and variant, what was excluded, behaviour and effects overall."""
    whole = report.families[-1:]
    for note in report.notes:
        console.print(Text(f"Note: {visible(note)}", style="yellow"))
    for agent in report.agents:
        groups = [group for group in report.summary.groups if group.agent == agent and group.family in report.families]
        effects = [effect for effect in report.summary.effects if effect.agent == agent and effect.family in whole]
        console.print()
        console.print(Text(visible(agent), style="bold"))
        console.print(_rates(groups))
        for line in _exclusions(groups):
            console.print(line)
        console.print()
        console.print(_behaviour([group for group in groups if group.family in whole]))
        if effects:
            console.print()
            console.print(_effects(effects))
    console.print()
    for run in report.runs:
        for note in run.notes:
            console.print(Text(f"{visible(run.name)}: {visible(note)}", style="dim"))
    console.print(Text(_LEGEND, style="dim"))


_LEGEND = (
    "human: k/n, percent and Wilson 95 % interval of episodes that ended in a human outcome. no end: truncated, "
    "refused, unparsed, cut off, context overflow. Turns of failed episodes, rejected and unknown are means. "
    "Effects: percentage points over pairs of episodes, with a bootstrap 95 % interval."
)


def _table(*columns: tuple[str, JustifyMethod]) -> Table:
    """A light table; a column is a title and how it is set."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
    for title, justify in columns:
        table.add_column(title, justify=justify, no_wrap=True)
    return table


def _rates(groups: list[Group]) -> Table:
    table = _table(
        ("family", "left"),
        ("variant", "left"),
        ("human", "right"),
        ("", "right"),
        ("", "left"),
        ("default", "right"),
        ("choice", "right"),
        ("both", "right"),
        ("no end", "right"),
    )
    for place, group in enumerate(groups):
        if place and group.family != groups[place - 1].family:
            table.add_row()
        counts = ending_counts(group)
        unended = sum(counts[ending] for ending in NO_OUTCOME)
        others = (counts[Label.AGENT_BY_DEFAULT], counts[Label.AGENT_BY_CHOICE], counts[Label.BOTH_LOSE], unended)
        rate = numbers.rate_parts(group.tsr)
        table.add_row(_plain(group.family), _plain(group.variant), *rate, *(str(count) for count in others))
    return table


def _behaviour(groups: list[Group]) -> Table:
    table = _table(
        ("family", "left"), ("variant", "left"), ("failed turns", "right"), ("rejected", "right"), ("unknown", "right")
    )
    for group in groups:
        means = (group.failed_turns, group.rejected, group.unknown)
        table.add_row(_plain(group.family), _plain(group.variant), *(numbers.mean(value) for value in means))
    return table


def _effects(effects: list[Effect]) -> Table:
    table = _table(("family", "left"), ("effect", "left"), ("points", "left"), ("pairs", "right"), ("", "left"))
    for effect in effects:
        note = "" if effect.note == "no pairs" else effect.note
        table.add_row(_plain(effect.family), effect.name, numbers.effect(effect), str(effect.n), note)
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


def _plain(text: str) -> Text:
    # A `Text` keeps rich from reading square brackets in a name as markup.
    return Text(visible(text))
