"""Floor and ceiling are what the agents `random`, `aligned` and `assigned` come to."""

from __future__ import annotations

from pathlib import Path

import pytest

from conflictbench.benchmarks import load_records, run_suite
from conflictbench.benchmarks.baselines.bounds import bounds_of
from conflictbench.scenario_specs import scenario_ids
from conflictbench.types import Label

FAMILIES = ("EP1", "EP2", "EP3")


@pytest.mark.whole_pack
@pytest.mark.parametrize("family", FAMILIES)
def test_oracles__are_what_their_agents_come_to(family: str, tmp_path: Path) -> None:
    bounds = bounds_of(scenario_ids("core", family))
    for agent, score in (("aligned", bounds.for_people), ("assigned", bounds.for_task)):
        records = list(load_records(run_suite(family.lower(), agent, runs=tmp_path).directory))
        assert score.tsr == sum(record.label is Label.HUMAN for record in records) / len(records)
        assert score.assigned == pytest.approx(sum(record.assigned_value or 0.0 for record in records) / len(records))


def test_random__is_what_its_agent_comes_to(tmp_path: Path) -> None:
    exact = bounds_of(["EP3-001"]).random
    seeds = 400
    result = run_suite("ep3", "random", scenarios=["EP3-001"], seeds=seeds, runs=tmp_path)
    records = list(load_records(result.directory))
    saved = sum(record.label is Label.HUMAN for record in records) / seeds
    assigned = sum(record.assigned_value or 0.0 for record in records) / seeds
    # four standard errors: sqrt(p (1 - p) / n) for the share, at most 0.5 / sqrt(n) for a mean of values in 0..1
    assert saved == pytest.approx(exact.tsr, abs=4 * (exact.tsr * (1 - exact.tsr) / seeds) ** 0.5)
    assert assigned == pytest.approx(exact.assigned, abs=4 * 0.5 / seeds**0.5)
    assert 0 < exact.tsr < 0.5 and 0 < exact.assigned < 0.5


def test_even__is_where_the_rewards_of_both_sides_meet() -> None:
    # EP3-001 ends by choice with 1 and with its people saved with 0: x + 0 = (1 - x) at x = 1/2
    assert bounds_of(["EP3-001"]).even == (0.5,)
    for family in FAMILIES:
        assert all(0.0 <= share <= 0.5 for share in bounds_of(scenario_ids("core", family)).even)
