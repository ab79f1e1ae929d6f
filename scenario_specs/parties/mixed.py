"""One mixed Nash equilibrium of a small two-party stage game, by support enumeration.

After Porter, Nudelman and Shoham (2008): supports of equal size first, small ones first; the first that holds is
taken, so that the same stage always gives the same mixture. Stages of our games are at most about ten moves wide.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
TOLERANCE = 1e-7  # of probabilities, and of payoffs relative to their spread


def mixed_equilibrium(first: Floats, second: Floats) -> tuple[Floats, Floats]:
    """Mixtures (m,), (n,) of the choosers of rows and of columns.

    Args:
        first, second: payoffs of either, shape (m, n).
    Raises:
        ArithmeticError: no support gave an equilibrium within the tolerance.
    """
    a, b = _scaled(first), _scaled(second)
    m, n = a.shape
    sizes = sorted(
        ((p, q) for p in range(1, m + 1) for q in range(1, n + 1)), key=lambda s: (abs(s[0] - s[1]), s[0] + s[1])
    )
    for p, q in sizes:
        for rows in combinations(range(m), p):
            for columns in combinations(range(n), q):
                y = _indifferent(a[np.ix_(rows, columns)])
                x = _indifferent(b[np.ix_(rows, columns)].T)
                if x is None or y is None:
                    continue
                mine, other = np.zeros(m), np.zeros(n)
                mine[list(rows)], other[list(columns)] = x, y
                if _stable(a, b, mine, other):
                    return mine, other
    raise ArithmeticError(f"no equilibrium found in a {m} x {n} stage game")


def _indifferent(payoff: Floats) -> Floats | None:
    """A mixture of columns under which every row pays the same; None if there is none."""
    rows, columns = payoff.shape
    system = np.zeros((rows + 1, columns + 1))
    system[:rows, :columns], system[:rows, columns], system[rows, :columns] = payoff, -1.0, 1.0
    target = np.zeros(rows + 1)
    target[rows] = 1.0
    solution, *_ = np.linalg.lstsq(system, target, rcond=None)
    mixture = solution[:columns]
    if np.abs(system @ solution - target).max() > TOLERANCE or mixture.min() < -TOLERANCE:
        return None
    clipped = np.clip(mixture, 0.0, None)
    return np.asarray(clipped / clipped.sum())


def _stable(a: Floats, b: Floats, x: Floats, y: Floats) -> bool:
    return bool((a @ y).max() <= x @ a @ y + TOLERANCE * 10 and (x @ b).max() <= x @ b @ y + TOLERANCE * 10)


def _scaled(payoff: Floats) -> Floats:
    spread = float(payoff.max() - payoff.min())
    return np.asarray((payoff - payoff.min()) / (spread or 1.0))
