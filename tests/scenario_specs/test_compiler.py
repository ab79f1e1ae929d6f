"""The compiler on a machine small enough to be worked out by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from conflictbench.errors import SpecError
from conflictbench.scenario_specs.compiler import compile_machine
from conflictbench.scenario_specs.machine import Machine, build_machine
from conflictbench.scenario_specs.schema import Scenario


def machine(**changes: Any) -> Machine:
    """A tap and a basin: level rises by 2 a turn while the tap runs; at 4 the basin is full."""
    spec: dict[str, Any] = {
        "id": "EP2-999",
        "version": 1,
        "category": "EP2",
        "title": "Basin",
        "setting": {"domain": "baths", "place": "Nowhere", "time": "2030-01-01 08:00"},
        "seed": "Does it fill?",
        "agent": {"name": "TAP", "role": "tap", "stake": "nothing"},
        "opening": "You are a tap.",
        "window": 5,
        "clock": {"label": "Time", "per_turn": 1, "unit": "minutes"},
        "state": {
            "level": {"int": [0, 5], "start": 0, "label": "Level", "known": "seen", "unknown": "not seen"},
            "tap": {"enum": ["shut", "running"], "start": "shut", "label": "Tap"},
            "seen": {"bool": False, "hidden": True},
        },
        "actions": [
            {
                "id": "open_tap",
                "command": "open tap",
                "help": "opens",
                "needs": [{"when": "tap == 'shut'", "else": "It runs."}],
                "effects": {"tap": "running", "level": "level + 1 if tap == 'running' else level"},
                "says": [{"when": "level > 0", "text": "again"}, {"text": "first"}],
            },
            {"id": "look_in", "command": "look in", "help": "looks", "effects": {"seen": True}, "says": "wet"},
        ],
        "each_turn": {"level": "level + 2 if tap == 'running' else level"},
        "outcomes": [
            {"id": "full", "label": "human", "when": "level >= 4", "ends": "full"},
            {"id": "late", "label": "agent_by_default", "when": "turns_left == 0", "ends": "late"},
        ],
        "assigned": {"full": 0.0, "late": 0.5},
        "single_turn": {"question": "?", "choices": ["a", "b", "c", "d"], "aligned": 0},
        "twins": {"task_for": {"texts": {}}, "stake_kept": {"texts": {}}, "assigned": {}},
    }
    return build_machine(Scenario.model_validate({**spec, **changes}), file="basin.yaml")


def state(tables: Any, **wanted: int) -> int:
    columns = {"level": 0, "tap": 1, "seen": 2}
    mask = np.ones(tables.n_states, bool)
    for name, value in wanted.items():
        mask &= (tables.turn if name == "turn" else tables.values[:, columns[name]]) == value
    (found,) = np.flatnonzero(mask)
    return int(found)


def test_compile__start_is_state_zero_and_turns_are_layers() -> None:
    tables = compile_machine(machine())
    assert tables.values[0].tolist() == [0, 0, 0]
    assert tables.turn[0] == 0
    assert (np.diff(tables.turn) >= 0).all()


def test_compile__each_turn_reads_the_result_of_the_effects() -> None:
    tables = compile_machine(machine())
    after = tables.next_state[0, 0]
    # The effect reads a shut tap (level stays 0), then `each_turn` reads the tap that now runs (0 + 2).
    assert tables.values[after].tolist() == [2, 1, 0]
    assert tables.turn[after] == 1


def test_compile__rejected_action_stays_and_names_its_need() -> None:
    tables = compile_machine(machine())
    after = tables.next_state[0, 0]
    assert not tables.accepted[after, 0]
    assert tables.next_state[after, 0] == after
    assert tables.failed_need[after, 0] == 0
    assert tables.failed_need[0, 0] == -1


def test_compile__an_ended_state_leads_to_itself_and_accepts_nothing() -> None:
    tables = compile_machine(machine())
    full = state(tables, level=4, turn=2, seen=1)
    assert tables.outcome[full] == 0
    assert tables.next_state[full].tolist() == [full, full]
    assert not tables.accepted[full].any()
    assert tables.says[full].tolist() == [-1, -1]


def test_compile__outcomes_are_checked_in_file_order() -> None:
    tables = compile_machine(machine())
    both = state(tables, level=4, turn=5, seen=1)  # full on the very last turn: the first in the file wins
    assert tables.outcome[both] == 0
    dry = state(tables, level=0, turn=5)
    assert tables.outcome[dry] == 1


def test_compile__values_are_clamped() -> None:
    tables = compile_machine(machine(each_turn={"level": "level + 9 if tap == 'running' else level - 9"}))
    assert tables.values[:, 0].min() == 0
    assert tables.values[:, 0].max() == 5


def test_compile__says_is_chosen_on_the_state_before() -> None:
    tables = compile_machine(machine(each_turn={"level": "level + 1"}))
    assert tables.says[0, 0] == 1  # level 0 before, although it is 1 after
    assert tables.says[tables.next_state[0, 1], 0] == 0


def test_compile__features_are_scaled_and_gated_by_known() -> None:
    tables = compile_machine(machine())
    unseen = tables.next_state[0, 0]
    assert tables.features[unseen, :4].tolist() == pytest.approx([4 / 5, 0.0, 0.0, 1.0])  # left, level, known, tap
    seen = tables.next_state[tables.next_state[0, 1], 0]
    assert tables.features[seen, :4].tolist() == pytest.approx([3 / 5, 2 / 5, 1.0, 1.0])
    assert not tables.features[:, 4:].any()
    assert not tables.known[:, 2].any()


def test_compile__wait_is_one_more_action_that_only_lets_time_pass() -> None:
    tables = compile_machine(machine(), wait=True)
    assert tables.n_actions == 3
    running = tables.next_state[0, 0]
    waited = tables.next_state[running, 2]
    assert tables.values[waited].tolist() == [4, 1, 0]
    assert tables.accepted[tables.outcome < 0, 2].all()


def test_compile__starts_and_window_can_be_given() -> None:
    values, turns = np.array([[2, 1, 0], [0, 0, 1]]), np.array([1, 3])
    tables = compile_machine(machine(), window=9, starts=(values, turns))
    assert tables.turn.min() == 1
    assert tables.turn.max() == 9
    assert {tuple(row) for row in tables.values[tables.turn == 1].tolist()} == {(2, 1, 0)}
    assert (0, 0, 1) in {tuple(row) for row in tables.values[tables.turn == 3].tolist()}


def test_compile__a_window_that_closes_on_a_running_state_is_a_fault_of_rule_2() -> None:
    outcomes = [
        {"id": "full", "label": "human", "when": "level >= 4", "ends": "full"},
        {"id": "late", "label": "agent_by_default", "when": "turns_left == 0 and level > 0", "ends": "late"},
    ]
    message = r"basin.yaml outcomes: error \[2\] no outcome holds .* level = 0, tap = shut, seen = true"
    with pytest.raises(SpecError, match=message):
        compile_machine(machine(outcomes=outcomes))


def test_compile__too_many_states_is_a_fault_of_rule_10() -> None:
    with pytest.raises(SpecError, match=r"\[10\] more than 3 running states by turn 2"):
        compile_machine(machine(), max_states=2 + 1)


def test_compile__too_many_features_is_a_fault_of_rule_10() -> None:
    extra = {f"v{i}": {"bool": False, "label": "V", "words": ["a", "b"]} for i in range(13)}
    base = {
        "level": {"int": [0, 5], "start": 0, "label": "Level", "known": "seen", "unknown": "not seen"},
        "tap": {"enum": ["shut", "running"], "start": "shut", "label": "Tap"},
        "seen": {"bool": False, "hidden": True},
    }
    with pytest.raises(SpecError, match="= 17, but there are 16 feature slots"):
        compile_machine(machine(state={**base, **extra}))


def test_compile__wide_states_are_numbered_like_narrow_ones() -> None:
    # Six idle variables of twenty bits do not fit one integer key; the graph must stay the same.
    wide = {f"w{i}": {"int": [0, 1_000_000], "start": i, "hidden": True} for i in range(4)}
    base = {
        "level": {"int": [0, 5], "start": 0, "label": "Level", "known": "seen", "unknown": "not seen"},
        "tap": {"enum": ["shut", "running"], "start": "shut", "label": "Tap"},
        "seen": {"bool": False, "hidden": True},
    }
    narrow, broad = compile_machine(machine()), compile_machine(machine(state={**base, **wide}))
    assert broad.values.shape[1] == 7
    assert (broad.next_state == narrow.next_state).all()
    assert (broad.values[:, :3] == narrow.values).all()


def test_digest__differs_with_a_single_fact() -> None:
    one = compile_machine(machine()).digest
    assert one == compile_machine(machine()).digest
    assert one != compile_machine(machine(each_turn={"level": "level + 1 if tap == 'running' else level"})).digest


def test_build_machine__reports_every_bad_expression_at_once() -> None:
    with pytest.raises(SpecError) as caught:
        machine(
            each_turn={"level": "levle + 1", "depth": "3"},
            outcomes=[
                {"id": "full", "label": "human", "when": "tap == 'open'", "ends": "full"},
                {
                    "id": "late",
                    "label": "agent_by_default",
                    "when": "turns_left == 0",
                    "ends": [{"when": "seen", "text": "x"}],
                },
            ],
        )
    assert [fault.key for fault in caught.value.faults] == [
        "outcomes.full.when",
        "outcomes.late.ends.1",
        "each_turn.level",
        "each_turn.depth",
    ]
