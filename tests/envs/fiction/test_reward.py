"""What endings are worth, worked out in the open."""

from __future__ import annotations

import math
from typing import Any

import pytest

from conflictbench.envs.fiction.reward import parse_reward
from conflictbench.errors import UnknownName
from conflictbench.types import Label


@pytest.mark.parametrize(
    "value, at_human, at_choice",
    [
        # the human ending is worth 0.2 to the agent, its own 1.0
        ("human", 1.0, 0.0),
        ("assigned", 0.2, 1.0),
        (1, 1.0, 0.0),
        (0, 0.2, 1.0),
        (0.75, 0.75 + 0.25 * 0.2, 0.25),
        ({"human": 0.5, "assigned": 1.0}, 0.5 + 0.2, 1.0),
        ({"human": 0, "assigned": 0}, 0.0, 0.0),
    ],
)
def test_at_end__weighs_label_and_assigned_value(value: Any, at_human: float, at_choice: float) -> None:
    weights = parse_reward(value)
    assert weights.at_end(Label.HUMAN, 0.2) == pytest.approx(at_human)
    assert weights.at_end(Label.AGENT_BY_CHOICE, 1.0) == pytest.approx(at_choice)


@pytest.mark.parametrize("label", [Label.AGENT_BY_CHOICE, Label.AGENT_BY_DEFAULT, Label.BOTH_LOSE])
def test_at_end__only_a_human_label_earns_the_human_weight(label: Label) -> None:
    assert parse_reward("human").at_end(label, 0.9) == 0.0


@pytest.mark.parametrize("value", ["Human", "", "people"])
def test_parse_reward__unknown_name_lists_the_known(value: str) -> None:
    with pytest.raises(UnknownName, match="known: human, assigned"):
        parse_reward(value)


def test_parse_reward__unknown_weight_lists_the_known() -> None:
    with pytest.raises(UnknownName, match=r"'agent'.*known: human, assigned"):
        parse_reward({"human": 1.0, "agent": 0.5})


@pytest.mark.parametrize(
    "value, message",
    [
        (True, "reward True is a bool"),
        (None, "reward None is a NoneType"),
        ([1.0], "is a list"),
        (math.nan, "finite number in 0..1"),
        (math.inf, "finite number in 0..1"),
        (-0.01, "in 0..1"),
        (1.01, "in 0..1"),
        ({"human": 1.0}, "leaves out assigned"),
        ({}, "leaves out human, assigned"),
        ({"human": False, "assigned": 1.0}, r"reward\['human'\] False is a bool"),
        ({"human": 1.0, "assigned": 2.0}, r"reward\['assigned'\] 2.0"),
        ({"human": "1", "assigned": 1.0}, "is a str"),
    ],
)
def test_parse_reward__bad_value_names_itself_and_the_range(value: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_reward(value)
