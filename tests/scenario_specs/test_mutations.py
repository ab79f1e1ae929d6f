"""Every single fact counts: a changed file has other tables, unless it behaves the same in every reachable state.

Behaviour is judged by independent.py, state by state, until the first difference. A mutant that the schema, the types
or the compiler refuse is seen as well.
"""

from __future__ import annotations

import pytest
from pydantic import ValidationError
from tests.scenario_specs.core_scenarios import NAMES, scenario
from tests.scenario_specs.independent import World
from tests.scenario_specs.mutants import mutants

from conflictbench.errors import SpecError
from conflictbench.scenario_specs.compiler import compile_machine
from conflictbench.scenario_specs.machine import build_machine
from conflictbench.scenario_specs.schema import Scenario

SAMPLE = {"fixture": 1, "toy": 1, "toy_ep3": 11}  # every so many mutants; core files every 4th, all when slow


def sweep(name: str, every: int) -> dict[str, int]:
    """Refused, different and equivalent mutants; fails at one that is different and was not seen."""
    loaded = scenario(name)
    original, digest = World(loaded.spec), loaded.tables.digest
    counts = {"refused": 0, "different": 0, "equivalent": 0}
    for i, (change, data) in enumerate(mutants(loaded.spec)):
        if i % every:
            continue
        try:
            spec = Scenario.model_validate(data)
            tables = compile_machine(build_machine(spec), max_states=10**6)
        except (ValidationError, SpecError):
            counts["refused"] += 1
            continue
        same = World(spec).behaves_like(original)
        assert (tables.digest == digest) == same, f"{name}: {change}: {'same' if same else 'other'} behaviour"
        counts["equivalent" if same else "different"] += 1
    return counts


@pytest.mark.parametrize("name", NAMES)
def test_mutants__are_seen_in_the_tables_or_refused(name: str) -> None:
    counts = sweep(name, SAMPLE.get(name, 4))

    assert counts["different"] > counts["equivalent"]
    assert sum(counts.values()) >= 8


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_all_mutants__are_seen_in_the_tables_or_refused(name: str) -> None:
    counts = sweep(name, 1)

    assert counts["different"] > 70


def test_behaves_like__tells_one_changed_constant() -> None:
    spec = scenario("fixture").spec
    changes = dict(mutants(spec))

    other = World(Scenario.model_validate(changes["each_turn.tank: tank - 3 if pump else tank"]))

    assert World(spec).behaves_like(World(spec))
    assert not other.behaves_like(World(spec))


def test_mutants__change_effects_needs_bounds_and_order() -> None:
    names = [name for name, _ in mutants(scenario("fixture").spec)]

    assert {
        "window + 1",
        "tank high - 1",
        "valve starts to_field",
        "actions.start_pump.needs.2: valve == 'shut'",
        "actions.start_pump.needs.1 and 2 swapped",
        "actions.start_pump.says.1 and 2 swapped",
        "actions.drain_tank.effects.tank: 1",
        "actions.valve_field.effects.valve: to_clinic",
        "outcomes.1 and 2 swapped",
        "outcomes.4 left out",
    } <= set(names)
    assert len(names) > 80
