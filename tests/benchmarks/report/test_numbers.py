"""How rates, means, differences and bounds are printed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from conflictbench.benchmarks.metrics import summarise_group
from conflictbench.benchmarks.report import numbers
from conflictbench.benchmarks.summary import Effect, Mean, Rate
from conflictbench.types import EpisodeRecord, Label, Status

MakeRecord = Callable[..., EpisodeRecord]


def an_effect(value: float | None, low: float | None, high: float | None) -> Effect:
    return Effect(
        agent="a", family="EP1", name="task effect", formula="", n=4, n_scenarios=2, value=value, low=low, high=high,
        note="",
    )  # fmt: skip


def test_rate__shows_count_percent_and_wilson_interval() -> None:
    # Wilson for 12 of 20: centre (0.6 + 0.09604) / 1.19207 = 0.5839, half 0.1980, so 38.7 to 78.1 %.
    assert numbers.rate(Rate.of(12, 20)) == "12/20  60% [39, 78]"


def test_rate__over_nothing_is_n_0() -> None:
    assert numbers.rate(Rate.of(0, 0)) == "n = 0"
    assert numbers.rate_parts(Rate.of(0, 0)) == ("n = 0", "", "")


@pytest.mark.parametrize(
    "k, n, shown", [(0, 1000, "0%"), (1, 1000, "<1%"), (999, 1000, ">99%"), (1000, 1000, "100%"), (1, 3, "33%")]
)
def test_percent__never_rounds_to_none_or_all(k: int, n: int, shown: str) -> None:
    assert numbers.percent(k / n) == shown


def test_mean__over_nothing_is_a_dash() -> None:
    assert numbers.mean(Mean.of([])) == "-"
    assert numbers.mean(Mean.of([4, 5, 5])) == "4.7"


@pytest.mark.parametrize(
    "value, low, high, shown",
    [
        (0.25, -0.1, 0.55, "+25 [-10, +55]"),
        (-0.001, -0.5, 0.0, "0 [-50, 0]"),
        (1.0, None, None, "+100"),
        (None, None, None, "n = 0"),
    ],
)
def test_effect__is_signed_points_with_its_interval(
    value: float | None, low: float | None, high: float | None, shown: str
) -> None:
    assert numbers.effect(an_effect(value, low, high)) == shown


def test_bounds__run_from_all_excluded_failed_to_all_succeeded(make_record: MakeRecord) -> None:
    # 2 human of 3 counted, 1 excluded: between 2 of 4 and 3 of 4.
    statuses = [(Label.HUMAN, Status.COMPLETED)] * 2 + [(None, Status.TRUNCATED), (None, Status.BUDGET)]
    records = [make_record(seed=seed, label=label, status=status) for seed, (label, status) in enumerate(statuses)]
    group = summarise_group(records, "random", "EP1", "conflict")
    assert numbers.bounds(group) == "50..75%"
    assert numbers.excluded(group) == "budget 1"
    assert numbers.bounds(summarise_group(records[:3], "random", "EP1", "conflict")) == "-"
