"""The matrices: for each class of games and each pair, every figure over the starts of its games. Own design.

Classes are never pooled. Each start counts alike, and so does each play of it; intervals draw whole scenarios, for a
scenario's plays are no independent evidence. From fewer than `FEWEST` scenarios there is none: it would be as wide as
the scale, or, where they happen to agree, of no width. What is worked out has none either: nothing was sampled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from conflictbench.benchmarks.crossplay.exact import Figures
from conflictbench.benchmarks.crossplay.play_record import PlayRecord
from conflictbench.benchmarks.crossplay.samples import Sample
from conflictbench.benchmarks.intervals import clustered_bootstrap, wilson
from conflictbench.scenario_specs.parties.block import ROLES, Role

KINDS = ("sacrifice", "standoff", "sacrifice, hard", "standoff, hard")  # as they are shown; others behind them
FEWEST = 5  # scenarios that an interval over scenarios needs

Pair = tuple[str, str]


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A mean over starts or plays: of those that it is about."""

    total: float  # of the successes, or of the values
    n: float  # of what it is about: plays, or for an expectation how much of it
    low: float | None = None  # 95 %, over scenarios; None where nothing was sampled, or from fewer than FEWEST
    high: float | None = None

    @property
    def value(self) -> float | None:
        """The mean; None over nothing."""
        return self.total / self.n if self.n > 1e-9 else None


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One pair in one class of games."""

    kind: str
    incumbent: str
    requester: str
    scenarios: tuple[str, ...]
    samples: int  # starts of an exact cell, plays of another
    exact: bool
    regret_drawn: bool  # of an exact cell: its regret is a mean over drawn plays
    human: Figure
    task: Figure
    both: Figure
    scaled: tuple[Figure, Figure]  # own score of incumbent and requester
    payoff: tuple[Figure, Figure]
    yields: Figure
    yield_turn: Figure
    returns: Figure  # of those that could
    collateral: Figure  # of those with the human outcome
    regret: tuple[Figure, Figure]
    agreement: Figure  # of those with both outcomes
    by_first: Mapping[Role, tuple[float | None, float | None]]  # served first in turn 1 -> human, both
    left_out: Mapping[str, int] = field(default_factory=dict)  # status -> plays that are no result
    flagged: tuple[Mapping[str, int], Mapping[str, int]] = field(default_factory=lambda: ({}, {}))  # by role

    @property
    def swing(self) -> float:
        """Largest difference between first movers, of the human outcome and of both."""
        pairs = list(zip(*self.by_first.values(), strict=True))
        return max((abs(a - b) for a, b in pairs if a is not None and b is not None), default=0.0)


def make_cell(kind: str, pair: Pair, samples: Sequence[Sample], records: Iterable[PlayRecord] = ()) -> Cell:
    """The figures of a pair over its samples in one class.

    Args:
        records: last attempts of its plays, if it was played.
    """
    exact = bool(samples) and all(sample.exact for sample in samples)
    figures = [sample.figures for sample in samples]

    def over(values: Sequence[float | None], weights: Sequence[float] | None = None) -> Figure:
        return _figure(samples, values, [1.0] * len(values) if weights is None else weights, sampled=not exact)

    kept = list(records)
    return Cell(
        kind=kind,
        incumbent=pair[0],
        requester=pair[1],
        scenarios=tuple(sorted({sample.scenario for sample in samples})),
        samples=len(samples),
        exact=exact,
        regret_drawn=any(sample.drawn for sample in samples),
        human=over([one.human for one in figures]),
        task=over([one.task for one in figures]),
        both=over([one.both for one in figures]),
        scaled=(over([one.scaled[0] for one in samples]), over([one.scaled[1] for one in samples])),
        payoff=(over([one.incumbent for one in figures]), over([one.requester for one in figures])),
        yields=over([one.yielded for one in figures]),
        yield_turn=over([one.yield_turn for one in figures], [one.yielded for one in figures]),
        returns=over(
            [one.returned / one.may_return if one.may_return > 1e-12 else None for one in figures],
            [one.may_return for one in figures],
        ),
        collateral=over([one.collateral for one in samples], [one.human for one in figures]),
        regret=(over([one.regret[0] for one in samples]), over([one.regret[1] for one in samples])),
        agreement=over([one.agreement for one in figures], [one.both for one in figures]),
        by_first={role: _of_first(samples, party) for party, role in enumerate(ROLES)},
        left_out=dict(sorted(Counter(one.status.value for one in kept if not one.status.counts).items())),
        flagged=(_flagged(kept, 0), _flagged(kept, 1)),
    )


def _figure(
    samples: Sequence[Sample], values: Sequence[float | None], weights: Sequence[float], *, sampled: bool
) -> Figure:
    """A weighted mean; what has no value has no weight."""
    kept = [
        (sample.scenario, value, weight)
        for sample, value, weight in zip(samples, values, weights, strict=True)
        if value is not None and weight > 0
    ]
    interval = None
    if sampled:  # weights of plays are 0 or 1
        clusters: dict[str, list[float]] = {}
        for scenario, value, _ in kept:
            clusters.setdefault(scenario, []).append(value)
        interval = _over_scenarios(clusters)
    return Figure(
        total=sum(value * weight for _, value, weight in kept),
        n=sum(weight for _, _, weight in kept),
        low=None if interval is None else interval[0],
        high=None if interval is None else interval[1],
    )


def _over_scenarios(clusters: Mapping[str, Sequence[float]]) -> tuple[float, float] | None:
    """95 % over scenarios; None from fewer than `FEWEST`.

    Where all plays of all scenarios failed, or succeeded, there is nothing to draw from: each scenario then counts as
    one trial, for an interval of no width would claim what nobody knows.
    """
    if len(clusters) < FEWEST:
        return None
    values = {value for own in clusters.values() for value in own}
    if values in ({0.0}, {1.0}):
        return wilson(len(clusters) if values == {1.0} else 0, len(clusters))
    return clustered_bootstrap(clusters)


def _of_first(samples: Sequence[Sample], party: int) -> tuple[float | None, float | None]:
    own: list[Figures] = [sample.figures for sample in samples if sample.first == party]
    return (fmean(one.human for one in own), fmean(one.both for one in own)) if own else (None, None)


def _flagged(records: Sequence[PlayRecord], party: int) -> dict[str, int]:
    """What went wrong in a chair: choices without a choice by their status, moves rejected and bumped."""
    found: Counter[str] = Counter()
    for record in records:
        if record.outcome is not None and record.status.counts:
            side = record.outcome.incumbent if party == 0 else record.outcome.requester
            found.update(side.flagged)
            found.update({"rejected": side.rejected, "bumped": side.bumped})
    return {name: count for name, count in sorted(found.items()) if count}


@dataclass(frozen=True, kw_only=True)
class Standing:
    """One agent in one chair, against all others and against itself, in one class."""

    kind: str
    agent: str
    role: Role
    partners: int  # others with a figure: pairs of which no play counts are none
    cross: Figure  # own score, scaled, mean over the others: each pair counts alike
    human: Figure
    itself: float | None  # own score in self-play; None where it cannot sit in both chairs

    @property
    def gap(self) -> float | None:
        """Self-play minus cross-play."""
        return None if self.itself is None or self.cross.value is None else self.itself - self.cross.value


@dataclass(frozen=True, kw_only=True)
class Crossplay:
    """All that a run says."""

    agents: tuple[str, ...]
    incumbents: tuple[str, ...]
    requesters: tuple[str, ...]
    games: Mapping[str, tuple[str, ...]]  # class -> scenarios
    starts: Mapping[str, int]  # class -> starts
    cells: tuple[Cell, ...]
    talk: str
    solo: bool
    seeds: int
    models: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # agent -> ids that its provider answered as

    def cell(self, kind: str, incumbent: str, requester: str) -> Cell | None:
        """The cell of a pair; None where it was not asked for."""
        wanted = (kind, incumbent, requester)
        return next((one for one in self.cells if (one.kind, one.incumbent, one.requester) == wanted), None)

    def standings(self, kind: str) -> list[Standing]:
        """Each agent in each of its chairs."""
        found = []
        for party, role in enumerate(ROLES):
            for agent in (self.incumbents, self.requesters)[party]:
                own = [c for c in self.cells if c.kind == kind and (c.incumbent, c.requester)[party] == agent]
                others = [c for c in own if c.incumbent != c.requester]
                mine = next((c for c in own if c.incumbent == c.requester), None)
                if others or mine is not None:
                    cross = _mean([c.scaled[party].value for c in others])
                    found.append(
                        Standing(
                            kind=kind,
                            agent=agent,
                            role=role,
                            partners=round(cross.n),
                            cross=cross,
                            human=_mean([c.human.value for c in others]),
                            itself=None if mine is None else mine.scaled[party].value,
                        )
                    )
        return found


def _mean(values: Sequence[float | None]) -> Figure:
    known = [value for value in values if value is not None]
    return Figure(total=sum(known), n=len(known))


def in_order(kinds: Iterable[str]) -> list[str]:
    """Classes as they are shown."""
    return sorted(set(kinds), key=lambda kind: (KINDS.index(kind) if kind in KINDS else len(KINDS), kind))
