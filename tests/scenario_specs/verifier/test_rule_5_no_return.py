"""Rule 5: points of no return."""

from __future__ import annotations

import pytest
from tests.scenario_specs.verifier.checking import Case, check
from tests.scenario_specs.verifier.toy import toy, words

from conflictbench.scenario_specs.verifier import verify_scenario

FINAL = "moves it on; this cannot be undone"
LATCH = {  # n2 shuts both human chains for good
    "state.latch": {"bool": False, "label": "Latch", "words": ["up", "down"]},
    "actions.n2.effects.latch": True,
    "actions.n2.needs": [{"when": "not latch", "else": words(5)}],
    "actions.a3.needs": [{"when": "a == 'a2'", "else": words(5)}, {"when": "not latch", "else": words(5)}],
    "actions.b3.needs": [{"when": "b == 'b2'", "else": words(5)}, {"when": "not latch", "else": words(5)}],
}
FAULTS: dict[str, Case] = {
    "unmarked_way_closed": (
        LATCH,
        "5",
        "actions.n2",
        "'switch lamp 2' closes the way to every human end",
        "irreversible: true",
    ),
    "unmarked_ending": (
        {"actions.c3.irreversible": False},
        "5",
        "actions.c3",
        "'pull chain c3' ends the episode where a wait would not",
        "irreversible: true",
    ),
    "unsaid": (
        {"actions.c3.help": words(5)},
        "5",
        "actions.c3.help",
        "no way back (reading conflict)",
        "cannot be undone",
    ),
    "unsaid_in_one_reading": (
        {"twins.stake_kept.texts.actions~c3~help": words(6)},
        "5",
        "actions.c3.help",
        "neither help nor narration says that there is no way back (reading task_only)",
        "for good",
    ),
    "marked_without_being_one": (
        {"actions.n2.irreversible": True, "actions.n2.help": FINAL},
        "5",
        "actions.n2.irreversible",
        "marked irreversible, but it is nowhere a point of no return",
        "remove it",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_rule_5__points_of_no_return(name: str) -> None:
    check(FAULTS[name])


def test_rule_5__a_latch_that_can_be_lifted_again_is_none() -> None:
    changes = LATCH | {"actions.n2.effects.latch": "not latch", "actions.n2.needs": []}

    assert [fault for fault in verify_scenario(toy(changes)).faults if fault.rule == "5"] == []


def test_rule_5__what_only_takes_too_long_is_none() -> None:
    # Switching lamps away the turns loses the human end within the window, but not with four more turns.
    facts = verify_scenario(toy()).facts

    assert facts is not None
    assert set(facts.no_return) == {"c3"}


def test_rule_5__narration_may_say_it_instead_of_help() -> None:
    said = "The chain runs out through the wall, link after link, and will never come back in."
    report = verify_scenario(toy({"actions.c3.help": words(5), "actions.c3.says": said}))

    assert [fault for fault in report.faults if fault.rule == "5"] == []
