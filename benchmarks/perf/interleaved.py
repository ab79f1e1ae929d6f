"""Side-by-side timing: every case once a round, so that a busy machine slows all of them alike. Own design."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True, kw_only=True)
class Goal:
    """What a case is wanted to reach: a ratio to another case."""

    case: str
    anchor: str
    ratio: float
    at_most: bool  # True: the case should be at most `ratio` times the anchor; False: at least


def measure(cases: Mapping[str, Callable[[], float]], rounds: int) -> dict[str, list[float]]:
    """Run every case once a round.

    Args:
        cases: name -> function that does the work once and returns its figure (seconds, or steps a second).
        rounds: number of rounds, after one that is thrown away (caches, lazy imports).
    Returns:
        The figures of each case, one a round.
    """
    for case in cases.values():
        case()
    figures: dict[str, list[float]] = {name: [] for name in cases}
    for _ in range(rounds):
        for name, case in cases.items():
            figures[name].append(case())
    return figures


def ratios(figures: Mapping[str, Sequence[float]], case: str, anchor: str) -> list[float]:
    """The case's figure over the anchor's, round by round."""
    return [mine / theirs for mine, theirs in zip(figures[case], figures[anchor], strict=True)]


@dataclass(frozen=True, kw_only=True)
class Measured:
    """The figures of cases that took turns, and what is wanted of them."""

    title: str
    figures: Mapping[str, Sequence[float]]  # case -> one a round
    unit: str
    goals: Sequence[Goal] = ()

    def text(self) -> str:
        """As a terminal shows it."""
        return f"{self.title}\n\n{table(self.figures, self.unit, self.goals)}\n"

    def rows(self) -> list[str]:
        """The goals as rows of a table in Markdown: title, case, anchor, ratio with its range, goal, reached."""
        return [f"| {self.title} | {' | '.join(_cells(self.figures, goal))} |" for goal in self.goals]


def table(figures: Mapping[str, Sequence[float]], unit: str, goals: Sequence[Goal]) -> str:
    """Medians of every case, then the goals with the median and the range of their ratios over the rounds."""
    width = max(len(name) for name in figures)
    lines = [f"{name:<{width}}  {median(values):>12,.4g} {unit}" for name, values in figures.items()]
    lines.append("")
    for goal in goals:
        case, anchor, ratio, wanted, reached = _cells(figures, goal)
        lines.append(f"{case} / {anchor}: {ratio}, goal {wanted}: {reached}")
    return "\n".join(lines)


def _cells(figures: Mapping[str, Sequence[float]], goal: Goal) -> tuple[str, str, str, str, str]:
    """Case, anchor, median of the ratio with its range, what is wanted, whether it is reached."""
    values = ratios(figures, goal.case, goal.anchor)
    middle = median(values)
    reached = middle <= goal.ratio if goal.at_most else middle >= goal.ratio
    return (
        goal.case,
        goal.anchor,
        f"{middle:.3g} ({min(values):.3g} to {max(values):.3g})",
        f"{'at most' if goal.at_most else 'at least'} {goal.ratio:g}",
        "reached" if reached else "not reached",
    )
