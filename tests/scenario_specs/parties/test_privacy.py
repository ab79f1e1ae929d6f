"""What tells one party what is private to the other is a fault: the key, the variable, whose it is, who is told."""

from __future__ import annotations

from typing import Any

import pytest
from tests.scenario_specs.parties.chiller import PARTIES, chiller_spec, move

from conflictbench.errors import SpecError
from conflictbench.scenario_specs.parties.game import build_game

DEEP = "batch > 2"  # the batch is private to the incumbent


def faults_of(**changes: Any) -> dict[str, str]:
    """Key -> message of what is wrong with the chiller, changed."""
    with pytest.raises(SpecError) as caught:
        build_game(chiller_spec(**changes))
    assert {fault.rule for fault in caught.value.faults} == {"parties"}
    return {fault.key: fault.message for fault in caught.value.faults}


def worth(role: str, **cells: Any) -> dict[str, Any]:
    return {**PARTIES["worth"], role: {**PARTIES["worth"][role], **cells}}


def need(when: str) -> list[dict[str, str]]:
    return [{"when": when, "else": "Not now."}]


@pytest.mark.parametrize(
    "changes, key, words",
    [
        ({"adds": {"needs": {"cool_ward": need(DEEP)}}}, "parties.adds.needs.cool_ward.1.when",
            "a need of the requester's move 'cool_ward' reads batch, private to the incumbent"),
        ({"adds": {"moves": [move("plead", [DEEP], {"crew": True})]},
            "requester": {**PARTIES["requester"], "actions": ["cool_ward", "lend_crew", "file_claim", "plead"]}},
            "parties.adds.moves.plead.needs.1.when", "the requester's move 'plead' reads batch"),
        ({"adds": {"needs": {"valve_to_plant": need(DEEP)}}}, "parties.adds.needs.valve_to_plant.1.when",
            "a need of the requester's move 'valve_to_plant' reads batch"),
        ({"worth": worth("requester", human="0.1 * batch")}, "parties.worth.requester.human",
            "what 'human' is worth to the requester reads batch, private to the incumbent"),
        ({"worth": worth("requester", neither=f"0.2 if {DEEP} else 0.0")}, "parties.worth.requester.neither",
            "reads batch"),
        ({"adds": {"state": {"gauge": {"int": [0, 1], "start": 0, "label": "Gauge", "known": DEEP, "unknown": "?"}}}},
            "parties.adds.state.gauge.known", "whether 'gauge' is known reads batch"),
        ({"private": {"requester": ["spells"]}, "adds": {"needs": {"give_valve": need("spells == 0")}}},
            "parties.adds.needs.give_valve.1.when", "move 'give_valve' reads spells, private to the requester"),
        ({"private": {"incumbent": ["spells"]}}, "outcomes.ward_cooled.when",
            "the requester's own outcome 'ward_cooled' reads spells, private to the incumbent"),
    ],
    ids=lambda value: value if isinstance(value, str) and "." in value else "",
)  # fmt: skip
def test_fault__of_what_would_tell_the_other_what_is_private(changes: dict[str, Any], key: str, words: str) -> None:
    found = faults_of(**changes)
    if changes.get("private") != {"incumbent": ["spells"]}:
        assert set(found) == {key}
    assert words in found[key] and found[key].endswith("gives it away")


def test_fault__of_a_need_of_the_file_stands_at_its_own_key() -> None:
    found = faults_of(private={"incumbent": ["crew"]})  # lending it needs `not crew`, and a crew is worth something
    assert set(found) == {
        "actions.lend_crew.needs.1.when", "parties.worth.requester.both", "parties.worth.requester.human",
    }  # fmt: skip


def test_a_partys_own_private_variable__may_be_read_by_all_it_is_told() -> None:
    own = {"needs": {"run_batch": need("batch < 5")}}
    assert build_game(chiller_spec(adds=own)).private == (frozenset({"batch"}), frozenset())
