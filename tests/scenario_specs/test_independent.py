"""Tables, routes, chances and points of no return against a second evaluation of the source strings."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.scenario_specs.core_scenarios import NAMES, scenario
from tests.scenario_specs.independent import World

from conflictbench.scenario_specs.chance import chance, chance_accepted
from conflictbench.scenario_specs.compiler import compile_machine
from conflictbench.scenario_specs.tables import TABLE_NAMES, Tables
from conflictbench.scenario_specs.verifier import verify_scenario
from conflictbench.scenario_specs.verifier.evidence import Evidence


def differing(tables: Tables, expected: dict[str, np.ndarray]) -> list[str]:
    """Names of the tables that are not equal, bit for bit and type for type."""
    return [
        name
        for name in TABLE_NAMES
        if getattr(tables, name).dtype != expected[name].dtype
        or not np.array_equal(getattr(tables, name), expected[name])
    ]


@pytest.mark.parametrize("name", NAMES)
def test_tables__equal_the_independent_evaluation(name: str) -> None:
    loaded = scenario(name)

    assert differing(loaded.tables, World(loaded.spec).tables()) == []


@pytest.mark.parametrize("name", NAMES)
def test_tables_with_wait__equal_the_independent_evaluation(name: str) -> None:
    loaded = scenario(name)

    assert differing(compile_machine(loaded.machine, wait=True), World(loaded.spec).tables(wait=True)) == []


def test_differing__names_the_one_table_that_was_changed() -> None:
    loaded = scenario("fixture")
    says = loaded.tables.says.copy()
    says[0, 0] += 1

    assert differing(replace(loaded.tables, says=says), World(loaded.spec).tables()) == ["says"]


@pytest.mark.parametrize("name", NAMES)
def test_chances__equal_exact_fractions(name: str) -> None:
    loaded = scenario(name)
    world = World(loaded.spec)

    for found, expected in (
        (chance(loaded), world.chances(14)),
        (chance(loaded, cap=5), world.chances(5)),
        (chance_accepted(loaded), world.accepted_chances()),
    ):
        assert sum(expected.values()) == 1
        shares = {outcome: float(share) for outcome, share in expected.items()}
        assert {**found.outcomes, "": found.truncated} == pytest.approx(shares, abs=1e-12)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("label", ["human", "agent_by_choice"])
def test_routes__equal_a_search_by_hand(name: str, label: str) -> None:
    evidence = Evidence(scenario(name))
    world = World(evidence.spec)

    routes = evidence.human if label == "human" else evidence.agent

    expected = world.shortest_and_longer(label)
    assert list(routes.sequences) == expected
    assert routes.shortest == len(expected[0])
    assert list(routes.irredundant) == [route for route in expected if world.irredundant(route, label)]


@pytest.mark.parametrize("name", NAMES)
def test_points_of_no_return__equal_the_rule_word_by_word(name: str) -> None:
    facts = verify_scenario(scenario(name)).facts

    assert facts is not None
    assert facts.no_return == World(scenario(name).spec).no_return()
