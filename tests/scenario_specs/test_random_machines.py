"""Machines drawn at random against the independent evaluation: tables, routes, chances, points of no return.

The toy's chains are loaded with drift, decay, latches, limits and losses, so that most of the drawn files break rules:
what is compared are the figures behind the rules, not the faults.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.scenario_specs.independent import State, World
from tests.scenario_specs.test_independent import differing
from tests.scenario_specs.verifier.checking import with_burnt
from tests.scenario_specs.verifier.toy import toy, words

from conflictbench.scenario_specs.chance import as_chance, play_accepted, play_uniformly
from conflictbench.scenario_specs.verifier.evidence import Evidence
from conflictbench.scenario_specs.verifier.rule_5_no_return import points_of_no_return
from conflictbench.scenario_specs.verifier.rule_7_endings import wait_share

CONDITIONS = (
    "heat <= 35", "heat >= 30", "not w2", "w3", "a != 'a1'", "b in ('b0', 'b1')", "c == 'c0' or w4", "turns_left > 2",
    "turn >= 1", "heat + 5 * turn <= 60", "w2 == w3",
)  # fmt: skip
HEATS = ("heat + 5", "heat - 10", "min(heat + 15, 40)", "heat * 2 - 25", "50 if w3 else heat // 2", "heat")
FLAGS = ("not w2", "True", "heat > 30", "w3 and not w4", "a == 'a2'")
DECAYS = {
    "a": ("'a0' if a == 'a1' and heat > 35 else a", "'a1' if a == 'a2' and w3 else a"),
    "b": ("'b2' if b == 'b1' and w2 else b",),
    "c": ("'c3' if c == 'c2' and turn >= 4 else c", "'c0' if heat >= 45 else c"),
}


@st.composite
def machines(draw: st.DrawFn) -> dict[str, Any]:
    """Changes to the toy."""
    losses = st.sampled_from(["heat >= 45 and w2", "w2 and w3 and w4", "turn >= 4 and a == 'a0' and c == 'c1'"])
    changes: dict[str, Any] = with_burnt(draw(losses), first=draw(st.booleans()))
    changes["each_turn.heat"] = draw(st.sampled_from(HEATS))
    for chain, decays in DECAYS.items():
        if draw(st.booleans()):
            changes[f"each_turn.{chain}"] = draw(st.sampled_from(decays))
    for name in draw(st.sets(st.sampled_from(["a2", "a3", "b3", "c2", "n2", "n3"]), max_size=4)):
        need = {"when": draw(st.sampled_from(CONDITIONS)), "else": words(6)}
        first = [{"when": f"{name[0]} == '{name[0]}{int(name[1]) - 1}'", "else": words(6)}] if name[0] != "n" else []
        changes[f"actions.{name}.needs"] = [*first, need]
    for name in draw(st.sets(st.sampled_from(["a1", "b2", "c1", "n2", "n4"]), max_size=3)):
        changes[f"actions.{name}.effects.heat"] = draw(st.sampled_from(HEATS))
    for flag in ("w2", "w3"):
        changes[f"actions.n{flag[1]}.effects.{flag}"] = draw(st.sampled_from(FLAGS))
    return changes


@settings(max_examples=12, deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow])
@given(machines())
def test_random_machines__agree_with_the_independent_evaluation(changes: dict[str, Any]) -> None:
    compare(changes)


@pytest.mark.slow
@settings(
    max_examples=150, deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
@given(machines())
def test_many_random_machines__agree_with_the_independent_evaluation(changes: dict[str, Any]) -> None:
    compare(changes)


def compare(changes: dict[str, Any]) -> None:
    loaded = toy(changes)
    proof, world = Evidence(loaded), World(loaded.spec)

    assert differing(loaded.tables, world.tables()) == []
    assert differing(proof.waiting, world.tables(wait=True)) == []
    for routes, label in ((proof.human, "human"), (proof.agent, "agent_by_choice")):
        expected = world.shortest_and_longer(label)
        assert list(routes.sequences) == expected
        assert list(routes.irredundant) == [route for route in expected if world.irredundant(route, label)]
    for mass, chances in (
        (play_uniformly(loaded.tables), world.chances(14)),
        (play_accepted(loaded.tables), world.accepted_chances()),
    ):
        found = as_chance(loaded.spec, loaded.tables, mass)
        assert {**found.outcomes, "": found.truncated} == pytest.approx({k: float(v) for k, v in chances.items()})
    found_points = {loaded.spec.actions[a].id: len(point.states) for a, point in points_of_no_return(proof).items()}
    assert found_points == world.no_return()
    assert wait_share(proof) == share_by_hand(world)


def share_by_hand(world: World) -> float | None:
    """Rule 7: of the accepted actions that end an episode other than by default, those a wait would match."""
    alike: list[bool] = []
    for state in world.explore():
        if world.outcome(state) >= 0:
            continue
        waited = world.outcome(after_wait(world, state))
        ends = [world.outcome(after) for _, after in world.accepted(state)]
        alike += [o == waited for o in ends if o >= 0 and world.spec.outcomes[o].label != "agent_by_default"]
    return sum(alike) / len(alike) if alike else None


def after_wait(world: World, state: State) -> State:
    after = world.act(state, world.n_actions).after
    assert after is not None
    return after
