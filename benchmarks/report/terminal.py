"""The report as a table for a terminal of 80 columns, plain where it is piped. Own design, drawn with rich."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console
from rich.table import Table
from rich.text import Text

from conflictbench.benchmarks.report import numbers
from conflictbench.benchmarks.report.model import (
    LABELS,
    UNUSABLE,
    UNUSABLE_PARTS,
    VARIANT_TITLES,
    Report,
    ending_counts,
    success_title,
)
from conflictbench.benchmarks.report.terminal_apart import (
    ANOTHER_MEASURE,
    PLACES_LEGEND,
    REGRET_LEGEND,
    SINGLE_TURN_LEGEND,
    print_regrets,
    print_single_turns,
)
from conflictbench.benchmarks.report.terminal_models import EPOCHS_LEGEND, print_asking, print_epochs, print_usage
from conflictbench.benchmarks.report.terminal_nothing import nothing_counted, print_why
from conflictbench.benchmarks.report.terminal_overview import print_overview
from conflictbench.benchmarks.report.terminal_table import RIGHT, light_table, plain
from conflictbench.benchmarks.report.unmoved import UNMOVED_NOTE
from conflictbench.benchmarks.report.visible import visible
from conflictbench.benchmarks.summary import Effect, Group
from conflictbench.types import Label, Status

_OTHERS = LABELS[1:]


def print_table(report: Report, console: Console) -> None:
    """Print the agents side by side, then of each: rates and endings, what was excluded, behaviour and effects."""
    with console.capture() as captured:
        _print(report, console)
    # rich fills the last column of a table, and the end of a wrapped line, with blanks
    console.file.write("\n".join(line.rstrip(" ") for line in captured.get().split("\n")))


def _print(report: Report, console: Console) -> None:
    whole = report.families[-1:]
    for note in report.notes:
        console.print(Text(f"Note: {visible(note)}", style="yellow"))
    print_overview(report, console)
    for agent in report.agents:
        groups = [group for group in report.summary.groups if group.agent == agent and group.family in report.families]
        effects = [effect for effect in report.summary.effects if effect.agent == agent and effect.family in whole]
        console.print()
        console.print(Text(visible(agent), style="bold"))
        for note in dict.fromkeys(note for run in report.runs if run.agent == agent for note in run.notes):
            console.print(Text(f"Note: {visible(note)}", style="dim"))
        if nothing_counted(report.summary, agent):
            print_why(report.summary, agent, console)
            print_usage([row for row in report.summary.usages if row.agent == agent], console)
            continue
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
    if all(nothing_counted(report.summary, agent) for agent in report.agents):
        return
    if report.agents:
        console.print()
    for sentence in _legend(report):
        console.print(Text(sentence, style="dim"))


def _legend(report: Report) -> Iterator[str]:
    """What the words of the tables mean; of each only where it is shown."""
    if report.variants:
        told = "; ".join(f"{name}: {VARIANT_TITLES.get(name, 'its own')}" for name in report.variants)
        yield f"Variants: {told}."
    if report.families:
        yield _legend_of_rates(report)
    if any(group.n_excluded for group in report.summary.groups):
        yield "Bounds: the rate had all excluded episodes failed, or all ended human."
    if any(effect.family in report.families for effect in report.summary.effects):
        yield "Effects: percentage points over pairs of episodes, with a bootstrap 95 % interval."
    if report.regrets:
        yield REGRET_LEGEND
    if any(row.family in report.families for row in report.summary.epochs):
        yield EPOCHS_LEGEND
    if report.summary.single_turns:
        yield f"{SINGLE_TURN_LEGEND} {ANOTHER_MEASURE}" if report.families else SINGLE_TURN_LEGEND
        yield from PLACES_LEGEND


def _legend_of_rates(report: Report) -> str:
    others = "".join(f" {label.words}: {label.meaning}." for label in _OTHERS)
    saved = "the same in the regret test, taken back afterwards or not"
    rate = {
        "TSR": f"TSR, task success rate: ended human ({Label.HUMAN.meaning})",
        "saved": f"saved: ended human ({Label.HUMAN.meaning}), taken back afterwards or not",
        "TSR or saved": f"TSR, task success rate: ended human ({Label.HUMAN.meaning}); saved: {saved}",
    }[success_title(report.families)]
    return (
        f"{rate}, k/n with Wilson's 95 % interval.{others} cap: that on interactions came first. no "
        f"reply: none that could be used ({UNUSABLE_PARTS}). Failed turns (where it did not end human), "
        "rejected, unknown: means."
    )


def _rates(groups: list[Group]) -> Table:
    table = light_table(
        ("family", "left"),
        ("variant", "left"),
        (success_title(group.family for group in groups), "left"),
        *((label.words.replace(" ", "\n"), RIGHT) for label in _OTHERS),
        ("cap", "right"),
        ("no\nreply", "right"),
    )
    rates = numbers.aligned_rates([group.tsr for group in groups])
    for place, (group, rate) in enumerate(zip(groups, rates, strict=True)):
        if place and group.family != groups[place - 1].family:
            table.add_row()
        counts = ending_counts(group)
        unusable = sum(counts[ending] for ending in UNUSABLE)
        ends = (*(counts[label] for label in _OTHERS), counts[Status.TRUNCATED], unusable)
        table.add_row(plain(group.family), plain(group.variant), plain(rate), *(str(count) for count in ends))
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
