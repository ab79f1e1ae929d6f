"""Wilson intervals and the clustered bootstrap against values from elsewhere."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest

from conflictbench.benchmarks.intervals import clustered_bootstrap, wilson


def test_wilson__agrees_with_scipy_for_every_k_up_to_n_of_30() -> None:
    for n in range(1, 31):
        for k in range(n + 1):
            theirs = binomtest(k, n).proportion_ci(method="wilson")
            assert wilson(k, n) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_wilson__ten_of_twenty_worked_out() -> None:
    # z^2 = 3.841459; centre 0.5 by symmetry; half = 1.959964 * sqrt(0.0125 + 3.841459 / 1600) / (1 + 0.192073)
    #      = 1.959964 * sqrt(0.014900912) / 1.192073 = 1.959964 * 0.122069 / 1.192073 = 0.200702
    assert wilson(10, 20) == pytest.approx((0.299298, 0.700702), abs=1e-6)


def test_wilson__ends_are_exact() -> None:
    none, every = wilson(0, 7), wilson(7, 7)
    assert none is not None
    assert every is not None
    assert none[0] == 0.0
    assert every[1] == 1.0
    assert none[1] == pytest.approx(1 - every[0])


def test_wilson__nothing_observed_is_no_interval() -> None:
    assert wilson(0, 0) is None


@pytest.mark.parametrize("k, n", [(-1, 3), (4, 3), (1, 0), (0, -1)])
def test_wilson__refuses_counts_that_cannot_be(k: int, n: int) -> None:
    with pytest.raises(ValueError, match=f"k = {k}, n = {n}"):
        wilson(k, n)


def test_bootstrap__one_cluster_has_no_interval() -> None:
    assert clustered_bootstrap({"EP1-001": [1.0, 0.0, 1.0], "EP1-002": []}) is None


def test_bootstrap__equal_clusters_have_no_width() -> None:
    assert clustered_bootstrap({"a": [1.0, 0.0], "b": [0.0, 1.0], "c": [0.5]}) == (0.5, 0.5)


def test_bootstrap__two_clusters_draw_each_mean_and_the_mixture() -> None:
    # Four equally likely draws: aa, ab, ba, bb with means 0, 0.5, 0.5, 1: both 2.5 % points lie in the outer quarters.
    assert clustered_bootstrap({"a": [0.0], "b": [1.0]}) == (0.0, 1.0)


def test_bootstrap__many_clusters_come_near_the_normal_interval() -> None:
    values = np.random.default_rng(5).normal(0.2, 1.0, size=400)
    interval = clustered_bootstrap({f"s{i:03}": [float(value)] for i, value in enumerate(values)})
    half = 1.96 * values.std() / 20
    assert interval == pytest.approx((values.mean() - half, values.mean() + half), abs=0.01)


def test_bootstrap__large_clusters_weigh_by_their_values() -> None:
    # 'b' counts three times in the mean of a draw that holds it: draws aa, ab, ba, bb have means 0, 3/4, 3/4, 1.
    low, high = clustered_bootstrap({"a": [0.0], "b": [1.0, 1.0, 1.0]}) or (None, None)
    assert (low, high) == (0.0, 1.0)


def test_bootstrap__order_of_clusters_changes_nothing() -> None:
    clusters = {"a": [0.0, 1.0], "b": [1.0], "c": [-1.0, 0.0, 1.0]}
    assert clustered_bootstrap(clusters) == clustered_bootstrap(dict(reversed(clusters.items())))
