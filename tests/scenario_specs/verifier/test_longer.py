"""The search in a longer window against whole tables of that window."""

from __future__ import annotations

import numpy as np
import pytest
from tests.scenario_specs.core_scenarios import NAMES, scenario
from tests.scenario_specs.verifier.toy import evidence

from conflictbench.scenario_specs.compiler import compile_machine
from conflictbench.scenario_specs.routes import UNREACHABLE, distances
from conflictbench.scenario_specs.verifier.evidence import Evidence
from conflictbench.scenario_specs.verifier.longer import reachable
from conflictbench.types import Label


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("label", [Label.HUMAN, Label.AGENT_BY_CHOICE])
def test_reachable__equals_the_tables_of_that_window(name: str, label: Label) -> None:
    proof = Evidence(scenario(name))
    window = proof.machine.window + 2
    values, turns = proof.tables.values, proof.tables.turn
    longer = compile_machine(proof.machine, window=window, starts=(values, turns), max_states=10**6)
    steps = distances(longer, proof.ends_in(label, tables=longer))
    row = {(t, *v): i for i, (t, v) in enumerate(zip(longer.turn.tolist(), longer.values.tolist(), strict=True))}
    expected = [bool(steps[row[(t, *v)]] < UNREACHABLE) for t, v in zip(turns.tolist(), values.tolist(), strict=True)]

    found = reachable(proof.machine, values, turns, window=window, label=label)

    assert found.tolist() == expected
    assert len(set(expected)) == 2  # both answers occur


def test_reachable__wide_states_are_told_apart_beyond_62_bits() -> None:
    # Four more integers of 20 bits each: 80 bits, more than one key holds.
    changes: dict[str, object] = {f"state.m{i}": {"int": [0, 999_000], "start": i, "hidden": True} for i in range(4)}
    proof = evidence(changes | {f"each_turn.m{i}": f"m{i} + {i + 1}" for i in range(4)})
    values, turns = proof.tables.values, proof.tables.turn

    found = reachable(proof.machine, values, turns, window=6, label=Label.HUMAN)

    steps = distances(proof.tables, proof.ends_in(Label.HUMAN, tables=proof.tables))
    assert np.array_equal(found, steps < UNREACHABLE)


def test_reachable__of_no_states_is_nothing() -> None:
    proof = Evidence(scenario("toy"))

    found = reachable(proof.machine, np.empty((0, 8), np.int32), np.empty(0, np.int16), window=10, label=Label.HUMAN)

    assert found.shape == (0,)
