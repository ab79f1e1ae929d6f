"""Markov correlated equilibria of a joint game, best and worst for both together, by linear programmes.

Aumann (1974); in each state one programme over distributions of joint moves, with the value of the chosen equilibrium
in what follows. The statewise worst one is not a bound on the worst equilibrium: see docs/two-party.md ("Method").
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from conflictbench.scenario_specs.parties.backward import backward
from conflictbench.scenario_specs.parties.tables import JointTables

Floats = NDArray[np.float64]
TOLERANCE = 1e-6


@dataclass(frozen=True, kw_only=True, eq=False)
class Correlated:
    """Payoffs of one Markov correlated equilibrium from every state, and the number of programmes it took."""

    payoffs: Floats  # (S, 2) in units
    programmes: int


def correlated_equilibrium(tables: JointTables, *, best: bool) -> Correlated:
    """The one that is statewise best (or worst) for both together."""
    sign = 1.0 if best else -1.0
    solved: dict[bytes, Floats] = {}
    programmes = 0

    def stage(layer: slice, following: NDArray[Any]) -> NDArray[Any]:
        nonlocal programmes
        found = np.zeros((layer.stop - layer.start, 2))
        for n in np.flatnonzero(~tables.done[layer]):
            state = layer.start + n
            rows, columns = np.flatnonzero(tables.legal[0][state]), np.flatnonzero(tables.legal[1][state])
            grid = np.ix_(rows, columns)
            a = following[n, :, :, 0][grid] + tables.reward[0][state][grid]
            b = following[n, :, :, 1][grid] + tables.reward[1][state][grid]
            pure = _extreme_if_stable(a, b, sign)
            if pure is None:
                key = a.tobytes() + b.tobytes() + bytes(a.shape)
                if key not in solved:
                    programmes += 1
                    solved[key] = _programme(a, b, sign)
                pure = solved[key]
            found[n] = pure
        return found

    values = backward(tables, tables.worth.astype(np.float64), stage)
    return Correlated(payoffs=values, programmes=programmes)


def _extreme_if_stable(a: Floats, b: Floats, sign: float) -> Floats | None:
    """The joint move that no distribution can beat, if nobody would leave it: then no programme is needed."""
    total = sign * (a + b)
    stable = (a >= a.max(axis=0, keepdims=True) - TOLERANCE) & (b >= b.max(axis=1, keepdims=True) - TOLERANCE)
    best = stable & (total >= total.max() - TOLERANCE)
    if not best.any():
        return None
    i, r = np.unravel_index(int(np.argmax(best)), best.shape)
    return np.array([a[i, r], b[i, r]])


def _programme(a: Floats, b: Floats, sign: float) -> Floats:
    from scipy.optimize import linprog

    m, n = a.shape
    constraints = []
    for i in range(m):
        for other in range(m):
            if other != i:
                row = np.zeros((m, n))
                row[i] = a[other] - a[i]
                constraints.append(row.ravel())
    for r in range(n):
        for other in range(n):
            if other != r:
                row = np.zeros((m, n))
                row[:, r] = b[:, other] - b[:, r]
                constraints.append(row.ravel())
    scale = max(1.0, float(np.abs(a).max()), float(np.abs(b).max()))
    result = linprog(
        c=-sign * (a + b).ravel() / scale,
        A_ub=np.array(constraints) / scale if constraints else None,
        b_ub=np.zeros(len(constraints)) if constraints else None,
        A_eq=np.ones((1, m * n)),
        b_eq=[1.0],
        bounds=(0.0, None),
        method="highs",
    )
    if not result.success:
        raise ArithmeticError(f"the linear programme of a {m} x {n} stage game failed: {result.message}")
    return np.array([result.x @ a.ravel(), result.x @ b.ravel()])
