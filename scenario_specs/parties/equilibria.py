"""Payoffs of every pure subgame-perfect equilibrium of a joint game, by backward induction on sets.

After Abreu, Pearce and Stacchetti (1990) for a finite horizon: a payoff can be kept up in a state if some joint move
and some continuation give it, and no party gains by another move once it is answered by the continuation that is worst
for it. Exact for strategies that may depend on the history of play. Where a stage has no pure equilibrium, one mixed
one stands in, with the continuations that are best for both together: an approximation, and counted.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from conflictbench.scenario_specs.parties.mixed import mixed_equilibrium
from conflictbench.scenario_specs.parties.tables import JointTables
from conflictbench.scenario_specs.parties.worth import UNIT

MAX_PAYOFFS = 400  # a state; more are thinned out, and that is counted

Rows = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True, eq=False)
class Equilibria:
    """For every state a set of (incumbent, requester, human) in units; human is UNIT where it comes true for sure."""

    tables: JointTables
    offset: Rows  # (S + 1,) the payoffs of state s are payoffs[offset[s]:offset[s + 1]]
    payoffs: Rows  # (P, 3), sorted within a state
    worst: tuple[Rows, Rows]  # (S,) least payoff of each party over the set
    mixed: NDArray[np.bool_]  # (S,) no pure equilibrium in the stage
    thinned: NDArray[np.bool_]  # (S,) more than MAX_PAYOFFS

    def of(self, state: int) -> Rows:
        """The payoffs of one state, (k, 3)."""
        return self.payoffs[self.offset[state] : self.offset[state + 1]]


def pure_equilibria(tables: JointTables) -> Equilibria:
    """Sets of payoffs for every state."""
    return _Sets(tables).run()


@dataclass
class _Expansion:
    """Every (joint move, continuation) of some states that is an equilibrium of its stage."""

    state: Rows  # (N,)
    move: Rows  # (N, 2)
    after: Rows  # (N,) index of the continuation among all payoffs
    payoff: Rows  # (N, 3)


class _Sets:
    def __init__(self, tables: JointTables) -> None:
        self.tables = tables
        n = tables.n_states
        self.sets: list[Rows] = [np.empty((0, 3), np.int64)] * n
        self.worst = np.zeros(n, np.int64), np.zeros(n, np.int64)
        self.mixed = np.zeros(n, np.bool_)
        self.thinned = np.zeros(n, np.bool_)

    def run(self) -> Equilibria:
        tables = self.tables
        over = np.flatnonzero(tables.done)
        human = tables.latched[:, 0].astype(np.int64) * UNIT
        ends = np.column_stack([tables.worth.astype(np.int64), human])
        for state in over:
            self._keep(int(state), ends[state : state + 1])
        for layer in reversed(tables.layers):
            running = np.arange(layer.start, layer.stop)[~tables.done[layer]]
            if running.size:
                self._layer(running)
        sizes = np.array([len(payoffs) for payoffs in self.sets])
        return Equilibria(
            tables=tables,
            offset=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
            payoffs=np.concatenate(self.sets),
            worst=self.worst,
            mixed=self.mixed,
            thinned=self.thinned,
        )

    def _keep(self, state: int, payoffs: Rows) -> None:
        self.sets[state] = payoffs
        self.worst[0][state], self.worst[1][state] = payoffs[:, 0].min(), payoffs[:, 1].min()

    def _layer(self, running: Rows) -> None:
        following = np.unique(self.tables.next_state[running])
        sizes = np.array([len(self.sets[s]) for s in following])
        offset = np.zeros(self.tables.n_states + 1, np.int64)
        offset[following + 1] = sizes
        offset = np.cumsum(offset)
        payoffs = np.concatenate([self.sets[s] for s in following])
        found = expand(self.tables, running, offset, payoffs, self.worst)
        keys = np.unique(np.column_stack([found.state, found.payoff]), axis=0)
        edges = np.searchsorted(keys[:, 0], np.append(running, running[-1] + 1))
        for n, state in enumerate(running.tolist()):
            mine = keys[edges[n] : edges[n + 1], 1:]
            if not len(mine):
                self.mixed[state] = True
                mine = self._stand_in(state)
            elif len(mine) > MAX_PAYOFFS:
                self.thinned[state] = True
                mine = _thin(mine)
            self._keep(state, mine)

    def _stand_in(self, state: int) -> Rows:
        """One mixed equilibrium of the stage, each continuation the best for both together."""
        tables = self.tables
        rows, columns = np.flatnonzero(tables.legal[0][state]), np.flatnonzero(tables.legal[1][state])
        stage = np.zeros((len(rows), len(columns), 3))
        for a, i in enumerate(rows):
            for b, r in enumerate(columns):
                options = self.sets[int(tables.next_state[state, i, r])]
                stage[a, b] = options[int(np.argmax(options[:, 0] + options[:, 1]))]
                stage[a, b, 0] += tables.reward[0][state, i, r]
                stage[a, b, 1] += tables.reward[1][state, i, r]
        x, y = mixed_equilibrium(stage[..., 0], stage[..., 1])
        expected = np.rint(np.einsum("a,b,abk->k", x, y, stage))
        return np.asarray(expected, np.int64)[None, :]


def expand(tables: JointTables, states: Rows, offset: Rows, payoffs: Rows, worst: tuple[Rows, Rows]) -> _Expansion:
    """Stage equilibria of `states` over the payoffs of what follows."""
    after = tables.next_state[states].astype(np.int64)
    allowed = tables.allowed[states]
    gain = [tables.reward[p][states] for p in (0, 1)]
    low = np.iinfo(np.int64).min // 4
    # Least that each move brings once the worst continuation answers it; the best of these is what a payoff must reach.
    mine = np.where(allowed, worst[0][after] + gain[0], low).max(axis=1)  # (n, Mr)
    other = np.where(allowed, worst[1][after] + gain[1], low).max(axis=2)  # (n, Mi)
    n, i, r = np.nonzero(allowed)
    following = after[n, i, r]
    first, size = offset[following], offset[following + 1] - offset[following]
    entry = np.repeat(np.arange(len(n)), size)
    place = np.arange(len(entry)) - np.repeat(np.cumsum(size) - size, size) + first[entry]
    reached = payoffs[place].copy()
    reached[:, 0] += gain[0][n, i, r][entry]
    reached[:, 1] += gain[1][n, i, r][entry]
    stable = (reached[:, 0] >= mine[n, r][entry]) & (reached[:, 1] >= other[n, i][entry])
    entry, place, reached = entry[stable], place[stable], reached[stable]
    return _Expansion(state=states[n[entry]], move=np.column_stack([i[entry], r[entry]]), after=place, payoff=reached)


def _thin(payoffs: Rows) -> Rows:
    """At most MAX_PAYOFFS of them, the extremes of either party and of both together among those kept."""
    total = payoffs[:, 0] + payoffs[:, 1]
    ends = {int(pick(column)) for column in (payoffs[:, 0], payoffs[:, 1], total) for pick in (np.argmin, np.argmax)}
    spread = np.linspace(0, len(payoffs) - 1, MAX_PAYOFFS - len(ends)).astype(int)
    return payoffs[sorted({*ends, *spread.tolist()})]


def moves_on_paths(equilibria: Equilibria, states: Rows) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Moves that are played on the path of some pure equilibrium from one of `states`: (Mi,), (Mr,)."""
    tables = equilibria.tables
    used = np.zeros(tables.n_moves[0], np.bool_), np.zeros(tables.n_moves[1], np.bool_)
    wanted = np.zeros(len(equilibria.payoffs), np.bool_)
    for state in states:
        wanted[equilibria.offset[state] : equilibria.offset[state + 1]] = True
    owner = np.repeat(np.arange(tables.n_states), np.diff(equilibria.offset))
    for layer in tables.layers:
        inside = np.flatnonzero(wanted[equilibria.offset[layer.start] : equilibria.offset[layer.stop]])
        inside += equilibria.offset[layer.start]
        on_path = np.unique(owner[inside])
        on_path = on_path[~tables.done[on_path] & ~equilibria.mixed[on_path]]
        if not on_path.size:
            continue
        found = expand(tables, on_path, equilibria.offset, equilibria.payoffs, equilibria.worst)
        targets = {(int(owner[e]), *map(int, equilibria.payoffs[e])) for e in inside}
        keys = np.column_stack([found.state, found.payoff])
        hit = np.array([tuple(key) in targets for key in keys.tolist()], np.bool_)
        used[0][found.move[hit, 0]] = True
        used[1][found.move[hit, 1]] = True
        wanted[found.after[hit]] = True
    return used
