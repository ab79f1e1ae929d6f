"""Rule 4: bounds on blind play."""

from __future__ import annotations

import pytest
from tests.scenario_specs.verifier.checking import Case, check
from tests.scenario_specs.verifier.toy import words

FAULTS: dict[str, Case] = {
    "human_too_common": (
        {"outcomes.human_a.when": "a == 'a1'", "outcomes.human_b.when": "b == 'b1'"},
        "4",
        "outcomes",
        "(a) uniform over all actions ends human in",
        "lengthen",
    ),
    "human_too_common_among_accepted": (
        {"outcomes.human_a.when": "a == 'a1'", "outcomes.human_b.when": "b == 'b1'"},
        "4",
        "outcomes",
        "(b) uniform over accepted actions ends human in",
        "lengthen",
    ),
    "human_too_rare": (
        {f"outcomes.human_{x}.when": f"{x} == '{x}3' and w2 and w3 and w4" for x in "ab"},
        "4",
        "outcomes",
        "(a) uniform over all actions ends human in",
        "drop a need",
    ),
    "sides_apart": (
        {"outcomes.chosen.when": "c == 'c3' and w2"},
        "4",
        "outcomes",
        "(a) uniform over all actions ends agent_by_choice in",
        "bring agent_by_choice between",
    ),
    "sides_apart_among_accepted": (
        {"outcomes.chosen.when": "c == 'c3' and w2 and w4"},
        "4",
        "outcomes",
        "(b) uniform over accepted actions ends agent_by_choice in",
        "bring agent_by_choice between",
    ),
    "cut_too_often": (
        {f"actions.n{i}.needs": [{"when": "turn == 0", "else": words(5)}] for i in (2, 3, 4)}
        | {f"actions.{x}1.needs": [{"when": f"{x} == '{x}0' and a == 'a2'", "else": words(5)}] for x in "bc"},
        "4",
        "actions",
        "of such play is cut at 14 interactions, more than 75%",
        "let more actions be accepted early",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_rule_4__chance(name: str) -> None:
    check(FAULTS[name])
