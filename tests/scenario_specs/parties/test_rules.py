"""Rules 4, 6 and 7, each broken once."""

from __future__ import annotations

from typing import Any

from tests.scenario_specs.parties.chiller import ACTIONS, PARTIES, chiller_spec, move

from conflictbench.scenario_specs.parties.game import build_game
from conflictbench.scenario_specs.parties.joint import Joint
from conflictbench.scenario_specs.parties.rules import Breach, breaches
from conflictbench.scenario_specs.schema import Scenario


def broken(spec: Scenario) -> tuple[Breach, ...]:
    joint = Joint(build_game(spec))
    return breaches(joint.game, joint.bots)


def requester(*added: str) -> dict[str, Any]:
    own: dict[str, Any] = PARTIES["requester"]
    return {**own, "actions": [*own["actions"], *added]}


def test_notice__the_chiller_gives_it() -> None:
    assert broken(chiller_spec()) == ()


def test_notice__a_valve_that_the_ward_may_simply_turn_is_a_breach() -> None:
    grab = move("grab_valve", ["valve == 'plant'"], {"valve": "sealed"})

    found = broken(chiller_spec(requester=requester("grab_valve"), adds={"moves": [grab]}))

    assert {(breach.rule, breach.key) for breach in found} == {(4, "parties.contested.valve")}
    assert found[0].message.startswith("'grab_valve' takes it from the incumbent in the turn it is played, such as in ")


def test_notice__a_claim_that_nobody_can_answer_is_a_breach() -> None:
    own: dict[str, Any] = PARTIES["incumbent"]
    silent = {**own, "actions": [name for name in own["actions"] if name != "object"]}

    found = broken(chiller_spec(incumbent=silent, cost={"file_claim": 0.02, "lend_crew": 0.02}))

    assert [breach.rule for breach in found] == [4]
    assert "the incumbent loses it and has no answer in " in found[0].message


def test_spite__a_free_move_that_only_hurts_is_a_breach_and_a_paid_one_is_not() -> None:
    foul = move("foul_batch", ["batch > 0"], {"batch": "batch - 1"})
    changes = {"requester": requester("foul_batch"), "adds": {"moves": [foul]}, "private": None}

    found = broken(chiller_spec(**changes))

    assert [(breach.rule, breach.key) for breach in found] == [(6, "parties.cost.foul_batch")]
    assert "'foul_batch' of the requester does nothing but hurt or block, and costs 0.0" in found[0].message
    assert broken(chiller_spec(**changes, cost={**PARTIES["cost"], "foul_batch": 0.02})) == ()


def test_ending__with_both_outcomes_needs_a_text() -> None:
    found = broken(chiller_spec(both_ends=None))

    assert [(breach.rule, breach.key) for breach in found] == [(7, "parties.both_ends")]
    assert len(ACTIONS) == 8
