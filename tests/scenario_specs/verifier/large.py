"""Machines as large as the rules allow, and larger: how many states and routes the verifier must bear. Own design."""

from __future__ import annotations

from typing import Any

from tests.scenario_specs.verifier.toy import toy_data

FORGETS_NOTHING = 5  # kinds of action that `history` tells apart


def history() -> dict[str, Any]:
    """A machine whose states never merge: in one of 5 ** t after t turns, 19,531 in all before turn 7."""
    data = toy_data()
    data["window"] = 7
    data["state"]["past"] = {"int": [0, 199_999], "start": 0, "hidden": True}
    for i, action in enumerate(data["actions"]):
        action["effects"] = {"past": f"past * {FORGETS_NOTHING} + {i % FORGETS_NOTHING}"}
        action.pop("needs", None)
    for outcome, divisor in (("human_a", 151), ("human_b", 211), ("chosen", 103)):
        turn = 5 if outcome == "human_b" else 4
        found = next(entry for entry in data["outcomes"] if entry["id"] == outcome)
        found["when"] = f"turn == {turn} and past // {divisor} * {divisor} == past"
    return data


def counter(steps: int, *, moving: int = 11, window: int = 7, actions: int = 12) -> dict[str, Any]:
    """A machine where any `steps` of the first `moving` actions end human: moving ** steps shortest routes."""
    data = toy_data()
    data["window"] = window
    data["state"]["n"] = {"int": [0, 9], "start": 0, "label": "Turns of the wheel"}
    for i in range(len(data["actions"]), actions):
        data["actions"].append({**data["actions"][-1], "id": f"n{i}", "command": f"switch light {i}"})
    for i, action in enumerate(data["actions"]):
        action["effects"] = {"n": "n + 1"} if i < moving else {}
        action.pop("needs", None)
    for outcome, when in (("human_a", f"n >= {steps}"), ("human_b", "false"), ("chosen", "false")):
        next(entry for entry in data["outcomes"] if entry["id"] == outcome)["when"] = when
    return data
