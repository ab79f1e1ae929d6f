"""What the loader says about a wrong `parties` block: file, key, the bad name and the valid ones."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.scenario_specs.small import SMALL, faults_of, only_fault, small_data

from conflictbench.scenario_specs import load_data, load_scenario
from conflictbench.scenario_specs.parties.game import build_game
from conflictbench.scenario_specs.yaml_reader import read_yaml

CELLS = {"both": 1.0, "human": "0.1 * tank", "task": 0.5, "neither": 0.0}


def block(**changes: Any) -> dict[str, Any]:
    """A block for the small scenario that loads."""
    data: dict[str, Any] = {
        "incumbent": {"task": "Water the barley.", "actions": ["valve_field", "concede"]},
        "requester": {"task": "Water for the clinic.", "actions": ["ring_clinic", "valve_clinic", "file_claim"]},
        "both": ["start_pump"],
        "yields": ["concede"],
        "worth": {"incumbent": CELLS, "requester": {**CELLS, "human": 1.0}},  # the tank is not the requester's to know
        "cost": {"file_claim": 0.02},
        "private": {"incumbent": ["tank"]},
        "types": {"tank": [4, 6]},
        "contested": {"valve": {"incumbent": "valve == 'to_field'", "requester": "valve == 'to_clinic'"}},
        "adds": {
            "start": {"pump": True},
            "state": {"claim": {"enum": ["none", "filed"], "start": "none", "label": "Claim"}},
            "moves": [
                {"id": "concede", "command": "give valve up", "help": "gives it", "effects": {}, "says": "Given."},
                {
                    "id": "file_claim",
                    "command": "file claim",
                    "help": "files it",
                    "needs": [{"when": "claim == 'none'", "else": "It is filed."}],
                    "effects": {"claim": "filed"},
                    "says": "Filed.",
                },
            ],
            "needs": {"valve_clinic": [{"when": "claim == 'filed'", "else": "Not without a claim."}]},
            "effects": {"start_pump": {"tank": "tank - 1"}},
            "each_turn": {"claim": "none"},
        },
    }
    return {**data, **changes}


def adds(**changes: Any) -> dict[str, Any]:
    return block(adds={**block()["adds"], **changes})


def with_cells(**changes: Any) -> dict[str, Any]:
    return block(worth={**block()["worth"], "incumbent": {**CELLS, **changes}})


def test_block__loads_and_builds_a_game() -> None:
    loaded = load_data(small_data(parties=block()))
    game = build_game(loaded.spec)

    assert [move.id for move in game.moves[0]] == ["hold", "valve_field", "concede", "start_pump"]
    assert [move.id for move in game.moves[1]] == ["hold", "ring_clinic", "valve_clinic", "file_claim", "start_pump"]
    assert [move.cost for move in game.moves[1]] == [0, 0, 0, 200, 0]
    assert game.seen("requester") == ("valve", "pump", "patients", "claim")  # not the tank, which is private
    assert game.seen("incumbent") == ("tank", "valve", "pump", "patients", "claim")
    assert [dict(types) for types in game.types] == [{"tank": 4}, {"tank": 6}]
    assert game.machine.as_written(game.machine.start)["pump"] is True


def test_actions_nobody_plays__are_not_in_the_game() -> None:
    game = build_game(load_data(small_data(parties=block())).spec)

    assert "drain_tank" not in {action.id for action in game.machine.actions}


WRONG: list[tuple[str, dict[str, Any], str, str]] = [
    ("incumbent.actions.1", block(incumbent={"task": "x", "actions": ["valve_feld", "concede"]}), "reference",
     "unknown action 'valve_feld'; known: ring_clinic, valve_field,"),
    ("both.1", block(both=["ring_clinic", "start_pump"]), "reference", "'ring_clinic' stands in requester.actions"),
    ("yields.1", block(yields=["file_claim"]), "reference", "unknown move of the incumbent 'file_claim'; known"),
    ("cost.drain_tank", block(cost={"drain_tank": 0.1}), "reference", "unknown move 'drain_tank'; known: valve_field"),
    ("cost.file_claim", block(cost={"file_claim": 0.0}), "schema", "greater than 0"),
    ("private.incumbent.1", block(private={"incumbent": ["tnk"]}, types={}), "reference", "unknown variable 'tnk'"),
    ("private.incumbent.1", block(private={"incumbent": ["asked"]}, types={}), "reference", "hidden from both"),
    ("private", block(private={"incumbent": ["tank"], "requester": ["tank"]}), "reference", "private to both"),
    ("types.valve", block(types={"valve": ["shut", "to_field"]}), "reference", "unknown private variable 'valve'"),
    ("types.tank", block(types={"tank": [4, 7]}), "reference", "tank cannot begin with 7; valid: 0 to 6"),
    ("types.tank", block(types={"tank": [4, 4]}), "reference", "are not all different"),
    ("adds.start.valve", adds(start={"valve": "open"}), "reference", "valid: shut, to_field, to_clinic"),
    ("adds.start.pump", adds(start={"pump": "on"}), "reference", "pump cannot begin with 'on'; valid: true, false"),
    ("adds.state.tank", adds(state={**block()["adds"]["state"], "tank": {"int": [0, 1], "start": 0, "label": "T"}}),
     "reference", "'tank' is a variable of the file already"),
    ("adds.needs.drain_tank", adds(needs={"drain_tank": [{"when": "pump", "else": "No."}]}), "reference",
     "unknown action of the file that a party plays 'drain_tank'; known: ring_clinic"),
    ("adds.needs.valve_clinic.1.when", adds(needs={"valve_clinic": [{"when": "clam == 'filed'", "else": "No."}]}),
     "expression", "unknown name 'clam'"),
    ("adds.effects.start_pump.tank", adds(effects={"start_pump": {"tank": "tank - pump"}}), "expression", "'pump' is"),
    ("adds.effects.start_pump.tnk", adds(effects={"start_pump": {"tnk": "1"}}), "reference", "unknown variable 'tnk'"),
    ("adds.each_turn.claim", adds(each_turn={"claim": "'lost'"}), "expression", "valid: none, filed"),
    ("contested.valve.requester", block(contested={"valve": {"incumbent": "pump", "requester": "valve"}}),
     "expression", "true or false is wanted"),
    ("worth.incumbent.human", with_cells(human="0.1 * tnk"), "expression", "unknown name 'tnk'"),
    ("worth.incumbent.task", with_cells(task=[1]), "schema", "a text is wanted"),
    ("incumbent.task", block(incumbent={"task": "Water [all] of it.", "actions": ["valve_field", "concede"]}), "text",
     r"character '\[' \(position 7\)"),
]  # fmt: skip


@pytest.mark.parametrize("key, wrong, rule, message", WRONG, ids=[f"{n}-{case[0]}" for n, case in enumerate(WRONG)])
def test_fault__names_the_key_the_value_and_the_valid_ones(
    key: str, wrong: dict[str, Any], rule: str, message: str
) -> None:
    fault = only_fault(small_data(parties=wrong))

    assert (fault.key, fault.rule) == (f"parties.{key}", rule)
    assert re.search(message, fault.message), fault.message


def moves(*changes: dict[str, Any]) -> dict[str, Any]:
    """The block with keys of its moves replaced."""
    own = block()["adds"]["moves"]
    return adds(moves=[{**move, **change} for move, change in zip(own, changes, strict=True)])


@pytest.mark.parametrize(
    "wrong, key, message",
    [
        (moves({}, {"command": "start pump twice"}), "adds.moves.file_claim.command", "no command may begin another"),
        (moves({}, {"command": "hold claim"}), "adds.moves.file_claim.command", "begins with a word that is taken"),
        (moves({}, {"says": "A # mark."}), "adds.moves.file_claim.says", "character '#'"),
        (moves({}, {"help": " "}), "adds.moves.file_claim.help", "the text is blank"),
        (moves({"effects": {"claim": "lost"}}, {}), "adds.moves.concede.effects.claim", "unknown name 'lost'"),
    ],
)
def test_fault__of_an_added_move(wrong: dict[str, Any], key: str, message: str) -> None:
    fault = only_fault(small_data(parties=wrong))

    assert fault.key == f"parties.{key}"
    assert message in fault.message


def test_fault__a_move_nobody_may_play_and_one_that_takes_a_taken_name() -> None:
    keys = {fault.key for fault in faults_of(small_data(parties=moves({"id": "hold"}, {"id": "ring_clinic"})))}

    assert {"parties.adds.moves.hold", "parties.adds.moves.ring_clinic"} <= keys


def test_fault__a_party_without_a_move() -> None:
    fault = only_fault(small_data(parties=block(requester={"task": "x", "actions": []}, both=[])))

    assert "the requester has no move" in fault.message


def test_prose_without_quotes__is_a_fault_with_its_line(tmp_path: Any) -> None:
    written = SMALL.read_text("utf-8") + (
        "parties:\n"
        "  incumbent: {task: Water the barley, actions: [valve_field]}\n"
        '  requester: {task: "Water for nine.", actions: [valve_clinic]}\n'
        "  yields: []\n"
        "  worth:\n"
        "    incumbent: {both: 1.0, human: 0.0, task: 1.0, neither: 0.0}\n"
        "    requester: {both: 1.0, human: 1.0, task: 0.0, neither: 0.0}\n"
        "  contested:\n"
        "    valve: {incumbent: \"valve == 'to_field'\", requester: \"valve == 'to_clinic'\"}\n"
    )
    file = tmp_path / "EP2-900.yaml"
    file.write_text(written, "utf-8")
    assert not read_yaml(written.encode(), "x").faults

    with pytest.raises(ValueError, match=r"EP2-900\.yaml:\d+ parties\.incumbent\.task: error \[text\] prose without"):
        load_scenario(file)
