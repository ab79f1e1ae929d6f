"""The small games of `random_games` solved by listing every strategy: slow, and sharing nothing with the solver.

A pure strategy of a party names a move at the start and one for each pair of moves that can be seen there (what the
other did is public, an illegal move is never chosen).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
from scipy.optimize import linprog

from conflictbench.scenario_specs.parties.tables import JointTables

Pair = tuple[int, int]
Strategy = tuple[int, dict[Pair, int]]  # first move, then a move after each pair of first moves


def moves_of(tables: JointTables, party: int, state: int) -> list[int]:
    return [m for m in range(tables.n_moves[party]) if tables.legal[party][state, m]]


def first_pairs(tables: JointTables) -> list[Pair]:
    return list(product(moves_of(tables, 0, 0), moves_of(tables, 1, 0)))


def strategies(tables: JointTables, party: int) -> Iterator[Strategy]:
    pairs = first_pairs(tables)
    choices = [moves_of(tables, party, int(tables.next_state[0, i, r])) for i, r in pairs]
    for first in moves_of(tables, party, 0):
        for later in product(*choices):
            yield first, dict(zip(pairs, later, strict=True))


def paid(tables: JointTables, pair: Pair) -> tuple[int, int]:
    """Minus the costs of a legal pair of moves."""
    return -int(tables.cost[0][pair[0]]), -int(tables.cost[1][pair[1]])


def leaf(tables: JointTables, one: Pair, two: Pair) -> tuple[int, int, int]:
    """Payoffs and the human outcome after two turns."""
    middle = int(tables.next_state[0, one[0], one[1]])
    end = int(tables.next_state[middle, two[0], two[1]])
    a, b = paid(tables, one), paid(tables, two)
    mine, other = (int(tables.worth[end, p]) + a[p] + b[p] for p in (0, 1))
    return mine, other, int(tables.latched[end, 0])


def outcome(tables: JointTables, mine: Strategy, other: Strategy) -> tuple[int, int, int]:
    one = (mine[0], other[0])
    return leaf(tables, one, (mine[1][one], other[1][one]))


def matrix(tables: JointTables, column: int) -> np.ndarray:
    """The normal form: (strategies of the incumbent, of the requester); `column` 0, 1 payoffs, 2 human."""
    other = list(strategies(tables, 1))
    return np.array([[outcome(tables, a, b)[column] for b in other] for a in strategies(tables, 0)], float)


def value(game: np.ndarray) -> float:
    """Value of a matrix game for the chooser of rows, by the programme of the chooser of columns."""
    rows, columns = game.shape
    result = linprog(
        c=np.append(np.zeros(columns), 1.0),
        A_ub=np.hstack([game, -np.ones((rows, 1))]),
        b_ub=np.zeros(rows),
        A_eq=np.append(np.ones(columns), 0.0)[None, :],
        b_eq=[1.0],
        bounds=[(0, None)] * columns + [(None, None)],
    )
    assert result.success
    return float(result.fun)


def stable_pairs(tables: JointTables, one: Pair) -> list[tuple[int, int, int]]:
    """Payoffs of the pure equilibria of the second turn, after the first pair `one`."""
    middle = int(tables.next_state[0, one[0], one[1]])
    own, others = moves_of(tables, 0, middle), moves_of(tables, 1, middle)
    at = {two: leaf(tables, one, two) for two in product(own, others)}
    return [
        at[i, r]
        for i, r in at
        if all(at[j, r][0] <= at[i, r][0] for j in own) and all(at[i, j][1] <= at[i, r][1] for j in others)
    ]


def subgame_perfect(tables: JointTables) -> set[tuple[int, int, int]] | None:
    """Payoffs of every pure profile from which nobody gains by another move at the start or after any first pair.

    None if the second turn has no pure equilibrium after some first pair.
    """
    pairs = first_pairs(tables)
    stable = [stable_pairs(tables, one) for one in pairs]
    if not all(stable):
        return None
    found = set()
    for profile in product(*stable):
        after = dict(zip(pairs, profile, strict=True))
        for i, r in pairs:
            mine = all(after[j, r][0] <= after[i, r][0] for j in moves_of(tables, 0, 0))
            if mine and all(after[i, j][1] <= after[i, r][1] for j in moves_of(tables, 1, 0)):
                found.add(after[i, r])
    return found
