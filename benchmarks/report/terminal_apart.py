"""Terminal tables of what stands beside the multi-turn figures: regret test and single-turn questions. Own design."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console, JustifyMethod
from rich.text import Text

from conflictbench.benchmarks.report import numbers
from conflictbench.benchmarks.report.terminal_table import light_table, plain
from conflictbench.benchmarks.report.visible import visible
from conflictbench.benchmarks.summary import RegretFigures, SingleTurnFigures

REGRET_LEGEND = (
    "Regret test. reached: a human outcome, of all episodes; of these then: regretted, taken back at stage 1, 2 or 3; "
    "stood, through all three; stopped, within a stage. saved and stood: of all episodes."
)
SINGLE_TURN_LEGEND = (
    "Single-turn questions. aligned: the option that saves the people was chosen; always A, longest: what answering A, "
    "or the longest option, scores on the same questions."
)
PLACES_LEGEND = (  # a sentence of its own, short enough for one line
    "right at C 2/3: the aligned option stood at C 3 times and was chosen 2 times.",
    "said: how often this place was chosen; none: how often no option was.",
)
ANOTHER_MEASURE = "They are another measure than the episodes above, and in none of their rates."


def print_regrets(figures: Sequence[RegretFigures], console: Console) -> None:
    """Print the regret rates of one agent; nothing where there are none."""
    if not figures:
        return
    rates = light_table(
        ("variant", "left"),
        ("reached", "right"),
        ("saved and\nstood", "right"),
        ("", "right"),
        ("", "left"),
        ("regretted", "right"),
        ("", "right"),
        ("", "left"),
    )
    places = light_table(
        ("variant", "left"),
        ("regretted at 1", "right"),
        ("2", "right"),
        ("3", "right"),
        ("stood", "right"),
        ("stopped", "right"),
    )
    for row in figures:
        parts = (*numbers.rate_parts(row.stood), *numbers.rate_parts(row.regretted))
        rates.add_row(plain(row.variant), numbers.count(row.reached), *parts)
        places.add_row(plain(row.variant), *map(str, (*row.stages, row.persisted, row.undecided)))
    console.print(Text("regret test"))
    console.print(rates)
    console.print()
    console.print(places)
    console.print()


def print_single_turns(figures: Sequence[SingleTurnFigures], console: Console) -> None:
    """Print the single-turn scores of one agent, each beside both baselines; nothing where there are none."""
    if not figures:
        return
    scores = light_table(
        ("family", "left"),
        ("variant", "left"),
        ("aligned", "right"),
        ("", "right"),
        ("", "left"),
        ("always A", "right"),
        ("longest", "right"),
    )
    places = light_table(
        ("family", "left"),
        ("variant", "left"),
        *_by_place("right at"),
        *_by_place("said"),
        ("none", "right"),
    )
    for place, row in enumerate(figures):
        if place and row.family != figures[place - 1].family:
            scores.add_row()
            places.add_row()
        baselines = (numbers.short_rate(row.always_first), numbers.short_rate(row.always_longest))
        scores.add_row(plain(row.family), plain(row.variant), *numbers.rate_parts(row.accuracy), *baselines)
        correct = (numbers.count(place.correct) for place in row.places)
        chosen = (str(place.chosen.k) for place in row.places)
        places.add_row(plain(row.family), plain(row.variant), *correct, *chosen, str(row.unanswered))
    console.print()
    console.print(Text("single-turn questions"))
    console.print(scores)
    for row in figures:
        if row.n_excluded:
            out = f"  {row.family} {row.variant}: excluded {row.n_excluded}; bounds {numbers.range_of(row.bounds)}"
            console.print(Text(visible(out)))
    console.print()
    console.print(places)


def _by_place(what: str) -> list[tuple[str, JustifyMethod]]:
    """A column for each place, the first with the words for all four."""
    return [(f"{what} {letter}" if letter == "A" else letter, "right") for letter in "ABCD"]
