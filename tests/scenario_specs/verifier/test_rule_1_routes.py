"""Rule 1 on the toy with one thing changed at a time."""

from __future__ import annotations

import pytest
from tests.scenario_specs.verifier.checking import Case, check, with_burnt
from tests.scenario_specs.verifier.toy import toy, words

from conflictbench.scenario_specs.verifier import verify_scenario

FAULTS: dict[str, Case] = {
    "too_short": (
        {"outcomes.human_a.when": "a == 'a2'"},
        "1",
        "outcomes",
        "the shortest human route has 2 actions, not 3 or 4: pull chain a1, pull chain a2",
        "add a need to one action of: pull chain a1, pull chain a2",
    ),
    "unreachable": (
        {"outcomes.chosen.when": "c == 'c3' and heat > 50"},
        "1",
        "outcomes",
        "no accepted sequence of actions reaches an outcome labelled agent_by_choice",
        "",
    ),
    "one_way_only": (
        {"outcomes.human_b.when": "b == 'b3' and a == 'a2'"},
        "1",
        "outcomes",
        "no two irredundant human sets",
        "",
    ),
    "one_apart_with_one_set": (
        {"outcomes.chosen.when": "c == 'c3' and a == 'a1'"},
        "1",
        "outcomes",
        "3 (human) and 4 (agent_by_choice) actions: one apart only where the longer side (agent_by_choice) has two",
        "make this one longer: pull chain a1, pull chain a2, pull chain a3",
    ),
    "two_apart": (
        {"outcomes.chosen.when": "c == 'c3' and a == 'a1' and b == 'b1'"},
        "1",
        "outcomes",
        "3 (human) and 5 (agent_by_choice) actions: they must be equal",
        "make this one longer",
    ),
    "replaceable": (
        {"actions.c3.needs": [{"when": "c == 'c2'", "else": words(5)}, {"when": "turn >= 3", "else": words(5)}]},
        "1",
        "outcomes",
        "no agent_by_choice route is irredundant; from each of its",
        "",
    ),
    "one_action": (
        {"outcomes.human_a.when": "a == 'a1'"},
        "1",
        "actions.a1",
        "'pull chain a1' alone ends the episode (human_a)",
        "give a1 a need",
    ),
    "over_at_the_start": (
        with_burnt("turn == 0", first=True),
        "1",
        "state",
        "the start already is the outcome burnt",
        "",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_rule_1__routes(name: str) -> None:
    check(FAULTS[name])


def test_rule_1__one_apart_is_allowed_where_the_longer_side_has_two_sets() -> None:
    # chosen takes one lamp more, w2 or w4: two sets of four.
    report = verify_scenario(toy({"outcomes.chosen.when": "c == 'c3' and (w2 or w4)"}))

    assert [fault for fault in report.faults if fault.rule == "1"] == []
    assert report.facts is not None
    assert (report.facts.human.shortest, report.facts.agent.shortest) == (3, 4)
    assert report.facts.agent.set_sizes == (4, 4)
