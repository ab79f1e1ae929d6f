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


def table(figures: Mapping[str, Sequence[float]], unit: str, goals: Sequence[Goal]) -> str:
    """Medians of every case, then the goals with the median and the range of their ratios over the rounds."""
    width = max(len(name) for name in figures)
    lines = [f"{name:<{width}}  {median(values):>12,.4g} {unit}" for name, values in figures.items()]
    lines.append("")
    for goal in goals:
        values = ratios(figures, goal.case, goal.anchor)
        middle = median(values)
        reached = middle <= goal.ratio if goal.at_most else middle >= goal.ratio
        wanted = f"{'at most' if goal.at_most else 'at least'} {goal.ratio:g}"
        lines.append(
            f"{goal.case} / {goal.anchor}: {middle:.3g} ({min(values):.3g} to {max(values):.3g}), "
            f"goal {wanted}: {'reached' if reached else 'not reached'}"
        )
    return "\n".join(lines)
