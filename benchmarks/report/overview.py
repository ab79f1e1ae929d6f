"""The one rate of each agent under each variant, for setting agents side by side. Own design.

Multi-turn episodes over all families, the regret test and single-turn questions are three measures, so three tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from conflictbench.benchmarks.report.model import Report
from conflictbench.benchmarks.summary import ALL_FAMILIES, APART, Rate
from conflictbench.types import VARIANTS


@dataclass(frozen=True, kw_only=True)
class Overview:
    """A measure of agents by variant."""

    title: str  # "TSR over all families"
    agents: tuple[str, ...]
    variants: tuple[str, ...]
    rates: Mapping[tuple[str, str], Rate]  # by agent and variant, where that was played

    @property
    def has_figures(self) -> bool:
        """True if an episode counted."""
        return any(rate.n for rate in self.rates.values())


def overviews(report: Report) -> tuple[Overview, ...]:
    """One entry a measure that was taken, multi-turn episodes first."""
    summary = report.summary
    pooled = [family for family in report.families if family not in APART]
    whole = pooled[-1] if pooled else ""
    success = {(group.agent, group.variant): group.tsr for group in summary.groups if pooled and group.family == whole}
    stood = {(row.agent, row.variant): row.stood for row in report.regrets}
    aligned = {(row.agent, row.variant): row.accuracy for row in summary.single_turns}  # the whole comes last
    families = {row.family for row in summary.single_turns}
    asked = ALL_FAMILIES if len(families) > 1 else "".join(families)
    measures = (
        (f"TSR over {_over(whole)}", success),
        ("Regret test, saved and stood", stood),
        (f"Single-turn questions, aligned option, over {_over(asked)}", aligned),
    )
    return tuple(_overview(title, rates) for title, rates in measures if rates)


def _over(family: str) -> str:
    return "all families" if family == ALL_FAMILIES else family


def _overview(title: str, rates: Mapping[tuple[str, str], Rate]) -> Overview:
    played = {variant for _, variant in rates}
    return Overview(
        title=title,
        agents=tuple(dict.fromkeys(agent for agent, _ in rates)),
        variants=(*(name for name in VARIANTS if name in played), *sorted(played - set(VARIANTS))),
        rates=rates,
    )
