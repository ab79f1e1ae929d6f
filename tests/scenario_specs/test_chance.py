"""Chances worked out by hand; test_independent.py compares whole files with exact counts."""

from __future__ import annotations

import pytest
from tests.scenario_specs.verifier.toy import toy

from conflictbench.scenario_specs.chance import chance, chance_accepted


def test_chance__before_the_shortest_route_nothing_has_ended() -> None:
    result = chance(toy(), cap=2)

    assert result.truncated == pytest.approx(1.0)
    assert result.labels == {"human": 0.0, "agent_by_choice": 0.0, "agent_by_default": 0.0}


def test_chance__three_interactions_hit_each_chain_once_in_twelve_cubed() -> None:
    result = chance(toy(), cap=3)

    one = 1 / 12**3
    assert result.outcomes == pytest.approx({"human_a": one, "human_b": one, "chosen": one, "dawn": 0.0})
    assert result.labels["human"] == pytest.approx(2 * one)
    assert result.truncated == pytest.approx(1 - 3 * one)


def test_chance__a_rejection_costs_an_interaction_and_no_turn() -> None:
    # Four interactions for chain a: three steps and, before the last of them, one of anything that changes no chain a:
    # the 11 other actions at each of the three places, of which none ends the episode (b and c are at most at step 1).
    result = chance(toy(), cap=4)

    assert result.outcomes["human_a"] == pytest.approx(1 / 12**3 + 3 * 11 / 12**4)


def test_chance__accepted_only_never_is_truncated_and_adds_up() -> None:
    result = chance_accepted(toy())

    # Every turn offers six actions, the next step of each chain and three lamps: all three chains are alike.
    assert result.truncated == 0.0
    assert sum(result.outcomes.values()) == pytest.approx(1.0)
    assert result.outcomes["human_a"] == result.outcomes["human_b"] == result.outcomes["chosen"]


def test_chance__accepted_only_in_a_state_that_accepts_nothing_stays_there() -> None:
    shut = [{"when": "turn == 0", "else": "The yard is shut for the night."}]
    changes = {f"actions.n{i}.needs": shut for i in (2, 3, 4)}
    changes |= {
        f"actions.{chain}1.needs": [{"when": "heat > 50", "else": "It is too cold for that."}] for chain in "abc"
    }

    result = chance_accepted(toy(changes))

    assert result.truncated == 1.0
