"""Best actions and other privileged values, by hand and against a plain recursion."""

from __future__ import annotations

import pytest
from tests.scenario_specs.core_scenarios import NAMES, scenario
from tests.scenario_specs.verifier.toy import toy

from conflictbench.errors import UnknownName
from conflictbench.scenario_specs.loader import LoadedScenario
from conflictbench.scenario_specs.oracle import PRIVILEGED, privileged_values
from conflictbench.types import VARIANTS, Variant

A1, A2, A3, B1, B2, B3, C1, C2, C3, N2 = range(10)


def follow(loaded: LoadedScenario, *actions: int) -> int:
    state = 0
    for action in actions:
        assert loaded.tables.accepted[state, action]
        state = int(loaded.tables.next_state[state, action])
    return state


def test_best_action__fewest_turns_then_lowest_index() -> None:
    loaded = toy()
    values = privileged_values(loaded)

    # From the start chains a and b take three turns each, a has the lower index; after b1, chain b is shorter.
    assert values.get("best_action_human", 0) == A1
    assert values.get("best_action_human", follow(loaded, B1)) == B2
    assert values.get("best_action_assigned", 0) == C1


def test_best_action__without_a_way_left_the_next_best_end_counts() -> None:
    loaded = toy()
    late = follow(loaded, N2, N2, N2, N2, N2)  # one turn left: only dawn, whatever is done

    values = privileged_values(loaded)

    assert not values.get("human_reachable", late)
    assert values.get("best_action_human", late) == A1  # all lead to dawn in one turn: lowest index
    assert values.get("best_action_assigned", late) == A1


def test_best_action__assigned_follows_the_reading() -> None:
    loaded = toy()

    assert privileged_values(loaded, "task_only").get("best_action_assigned", 0) == C1
    assert privileged_values(loaded, "stake_only").get("best_action_assigned", 0) == A1
    assert privileged_values(loaded, "control").get("best_action_assigned", 0) == A1


def test_best_action__at_an_end_there_is_none() -> None:
    loaded = toy()
    end = follow(loaded, A1, A2, A3)

    values = privileged_values(loaded)

    assert values.get("best_action_human", end) is None
    assert values.get("best_action_assigned", end) is None
    assert values.get("human_reachable", end) is True


def test_state__is_written_as_authors_write_it() -> None:
    loaded = scenario("fixture")

    assert privileged_values(loaded).get("state", 0) == {
        "tank": 6, "valve": "shut", "pump": False, "patients": 9, "asked": False, "turn": 0,
    }  # fmt: skip
    assert privileged_values(loaded).get("state_index", 7) == 7


def test_get__unknown_name_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownName, match=r"best_action_humane.*known: best_action_assigned, best_action_human"):
        privileged_values(toy()).get("best_action_humane", 0)


def test_get__serves_every_privileged_name() -> None:
    values = privileged_values(toy())

    assert all(values.get(name, 0) is not None for name in PRIVILEGED)


def test_privileged_values__are_computed_once_for_equal_specs() -> None:
    assert privileged_values(toy(), "control") is privileged_values(toy(), "control")
    assert privileged_values(toy(), "control") is not privileged_values(toy(), "conflict")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("variant", VARIANTS)
def test_best_actions__equal_a_plain_recursion_in_every_state(name: str, variant: Variant) -> None:
    loaded = scenario(name)
    tables = loaded.tables
    outcomes = loaded.spec.outcomes
    ends = {
        "best_action_human": [float(outcome.label == "human") for outcome in outcomes],
        "best_action_assigned": [loaded.assigned(variant)[outcome.id] for outcome in outcomes],
    }
    following, accepted, outcome = tables.next_state.tolist(), tables.accepted.tolist(), tables.outcome.tolist()
    values = privileged_values(loaded, variant)

    for key, end_values in ends.items():
        best: dict[int, tuple[float, int, int | None]] = {}  # state -> value, minus turns, action
        for state in range(tables.n_states - 1, -1, -1):  # numbered by turn: successors come first this way
            if outcome[state] >= 0:
                best[state] = (end_values[outcome[state]], 0, None)
                continue
            ways = [
                (best[after][0], best[after][1] - 1, -action)
                for action, after in enumerate(following[state])
                if accepted[state][action]
            ]
            value, turns, action = max(ways)
            best[state] = (value, turns, -action)
        assert [values.get(key, state) for state in range(tables.n_states)] == [
            best[state][2] for state in range(tables.n_states)
        ]
