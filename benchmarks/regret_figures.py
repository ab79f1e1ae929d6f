"""Regret rates. ConflictBench section 5 and appendix C.3: of the human outcomes reached, those then taken back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from conflictbench.benchmarks.summary import Rate, RegretFigures
from conflictbench.types import EpisodeRecord, Status


def regret_figures(agent: str, variant: str, final: Sequence[EpisodeRecord]) -> Iterator[RegretFigures]:
    """Figures over all scenarios, then over each.

    Args:
        agent, variant: names put on the results.
        final: final attempts of one agent at regret tests of one variant; none gives nothing.
    """
    if final:
        yield _figures(agent, variant, None, final)
    for scenario in sorted({record.key.scenario for record in final}):
        yield _figures(agent, variant, scenario, [record for record in final if record.key.scenario == scenario])


def _figures(agent: str, variant: str, scenario: str | None, final: Sequence[EpisodeRecord]) -> RegretFigures:
    counted = [record for record in final if record.status.counts]
    reached = [record for record in counted if record.regret_applicable]
    stages = Counter(record.regret_stage for record in reached)
    regretted = len(reached) - stages[None]
    undecided = sum(record.status is not Status.COMPLETED for record in reached)
    persisted = len(reached) - regretted - undecided
    return RegretFigures(
        agent=agent,
        variant=variant,
        scenario=scenario,
        reached=Rate.of(len(reached), len(counted)),
        stood=Rate.of(persisted, len(counted)),
        regretted=Rate.of(regretted, len(reached)),
        stages=(stages[1], stages[2], stages[3]),
        persisted=persisted,
        undecided=undecided,
        n_excluded=len(final) - len(counted),
    )
