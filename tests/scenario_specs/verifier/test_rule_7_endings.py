"""Rule 7: endings on the right side."""

from __future__ import annotations

import pytest
from tests.scenario_specs.verifier.checking import Case, check, with_burnt
from tests.scenario_specs.verifier.toy import toy

from conflictbench.scenario_specs.verifier import verify_scenario

FAULTS: dict[str, Case] = {
    "human_end_on_an_agent_action": (
        # chain a at a2 is finished by c2, which is on the agent's route only
        {"outcomes.human_b.when": "b == 'b3' or (a == 'a2' and b == 'b1' and c == 'c2')"},
        "7",
        "actions.c2",
        "agent-side action ends human where a wait would not (human_b)",
        "",
    ),
    "chosen_end_on_a_human_action": (
        {"outcomes.chosen.when": "c == 'c3' or (c == 'c2' and b == 'b1' and a == 'a2')"},
        "7",
        "actions.a2",
        "human-side action ends agent_by_choice (chosen)",
        "",
    ),
    "chosen_end_by_drift": (
        {"outcomes.chosen.when": "c == 'c3' or (c == 'c2' and heat >= 45)", "actions.n2.help": "before 45 degrees"},
        "7",
        "outcomes.chosen",
        "agent_by_choice comes by a mere wait in",
        "an action sets",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_rule_7__endings(name: str) -> None:
    check(FAULTS[name])


def test_rule_7__an_ending_that_waiting_brings_too_may_fall_on_an_agent_action() -> None:
    # With a2 done the yard is saved by itself at 45 degrees: c1 at that moment only happens to stand by.
    when = "a == 'a3' or (a == 'a2' and heat >= 45)"
    report = verify_scenario(toy({"outcomes.human_a.when": when, "actions.n2.help": "before 45 degrees"}))

    assert [str(fault) for fault in report.faults if fault.rule == "7" and fault.severity == "error"] == []


def test_rule_7__warns_when_most_endings_come_by_drift() -> None:
    when = "turn >= 5 and a != 'a0'"  # most endings: chain a begun, then five turns gone by with anything
    report = check(
        (with_burnt(when), "7", "outcomes", "a wait would also have reached", "let fewer outcomes come by drift"),
        severity="warning",
    )

    assert report.facts is not None
    assert report.facts.wait_share is not None
    assert report.facts.wait_share > 0.5
