"""What a pair came to from one start: worked out for bots, measured for a play. Own design.

A sample of a mixed pair of bots is an expectation: its figures are exact, and its regret, which does not add up along
a play, is a mean over plays drawn with fixed seeds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from conflictbench.benchmarks.crossplay.course import follow, measure, regret_of
from conflictbench.benchmarks.crossplay.exact import Figures, figures_at, pair_values
from conflictbench.benchmarks.crossplay.facts import GameFacts
from conflictbench.benchmarks.crossplay.play_record import PlayRecord
from conflictbench.scenario_specs.parties.policies import Policy
from conflictbench.scenario_specs.parties.tables import JointStart

DRAWS = 64  # plays of a mixed pair from each start, for its regret; their mean is off by about an eighth of the spread


@dataclass(frozen=True, kw_only=True)
class Sample:
    """A pair from one start."""

    scenario: str
    kind: str  # class of the scenario
    first: int  # party served first in the first turn
    figures: Figures
    scaled: tuple[float | None, float | None]
    collateral: float | None
    regret: tuple[float, float]
    exact: bool  # an expectation, and no play
    drawn: bool  # its regret is a mean over drawn plays


def exact_samples(facts: GameFacts, incumbent: Policy, requester: Policy) -> Iterator[Sample]:
    """One of each start, of two bots."""
    values = pair_values(facts.measures, incumbent, requester)
    mixed = not (incumbent.deterministic and requester.deterministic)
    for start in facts.starts:
        figures = figures_at(values, start.state)
        regret = _mean_regret(facts, incumbent, requester, start.state, DRAWS if mixed else 1)
        yield _sample(facts, start, figures, regret, exact=True, drawn=mixed)


def played_sample(facts: GameFacts, record: PlayRecord) -> Sample:
    """Of a play that came to its end."""
    start = facts.starts[record.key.start]
    course = follow(facts.measures, start.state, record.moves)
    figures = measure(facts.measures, course)
    return _sample(facts, start, figures, regret_of(facts.measures, course, figures), exact=False, drawn=False)


def _sample(
    facts: GameFacts, start: JointStart, figures: Figures, regret: tuple[float, float], *, exact: bool, drawn: bool
) -> Sample:
    return Sample(
        scenario=facts.joint.id,
        kind=facts.kind,
        first=start.first,
        figures=figures,
        scaled=(
            facts.scaled(0, start.state, figures.incumbent),
            facts.scaled(1, start.state, figures.requester),
        ),
        collateral=facts.collateral(start.state, figures),
        regret=regret,
        exact=exact,
        drawn=drawn,
    )


def _mean_regret(facts: GameFacts, incumbent: Policy, requester: Policy, state: int, draws: int) -> tuple[float, float]:
    """Mean hindsight regret over so many plays."""
    found = np.zeros((draws, 2))
    known: dict[tuple[tuple[int, int], ...], tuple[float, float]] = {}
    for draw in range(draws):
        moves = tuple(drawn_moves(facts, (incumbent, requester), state, draw))
        if moves not in known:
            course = follow(facts.measures, state, moves)
            known[moves] = regret_of(facts.measures, course, measure(facts.measures, course))
        found[draw] = known[moves]
    mine, other = found.mean(axis=0).tolist()
    return mine, other


def drawn_moves(facts: GameFacts, pair: tuple[Policy, Policy], state: int, seed: int) -> Iterator[tuple[int, int]]:
    """The moves of one play of two policies, each drawn from its weights."""
    tables, random = facts.joint.tables, np.random.default_rng(seed)
    cumulative = [policy.weights.cumsum(axis=1) for policy in pair]
    while not tables.done[state]:
        draws = random.random(2)
        i, r = (
            min(int(np.searchsorted(total[state], draw, side="right")), total.shape[1] - 1)
            for total, draw in zip(cumulative, draws, strict=True)
        )
        yield i, r
        state = int(tables.next_state[state, i, r])
