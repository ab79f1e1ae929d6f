"""What two policies come to from every state, exactly: payoffs, endings, and how they got there. Own design.

Source of the figures: docs/two-party.md ("Cross-play"). Everything adds up along a play, so one pass backwards over
the tables gives the expectation for any pair, mixed policies too; hindsight regret does not, and is in `hindsight.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from conflictbench.scenario_specs.parties.backward import backward
from conflictbench.scenario_specs.parties.bots import Population
from conflictbench.scenario_specs.parties.policies import Policy
from conflictbench.scenario_specs.parties.tables import JointTables, MoveEvent
from conflictbench.scenario_specs.parties.values import NEVER, fewest_turns
from conflictbench.scenario_specs.parties.worth import UNIT

Floats = NDArray[np.float64]

# Columns of the values that go backwards. `given` columns are sums over plays in which something happened: divided by
# the chance of that, they are its mean.
_INCUMBENT, _REQUESTER, _HUMAN, _TASK, _BOTH, _YIELDED, _YIELD_TURN, _CHANCE, _RETURNED, _SERVED, _STRAIGHT, _AGREED = (
    range(12)
)


@dataclass(frozen=True, kw_only=True)
class Figures:
    """A pair, or a play, from one start. Payoffs on the scale of the file; None is a mean over nothing."""

    incumbent: float  # payoff, costs taken off
    requester: float
    human: float  # chance, as the next two; 0 or 1 for a play
    task: float
    both: float
    yielded: float  # a concession took effect
    yield_turn: float | None  # the first one's, from 1, where there was one
    may_return: float  # the requester, served, had a move that leaves the incumbent better off than a hold would
    returned: float  # and played one
    payoff_if_human: float | None  # of the incumbent, where the human outcome came true
    agreement: float | None  # turns before play goes straight to both outcomes, where it ends in both


@dataclass(frozen=True, eq=False)
class Measures:
    """What is read off the tables of one game before anybody plays."""

    bots: Population

    @property
    def tables(self) -> JointTables:
        return self.bots.tables

    @cached_property
    def both_turns(self) -> NDArray[np.int64]:
        """(S,) fewest turns to both outcomes with both helping; NEVER where they cannot be had."""
        return fewest_turns(self.tables, self.tables.latched[:, 0] & self.tables.latched[:, 1])

    @cached_property
    def straight(self) -> NDArray[np.bool_]:
        """(S, Mi, Mr): the turn brings both outcomes one turn nearer."""
        here = self.both_turns[:, None, None]
        return np.asarray((here < NEVER) & (self.both_turns[self.tables.next_state] == here - 1))

    @cached_property
    def concedes(self) -> NDArray[np.bool_]:
        """(S, Mi, Mr): a concession takes effect."""
        tables = self.tables
        return np.asarray(tables.yields[None, :, None] & (tables.event(0) == MoveEvent.DONE))

    @cached_property
    def gives_back(self) -> NDArray[np.bool_]:
        """(S, Mr): once the human outcome stands, a move that leaves the incumbent better off than a hold would.

        Judged with the incumbent holding in that turn: it then holds something contested that it would not hold, or is
        sure of more, or could at best have more. So handing a thing back is covered and lending another one too, and
        nothing in a file has to say which moves those are.
        """
        tables = self.tables
        after = tables.next_state[:, 0, :]  # (S, Mr)
        better = np.zeros(after.shape, np.bool_)
        for value in (np.rint(self.bots.sure[0].value), self.best[0], *tables.holder[:, :, 0].T):
            better |= value[after] > value[after[:, :1]]
        served = tables.latched[:, 0] & ~tables.done
        return np.asarray(served[:, None] & tables.legal[1] & better)

    @cached_property
    def returns(self) -> NDArray[np.bool_]:
        """(S, Mi, Mr): such a move takes effect."""
        return np.asarray(self.gives_back[:, None, :] & (self.tables.event(1) == MoveEvent.DONE))

    @cached_property
    def best(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """(S,) each, in 1/UNIT: the most each party could have if both played for it alone."""
        return self._best(0), self._best(1)

    def _best(self, party: int) -> NDArray[np.int64]:
        tables = self.tables
        low = np.iinfo(np.int64).min // 4

        def stage(layer: slice, following: NDArray[Any]) -> NDArray[Any]:
            key = np.where(tables.allowed[layer], following + tables.reward[party][layer], low)
            return np.asarray(key.max(axis=(1, 2)))

        return backward(tables, tables.worth[:, party].astype(np.int64), stage)


def pair_values(measures: Measures, incumbent: Policy, requester: Policy) -> Floats:
    """Every figure from every state, (S, 12); `figures_at` reads a row."""
    tables = measures.tables
    human, task = tables.latched[:, 0], tables.latched[:, 1]
    final = np.zeros((tables.n_states, 12))
    final[:, _INCUMBENT], final[:, _REQUESTER] = tables.worth[:, 0], tables.worth[:, 1]
    final[:, _HUMAN], final[:, _TASK], final[:, _BOTH] = human, task, human & task
    final[:, _SERVED], final[:, _STRAIGHT] = tables.worth[:, 0] * human, human & task
    may_return = np.asarray(measures.gives_back.any(axis=1))

    def stage(layer: slice, following: NDArray[Any]) -> NDArray[Any]:
        after = following  # (n, Mi, Mr, K), ours to change
        turn = tables.turn[layer][:, None, None] + 1.0
        conceded, returned, straight = measures.concedes[layer], measures.returns[layer], measures.straight[layer]
        after[..., _SERVED] += tables.reward[0][layer] * after[..., _HUMAN]
        after[..., _INCUMBENT] += tables.reward[0][layer]
        after[..., _REQUESTER] += tables.reward[1][layer]
        after[..., _YIELD_TURN] = np.where(conceded, turn, after[..., _YIELD_TURN])
        after[..., _YIELDED][conceded] = 1.0
        after[..., _RETURNED][returned] = 1.0
        # the last turn that was not straight decides: those after it were, with the chance kept in _STRAIGHT
        after[..., _AGREED] += np.where(straight, 0.0, turn * after[..., _STRAIGHT])
        after[..., _STRAIGHT][~straight] = 0.0
        weights = incumbent.weights[layer], requester.weights[layer]
        values = np.einsum("nirk,ni,nr->nk", after, *weights, optimize=True)
        values[may_return[layer], _CHANCE] = 1.0
        return np.asarray(values)

    return backward(tables, final, stage)


def figures_at(values: Floats, state: int) -> Figures:
    """The figures of `pair_values` in one state."""
    row = [float(value) for value in values[state]]
    return Figures(
        incumbent=row[_INCUMBENT] / UNIT,
        requester=row[_REQUESTER] / UNIT,
        human=row[_HUMAN],
        task=row[_TASK],
        both=row[_BOTH],
        yielded=row[_YIELDED],
        yield_turn=_given(row[_YIELD_TURN], row[_YIELDED]),
        may_return=row[_CHANCE],
        returned=row[_RETURNED],
        payoff_if_human=_given(row[_SERVED] / UNIT, row[_HUMAN]),
        agreement=_given(row[_AGREED], row[_BOTH]),
    )


def _given(total: float, chance: float) -> float | None:
    """The mean over the plays in which it happened."""
    return total / chance if chance > 1e-12 else None
