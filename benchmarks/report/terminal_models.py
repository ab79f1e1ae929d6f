"""Terminal lines about repetition and about what calls to a language model took. Own design."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from conflictbench.benchmarks.report import numbers
from conflictbench.benchmarks.report.model import RunHead
from conflictbench.benchmarks.report.terminal_table import light_table, plain
from conflictbench.benchmarks.report.visible import visible
from conflictbench.benchmarks.summary import EpochFigures, UsageFigures

EPOCHS_LEGEND = (
    "Epochs: TSR over all of them; worst: human in every epoch of a scenario and seed; flips: in some and not in "
    "others."
)


def print_epochs(figures: Sequence[EpochFigures], console: Console) -> None:
    """Print the worst epochs of one agent; nothing where none was repeated."""
    if not figures:
        return
    shown = light_table(
        ("family", "left"),
        ("variant", "left"),
        ("epochs", "right"),
        ("TSR", "right"),
        ("worst", "right"),
        ("", "right"),
        ("", "left"),
        ("flips", "right"),
        ("left out", "right"),
    )
    for row in figures:
        shown.add_row(
            plain(row.family),
            plain(row.variant),
            str(row.epochs),
            numbers.short_rate(row.every),
            *numbers.rate_parts(row.worst),
            numbers.short_rate(row.flips),
            str(row.incomplete or "-"),
        )
    console.print()
    console.print(shown)


def print_usage(figures: Sequence[UsageFigures], console: Console) -> None:
    """Print what the calls of one agent took; nothing where no model was asked."""
    for row in figures:
        console.print()
        console.print(Text(visible(f"Calls to the model, every attempt: {numbers.usage(row)}"), style="dim"))
        if lost := row.of_dropped:
            console.print(Text(f"Calls of dropped episodes, beside those: {numbers.usage(lost)}", style="dim"))


def print_asking(runs: Sequence[RunHead], console: Console) -> None:
    """Print how the model of one agent was asked; nothing where none is."""
    for words in dict.fromkeys(run.asking.words for run in runs if run.asking is not None):
        console.print(Text(visible(f"Asked with: {words}"), style="dim"))
