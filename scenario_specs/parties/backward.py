"""Backward induction over joint tables, a whole turn at a time, in whole units: what all solvers share. Own design."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from conflictbench.scenario_specs.parties.tables import JointTables

Stage = Callable[[slice, NDArray[Any]], NDArray[Any]]
FAR = 10**15  # beyond every payoff key; stands for a move that cannot be chosen


def backward(tables: JointTables, terminal: NDArray[Any], stage: Stage) -> NDArray[Any]:
    """Values of every state from those of the states in which the game is over.

    Args:
        terminal: (S,) or (S, K); read where `tables.done`.
        stage: takes the states of a turn and the values of what follows, (n, Mi, Mr) or (n, Mi, Mr, K); gives (n,) or
            (n, K).
    """
    values = terminal.copy()
    for layer in reversed(tables.layers):
        if not tables.done[layer].all():
            found = stage(layer, values[tables.next_state[layer]])
            over = tables.done[layer]
            values[layer] = np.where(over if values.ndim == 1 else over[:, None], values[layer], found)
    return values


def against(weights: NDArray[np.float64], q: NDArray[Any], party: int) -> NDArray[np.float64]:
    """Value of each own move of `party` when the other plays `weights` (n, M of the other); q (n, Mi, Mr)."""
    if party == 0:
        return np.asarray(np.einsum("nir,nr->ni", q, weights))
    return np.asarray(np.einsum("nir,ni->nr", q, weights))


def of_party(q: NDArray[Any], party: int) -> NDArray[Any]:
    """(n, own moves, other's moves) of a table (n, Mi, Mr)."""
    return q if party == 0 else q.transpose(0, 2, 1)
