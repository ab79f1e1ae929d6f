"""Guaranteed values: one party against the worst the other can do, exactly.

Backward induction over stage games (Shapley 1953, finite horizon). Where a stage has a pure saddle point its value is
a whole number of units; elsewhere a linear programme gives value and mixture.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from conflictbench.scenario_specs.parties.backward import FAR, backward, of_party
from conflictbench.scenario_specs.parties.tables import JointTables

TOLERANCE = 1e-6  # in units, of a linear programme


@dataclass(frozen=True, kw_only=True, eq=False)
class Guaranteed:
    """What a party can make sure of, from every state."""

    party: int
    value: NDArray[np.float64]  # (S,) in units
    good: NDArray[np.bool_]  # (S, M) pure moves that secure the value; none where only a mixture does
    mixture: NDArray[np.float64]  # (S, M) rows of zeros where a pure move does
    programmes: int  # stages without a pure saddle point


def guaranteed(tables: JointTables, party: int) -> Guaranteed:
    """Maximin of a party's own payoff."""
    return zero_sum(tables, tables.worth[:, party].astype(np.float64), party, tables.reward[party])


def contest(tables: JointTables) -> Guaranteed:
    """The human outcome as a fight: 1 if it comes true; the requester is for it, the incumbent against."""
    return zero_sum(tables, tables.latched[:, 0].astype(np.float64), 1, None)


def zero_sum(
    tables: JointTables, terminal: NDArray[np.float64], party: int, reward: NDArray[np.int64] | None
) -> Guaranteed:
    """Value of the game in which `party` wants the payoff and the other wants the opposite.

    Args:
        terminal: (S,) payoff where the game is over.
        reward: (S, Mi, Mr) payoff at once; None for none.
    """
    mine, other = tables.legal[party], tables.legal[1 - party]
    good = np.zeros_like(mine)
    mixture = np.zeros(mine.shape)
    solved: dict[bytes, tuple[float, NDArray[np.float64]]] = {}
    programmes = 0

    def stage(layer: slice, following: NDArray[np.float64]) -> NDArray[np.float64]:
        nonlocal programmes
        q = of_party(following if reward is None else following + reward[layer], party)
        a, b = mine[layer][:, :, None], other[layer][:, None, :]
        worst = np.where(b, q, FAR).min(axis=2)  # of each own move
        worst = np.where(mine[layer], worst, -FAR)
        best = np.where(other[layer], np.where(a, q, -FAR).max(axis=1), FAR)  # of each move of the other
        low, high = worst.max(axis=1), best.min(axis=1)
        value = low.copy()
        good[layer] = worst >= low[:, None] - TOLERANCE
        for n in np.flatnonzero((high - low > TOLERANCE) & ~tables.done[layer]):
            programmes += 1
            rows, columns = np.flatnonzero(mine[layer][n]), np.flatnonzero(other[layer][n])
            matrix = q[n][np.ix_(rows, columns)]
            key = np.ascontiguousarray(matrix).tobytes() + bytes(matrix.shape)
            if key not in solved:
                solved[key] = solve_matrix(matrix)
            state = layer.start + n
            value[n], weights = solved[key]
            good[state] = False
            mixture[state, rows] = weights
        return np.asarray(value)

    values = backward(tables, terminal, stage)
    return Guaranteed(party=party, value=values, good=good, mixture=mixture, programmes=programmes)


def solve_matrix(matrix: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
    """Value of a matrix game for the chooser of rows, and a mixture of rows that secures it."""
    from scipy.optimize import linprog

    rows, columns = matrix.shape
    shift = float(matrix.min())
    scale = float(matrix.max()) - shift or 1.0
    scaled = (matrix - shift) / scale
    # Variables: the mixture and the value v. Maximise v with v <= mixture @ column for every column.
    result = linprog(
        c=np.append(np.zeros(rows), -1.0),
        A_ub=np.hstack([-scaled.T, np.ones((columns, 1))]),
        b_ub=np.zeros(columns),
        A_eq=np.append(np.ones(rows), 0.0)[None, :],
        b_eq=[1.0],
        bounds=[(0.0, None)] * rows + [(None, None)],
        method="highs",
    )
    if not result.success:
        raise ArithmeticError(f"the linear programme of a {rows} x {columns} game failed: {result.message}")
    weights = np.clip(result.x[:-1], 0.0, None)
    return float(result.x[-1]) * scale + shift, np.asarray(weights / weights.sum())


def out_of_reach(tables: JointTables, moves: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """States from which an incumbent that plays `moves` (S, Mi) only can keep the human outcome false for good.

    It answers without knowing the requester's move of the turn, and without chance: a pure policy against any
    requester. Where none of the moves is legal it holds.
    """

    def stage(layer: slice, following: NDArray[np.bool_]) -> NDArray[np.bool_]:
        reached = (following & tables.legal[1][layer][:, None, :]).any(axis=2)  # (n, Mi) some requester gets there
        may = moves[layer] & tables.legal[0][layer]
        return np.asarray(np.where(may, reached, True).all(axis=1))

    return np.asarray(~backward(tables, tables.latched[:, 0], stage))
