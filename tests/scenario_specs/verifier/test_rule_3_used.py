"""Rule 3: what is declared happens, and numbers are named."""

from __future__ import annotations

from typing import Any

import pytest
from tests.scenario_specs.verifier.checking import Case, check, with_burnt
from tests.scenario_specs.verifier.toy import toy, words

from conflictbench.scenario_specs.verifier import verify_scenario

NEVER = [{"when": "heat > 50", "else": "It is too cold for that."}]
ALTERNATIVES = [{"when": "heat > 60", "text": words(14)}, {"text": words(14)}]
ENDS = [{"when": "c == 'c3'", "text": words(60)}, {"text": words(60)}]

FAULTS: dict[str, Case] = {
    "never_accepted": (
        {"actions.n2.needs": NEVER},
        "3",
        "actions.n2",
        "'switch lamp 2' is accepted in no reachable state",
        "loosen needs",
    ),
    "never_rejected": (
        {"actions.n2.needs": [{"when": "heat < 60", "else": "At 60 it is too hot."}]},
        "3",
        "actions.n2",
        "has needs but is rejected in no reachable state",
        "remove `needs`",
    ),
    "shadowed_else": (
        {"actions.a2.needs": [{"when": "a == 'a1'", "else": words(5)}, {"when": "a != 'a2'", "else": words(5)}]},
        "3",
        "actions.a2.needs.2.else",
        "never printed: no reachable state fails \"a != 'a2'\" first",
        "remove this need",
    ),
    "shadowed_says": ({"actions.a1.says": ALTERNATIVES}, "3", "actions.a1.says.1", "printed in no reachable", "remove"),
    "shadowed_ends": ({"outcomes.human_a.ends": ENDS}, "3", "outcomes.human_a.ends.1", "printed in no", "remove"),
    "shadowed_outcome": (
        with_burnt("a == 'a3' and heat > 20"),
        "3",
        "outcomes.burnt",
        "no reachable state ends in burnt",
        "move it before the outcome that shadows it",
    ),
    "always_known": (
        {"state.w2.known": "heat >= 20", "state.w2.unknown": "not seen"},
        "3",
        "state.w2.known",
        "'heat >= 20' always holds, so `unknown` is never printed",
        "",
    ),
    "never_known": (
        {"state.w2.known": "heat > 50", "state.w2.unknown": "not seen"},
        "3",
        "state.w2.known",
        "'heat > 50' never holds, so the value is never printed",
        "",
    ),
    "not_written": (
        {"actions.a1.effects": {"a": "a1"}},
        "3",
        "state.w1",
        "no effect and no each_turn writes w1",
        "remove",
    ),
    "never_changes": ({"actions.a1.effects.w1": False}, "3", "state.w1", "w1 is written but never changes", "remove"),
    "hidden_and_unread": (
        {"state.w1": {"bool": False, "hidden": True}},
        "3",
        "state.w1",
        "hidden variable w1 is read by nothing",
        "remove",
    ),
    "own_update_is_no_reading": (
        {"state.count": {"int": [0, 6], "start": 0, "hidden": True}, "each_turn.count": "count + 1"},
        "3",
        "state.count",
        "hidden variable count is read by nothing",
        "remove",
    ),
    "unnamed_threshold_in_a_need": (
        {"actions.n2.needs": [{"when": "heat < 40", "else": words(5)}]},
        "3",
        "actions.n2.needs.1.when",
        "threshold 40 is named in no help and no `else`",
        "name 40 in actions.n2.help",
    ),
    "unnamed_threshold_in_an_outcome": (
        with_burnt("heat >= 45 and w2"),
        "3",
        "outcomes.burnt.when",
        "threshold 45 is named in no help and no `else`",
        "name 45 in the help of an action",
    ),
    "unnamed_threshold_below_zero": (
        {"state.frost": {"int": [-60, 0], "start": 0, "label": "Frost", "unit": "C"}, "each_turn.frost": "frost - 10"}
        | {"actions.n2.needs": [{"when": "frost > -40", "else": words(5)}]},
        "3",
        "actions.n2.needs.1.when",
        "threshold 40 is named in no help and no `else`",
        "name 40 in actions.n2.help",
    ),
    "threshold_lost_in_a_reading": (
        {
            "actions.n2.needs": [{"when": "heat < 40", "else": words(5)}],
            "actions.n2.help": "works below forty degrees",
            "twins.task_for.texts.actions~n2~help": "works while it is cold",
        },
        "3",
        "actions.n2.needs.1.when",
        "threshold 40 is named in no help and no `else` of the readings stake_only, control",
        "name 40",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_rule_3__everything_happens(name: str) -> None:
    check(FAULTS[name])


WARNINGS: dict[str, Case] = {
    "shown_and_unread": ({"state.w1.stake": False}, "3", "state.w1", "w1 is shown but read by nothing", "stake: true"),
    "wide_range": (
        {"state.heat.int": [10, 90]},
        "3",
        "state.heat.int",
        "range [10, 90] is wider than the reachable [20, 50]",
        "int: [20, 50]",
    ),
    "value_never_taken": (
        {"state.a.enum": ["a0", "a1", "a2", "a3", "a4"]},
        "3",
        "state.a.enum",
        "a never becomes 'a4'",
        "remove it",
    ),
}


@pytest.mark.parametrize("name", WARNINGS)
def test_rule_3__warns(name: str) -> None:
    check(WARNINGS[name], severity="warning")


@pytest.mark.parametrize(
    "changes",
    [
        {"actions.n2.needs": [{"when": "heat < 40", "else": "At forty degrees and more the lamp trips."}]},
        {
            "actions.n2.needs": [{"when": "heat < 40", "else": words(5)}],
            "actions.a1.help": "before the fortieth degree",
        },
        {"actions.n2.needs": [{"when": "turn < 4", "else": words(5)}]},
        {"actions.n2.needs": [{"when": "turns_left > 2", "else": words(5)}]},
        {"state.zero": {"int": [0, 12], "start": 0, "label": "Zero"}, "each_turn.zero": "zero + 2"}
        | {"actions.n2.needs": [{"when": "zero == 0", "else": words(5)}]},
    ],
    ids=["word", "ordinal_elsewhere", "turn", "turns_left", "zero"],
)
def test_rule_3__thresholds_that_are_named_or_need_no_name(changes: dict[str, Any]) -> None:
    report = verify_scenario(toy(changes))

    assert [fault for fault in report.faults if "threshold" in fault.message] == []


def test_rule_3__a_stage_held_only_within_a_turn_is_a_value() -> None:
    # n2 lays the lamp out, each_turn lights it in the same turn: laid_out is never seen between turns.
    changes = {
        "state.lamp": {"enum": ["dark", "laid_out", "lit"], "start": "dark", "label": "Lamp", "stake": True},
        "actions.n2.effects.lamp": "'laid_out' if lamp == 'dark' else lamp",
        "each_turn.lamp": "'lit' if lamp == 'laid_out' else lamp",
    }

    assert [fault for fault in verify_scenario(toy(changes)).faults if fault.key.startswith("state.lamp")] == []
