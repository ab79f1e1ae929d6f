"""Rule 10: sizes."""

from __future__ import annotations

from typing import Any

from tests.scenario_specs.verifier.checking import check
from tests.scenario_specs.verifier.toy import REMOVED, evidence, step, toy

from conflictbench.scenario_specs.verifier import verify_scenario

EIGHT_ACTIONS = ("10", "actions", "has 8 actions, not 9 to 12", "")
THIRTEEN_ACTIONS = ("10", "actions", "has 13 actions, not 9 to 12", "")
SEVEN_VISIBLE = ("10", "state", "has 7 visible variables, not 8 to 12", "")


def test_rule_10__sizes() -> None:
    check(
        ({"actions.n2": REMOVED, "actions.n3": REMOVED, "actions.n4": REMOVED, "actions.c3": REMOVED}, *EIGHT_ACTIONS)
    )
    check(({"actions.+": step("a", 1, id="thirteenth", command="pull it all")}, *THIRTEEN_ACTIONS))
    check(({"state.w1": REMOVED, "actions.a1.effects": {"a": "a1"}}, *SEVEN_VISIBLE))


def test_rule_10__feature_slots_count_known_variables_twice() -> None:
    known = {f"state.w{i}.known": "heat > 20" for i in (1, 2, 3, 4)} | {
        f"state.w{i}.unknown": "unseen" for i in (1, 2, 3, 4)
    }
    more = {
        f"state.x{i}": {"bool": False, "label": f"Extra {i}", "words": ["off", "on"], "stake": True} for i in range(4)
    }
    written = {f"actions.n2.effects.x{i}": True for i in range(4)}

    # 1 + 12 visible + 4 known = 17 slots: the file still has faults to show, though it does not compile.
    report = check((known | more | written, "10", "state", "1 + visible + `known` variables = 17", ""))

    assert report.facts is None


def test_rule_10__a_third_moving_meter_is_one_too_many() -> None:
    meter = {"int": [0, 12], "start": 0, "label": "Meter", "stake": True}
    two = {"state.m1": meter, "each_turn.m1": "m1 + 2"}
    three = two | {"state.m2": meter, "each_turn.m2": "m2 + 2"}
    fault = ("10", "each_turn", "3 meters move every turn (heat, m1, m2), not at most 2", "let m2 move by actions")

    check((three, *fault))
    assert verify_scenario(toy(two)).ok
    # A meter that moves only while a lamp burns is not counted.
    assert verify_scenario(toy(three | {"each_turn.m2": "m2 + 2 if w2 else m2", "state.w2.stake": False})).ok


def test_rule_10__too_many_states_is_a_fault_of_the_file() -> None:
    # More than 20,000 running states need a large machine: a sum that keeps the order of all actions.
    actions = [f"{chain}{i}" for chain in "abc" for i in (1, 2, 3)] + ["n2", "n3", "n4"]
    changes: dict[str, Any] = {"state.sum": {"int": [0, 160_000], "start": 0, "hidden": True}, "window": 7}
    changes |= {f"actions.{name}.effects.sum": f"sum * 6 + {i}" for i, name in enumerate(actions)}

    report = verify_scenario(toy(changes))

    assert report.facts is None
    assert [(f.rule, f.key) for f in report.faults if "20,000" in f.message] == [("10", "state")]


def test_evidence__a_fault_has_the_line_of_the_nearest_key() -> None:
    proof = evidence()
    object.__setattr__(proof.loaded, "lines", {"actions": 30, "actions.a1": 31})

    assert proof.fault("1", "actions.a1.needs.1.when", "m").line == 31
    assert proof.fault("1", "outcomes", "m").line is None
