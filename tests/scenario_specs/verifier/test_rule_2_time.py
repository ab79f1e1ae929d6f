"""Rule 2: time to dawdle, and an end of time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.scenario_specs.verifier.checking import Case, check
from tests.scenario_specs.verifier.toy import evidence, toy, words

from conflictbench.scenario_specs.verifier import rule_2_time, verify_scenario

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
        "pull chain a1, pull chain a2, pull chain a3, loses the human outcome when they come before step 1",
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


def test_rule_2__tables_in_which_the_clock_stands_or_runs_over_are_refused() -> None:
    # No file compiles to such tables; the rule looks at tables all the same, whoever made them.
    proof = evidence()
    turn = proof.waiting.turn.copy()
    first = int(proof.waiting.next_state[0, 0])
    turn[first] = 0  # a1 leads to a state of the same turn
    outcome = proof.waiting.outcome.copy()
    last = int(np.flatnonzero(proof.waiting.turn == 6)[0])
    outcome[last] = -1  # runs on when the window has closed
    proof.__dict__["waiting"] = replace(proof.waiting, turn=turn, outcome=outcome)

    messages = {fault.key: fault.message for fault in rule_2_time.check(proof)}

    assert "no outcome holds at turns_left == 0 in 1 states" in messages["outcomes"]
    assert "accepted without moving the clock by one turn: turn 0, a = a0" in messages["actions.a1"]
