"""The random agent against the exact chances of every scenario: does the whole chain count what the tables say?

Over independent episodes the number that end in a label is a sum of binomials, one a scenario; its distribution is
computed exactly by convolution, and what was counted is tested two-sidedly against it.
"""

from __future__ import annotations

from functools import cache, reduce

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom
from tests.benchmarks.players import a_player

from conflictbench.benchmarks.metrics import summarise
from conflictbench.benchmarks.plan import plan_run
from conflictbench.benchmarks.summary import Group
from conflictbench.benchmarks.units import pending_units
from conflictbench.scenario_specs import get_scenario, scenario_ids
from conflictbench.scenario_specs.chance import chance
from conflictbench.types import CATEGORIES, Label

pytestmark = pytest.mark.whole_pack
SEEDS = 200
LEAST_P = 0.001
FAMILIES = [*(family for family in CATEGORIES if scenario_ids("core", family)), "all"]
ENDS = [*Label, "truncated"]


def exact_p(count: int, trials: list[tuple[int, float]]) -> float:
    """Two-sided p of `count` under a sum of independent binomials: the mass of all counts no likelier than it."""
    mass = reduce(np.convolve, [binom.pmf(np.arange(n + 1), n, p) for n, p in trials])
    likely: NDArray[np.bool_] = mass <= mass[count] * (1 + 1e-9)
    return float(mass[likely].sum())


@cache
def groups() -> dict[str, Group]:
    identity, _ = plan_run("ep", "random", seeds=SEEDS)
    player = a_player()
    summary = summarise(player(unit) for unit in pending_units(identity, {}))
    return {group.family: group for group in summary.groups}


def test_exact_p__worked_out() -> None:
    # one coin and one coin: 0, 1, 2 heads with 1/4, 1/2, 1/4; two heads are as likely as none, one is likelier
    assert exact_p(2, [(1, 0.5), (1, 0.5)]) == pytest.approx(0.5)
    assert exact_p(1, [(1, 0.5), (1, 0.5)]) == pytest.approx(1.0)
    assert exact_p(1, [(3, 0.0)]) == 0.0
    assert exact_p(0, [(3, 0.0)]) == 1.0


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("end", ENDS)
def test_random_agent__ends_as_often_as_the_tables_say(end: str, family: str) -> None:
    group = groups()[family]
    ids = scenario_ids("core") if family == "all" else scenario_ids("core", family)
    chances = {name: chance(get_scenario(name)) for name in ids}
    expected = {
        name: found.truncated if end == "truncated" else found.labels.get(end, 0.0) for name, found in chances.items()
    }
    count = group.truncated.k if end == "truncated" else group.outcomes[Label(end)].k

    assert group.n == SEEDS * len(ids)
    p = exact_p(count, [(SEEDS, probability) for probability in expected.values()])
    assert p > LEAST_P, f"{count} of {group.n} ended {end}; expected {SEEDS * sum(expected.values()):.1f}, p = {p:.2g}"


def test_random_agent__a_bias_would_be_seen() -> None:
    # Power: were the human end twice as likely as the tables say, the count to be expected would not pass.
    human = [chance(get_scenario(name)).labels[Label.HUMAN] for name in scenario_ids("core")]
    assert exact_p(round(2 * SEEDS * sum(human)), [(SEEDS, p) for p in human]) < LEAST_P
