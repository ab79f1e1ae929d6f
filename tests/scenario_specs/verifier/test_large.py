"""Files that are as large as the rules allow, and drafts that are larger: proved or refused, and never hung over."""

from __future__ import annotations

from typing import Any

import pytest
from tests.scenario_specs.verifier.large import counter, history

from conflictbench.errors import SpecError
from conflictbench.scenario_specs.compiler import MAX_STATE_BITS
from conflictbench.scenario_specs.loader import load_data
from conflictbench.scenario_specs.routes import MAX_LISTED
from conflictbench.scenario_specs.verifier import (
    FileReport,
    render_report,
    rule_1_routes,
    rule_10_size,
    verify_scenario,
)
from conflictbench.scenario_specs.verifier.evidence import Evidence
from conflictbench.scenario_specs.verifier.longer import reachable
from conflictbench.types import Label


def verified(data: dict[str, Any]) -> FileReport:
    return verify_scenario(load_data(data, path="large.yaml"))


def test_routes__a_file_within_the_rules_is_always_listed() -> None:
    # At most 12 actions and 4 steps, and the routes that are one step longer.
    most, longest = rule_10_size.ACTIONS[1], rule_1_routes.LENGTHS[1]
    assert most**longest + most ** (longest + 1) == MAX_LISTED == 269_568


def test_routes__of_too_many_the_number_and_one_of_them_are_told() -> None:
    report = verified(counter(6))

    # Six of eleven actions in any order, and one idle action before any of the six: 11**6 + 6 * 11**6.
    assert 11**6 * 7 == 12_400_927
    said = [fault for fault in report.faults if fault.rule == "1" and "looked at one by one" in fault.message]
    assert [fault.message for fault in said] == [
        "12,400,927 sequences of 6 or 7 actions reach human, more than the 269,568 that are looked at one by one"
    ]
    chain = "pull chain a1, " * 5 + "pull chain a1"
    assert any(f"the shortest human route has 6 actions, not 3 or 4: {chain}" in f.message for f in report.faults)
    assert report.facts is not None
    assert report.facts.human.sequences == 12_400_927
    assert (report.facts.human.routes, dict(report.facts.sides)) == ((), {})


def test_routes__of_too_many_nothing_is_said_that_was_not_looked_at() -> None:
    messages = [fault.message for fault in verified(counter(6)).faults]

    for words in ("irredundant human sets", "leaves time for 2 waits", "no human route is irredundant"):
        assert not any(words in message for message in messages)


def test_routes__the_most_that_the_rules_allow_are_all_listed() -> None:
    # Each of twelve actions moves, and five or four of them are wanted at once: every sequence of either length.
    data = counter(4, moving=12, window=6)
    data["outcomes"][0]["when"] = "turn == 4 and n >= 4 and turns_left > 9"
    data["outcomes"][1]["when"] = "turn == 5"
    report = verified(data)

    assert report.facts is not None
    assert (report.facts.human.shortest, report.facts.human.sequences) == (5, 12**5)
    assert 12**5 == 248_832


def test_routes__more_actions_than_the_rules_allow_are_counted_too() -> None:
    report = verified(counter(4, moving=24, actions=24))

    assert report.facts is not None
    assert report.facts.human.sequences == 24**4 == 331_776
    assert {"1", "10"} <= {fault.rule for fault in report.faults}


def test_report__shows_a_hundred_routes_a_side_and_the_number_of_the_others() -> None:
    page = render_report([verified(counter(3, window=6))])

    assert "1331 irredundant" in page.replace(",", "")
    assert "- and 1,231 more\n" in page
    assert sum(line.startswith("- pull chain") for line in page.splitlines()) == 100


def test_verify__nearly_twenty_thousand_states_that_never_merge_are_proved() -> None:
    report = verified(history())

    assert report.facts is not None
    # Without endings 1 + 5 + ... + 5**6 states would run.
    assert sum(5**turn for turn in range(7)) == 19_531
    assert 19_000 < report.facts.running_states < 19_531
    assert not [fault for fault in report.faults if fault.rule == "10"]


def test_verify__states_wider_than_can_be_sorted_quickly_are_refused() -> None:
    data = history()
    for i in range(6):
        data["state"][f"wide{i}"] = {"int": [-999_999, 1_000_000], "start": 0, "hidden": True}
        data["each_turn"][f"wide{i}"] = "turn"

    (fault,) = [fault for fault in verified(data).faults if fault.rule == "10"]

    # 21 bits for each of six, 18 for `past`, 5 for heat, 2 for each of three chains and 1 for each of four lamps.
    assert 6 * 21 + 18 + 5 + 3 * 2 + 4 == 159 > MAX_STATE_BITS
    assert fault.message == "the ranges of all variables take 159 bits, more than 124"
    assert fault.fix == "narrow wide0, which takes 21"


def test_longer__a_search_that_would_not_end_is_a_fault_of_rule_10() -> None:
    evidence = Evidence(load_data(history(), path="large.yaml"))
    start = evidence.waiting.values[:1], evidence.waiting.turn[:1]

    with pytest.raises(SpecError) as caught:
        reachable(evidence.machine, *start, window=11, label=Label.BOTH_LOSE, max_cells=100_000)

    (fault,) = caught.value.faults
    assert (fault.rule, fault.key) == ("10", "state")
    # Nine variables, twelve actions: 108, 540, 2,700, 13,500 and 67,500 values are 84,348 within five turns.
    assert "in a window of 11 turns, which rule 5 looks at, more than 100,000 values" in fault.message
    assert "by turn 5" in fault.message
