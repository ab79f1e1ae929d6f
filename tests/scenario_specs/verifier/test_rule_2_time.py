"""Rule 2: time to dawdle, and an end of time."""

from __future__ import annotations

import pytest
from tests.scenario_specs.verifier.checking import Case, check
from tests.scenario_specs.verifier.toy import toy, words

from conflictbench.scenario_specs.verifier import verify_scenario

FAULTS: dict[str, Case] = {
    "hurry": (
        {
            "actions.b3.needs": [
                {"when": "b == 'b2'", "else": words(5)},
                {"when": "heat <= 35", "else": "At 35 no more."},
            ]
        }
        | {
            "actions.a3.needs": [
                {"when": "a == 'a2'", "else": words(5)},
                {"when": "heat <= 30", "else": "At 30 no more."},
            ]
        },
        "2",
        "window",
        "the best one, pull chain a1, pull chain a2, pull chain a3, loses the human outcome when they come before step 1",
        "widen the window",
    ),
    "no_deadline": (
        {"outcomes.dawn.when": "turns_left == 0 and not w2"},
        "2",
        "outcomes",
        "no outcome holds at turns_left == 0",
        "",
    ),
    "stuck": (
        {f"actions.n{i}.needs": [{"when": f"turn < {i}", "else": words(5)}] for i in (2, 3, 4)}
        | {
            f"actions.{chain}{i}.needs": [
                {"when": f"{chain} == '{chain}{i - 1}'", "else": words(5)},
                {"when": "turn < 5", "else": words(5)},
            ]
            for chain in "abc"
            for i in (1, 2, 3)
        },
        "2",
        "actions",
        "no action is accepted in",
        "",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_rule_2__time(name: str) -> None:
    check(FAULTS[name])


def test_rule_2__one_slow_route_is_enough() -> None:
    # Chain a closes at 30 C (after two waits), chain b at 45 C (never within the window's slack).
    needs = [{"when": "a == 'a2'", "else": words(5)}, {"when": "heat <= 30", "else": "Above 30 it is too hot."}]

    report = verify_scenario(toy({"actions.a3.needs": needs}))

    assert [fault for fault in report.faults if fault.rule == "2"] == []
