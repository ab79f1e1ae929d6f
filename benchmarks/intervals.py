"""Intervals for rates and for paired differences. Own design.

Sources: E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927), 209-212
(score interval, no continuity correction); A. C. Cameron, J. B. Gelbach and D. L. Miller, "Bootstrap-based improvements
for inference with clustered errors", REStat 90 (2008), 414-427 (whole clusters are drawn; ours is the plain percentile
interval, without their studentisation).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt

import numpy as np

Z_95 = 1.959963984540054  # 97.5 % point of the standard normal distribution
BOOTSTRAP_DRAWS = 10_000  # the percentile's own error is then about a hundredth of the interval's width
BOOTSTRAP_SEED = 20_260_101  # fixed: the same records give the same bytes


def wilson(k: int, n: int, z: float = Z_95) -> tuple[float, float] | None:
    """Score interval for a binomial proportion.

    Args:
        k: successes, 0 <= k <= n.
        n: trials.
        z: normal quantile; the default gives 95 %.
    Returns:
        (low, high) in [0, 1], or None for n = 0: nothing was observed, so nothing is said.
    Raises:
        ValueError: k or n out of range.
    """
    if not 0 <= k <= n:
        raise ValueError(f"a rate needs 0 <= k <= n, not k = {k}, n = {n}")
    if n == 0:
        return None
    share = k / n
    shrink = 1 + z * z / n
    centre = (share + z * z / (2 * n)) / shrink
    half = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / shrink
    # At k = 0 and k = n the bounds are 0 and 1 exactly; rounding may leave them 1e-17 aside.
    return (0.0 if k == 0 else max(0.0, centre - half)), (1.0 if k == n else min(1.0, centre + half))


def clustered_bootstrap(clusters: Mapping[str, Sequence[float]]) -> tuple[float, float] | None:
    """95 % percentile interval of a mean over all values, drawing whole clusters with replacement.

    Args:
        clusters: name -> its values (any unit); empty clusters are ignored.
    Returns:
        (low, high) in the unit of the values; None with fewer than two clusters: one scenario says nothing of others.
    """
    names = sorted(name for name, values in clusters.items() if len(values) > 0)
    if len(names) < 2:
        return None
    sums = np.array([float(np.sum(clusters[name])) for name in names])  # (clusters,)
    sizes = np.array([float(len(clusters[name])) for name in names])  # (clusters,)
    rng = np.random.default_rng(BOOTSTRAP_SEED)
    # How often each cluster is drawn, one row a draw: the same distribution as drawing indices, far less memory.
    counts = rng.multinomial(len(names), np.full(len(names), 1 / len(names)), size=BOOTSTRAP_DRAWS)
    means = (counts @ sums) / (counts @ sizes)
    low, high = np.quantile(means, [0.025, 0.975])
    return float(low), float(high)
