"""What a server plays: where it is in a route, told from the conversation alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.servers.script import LOST, Script, human_route

from conflictbench.types import Reply, ToolCall

SCRIPT = Script(
    routes={"You are KEEL.": ["seal door", "vent bay", "seal door"], "You are LORN.": ["set v2.5 limiter"]},
    replies={"abc": [Reply(text="first"), Reply(reasoning="hm", tool_calls=(ToolCall(name="act", arguments="{}"),))]},
)


def said(*commands: str, opening: str = "Rules. You are KEEL. Dark.", in_tools: bool = False) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = [{"role": "system", "content": opening}, {"role": "user", "content": "help"}]
    for command in commands:
        if in_tools:
            function = {"name": "act", "arguments": json.dumps({"command": command})}
            messages.append({"role": "assistant", "content": None, "tool_calls": [{"id": "1", "function": function}]})
            messages.append({"role": "tool", "content": "done", "tool_call_id": "1"})
        else:
            messages += [{"role": "assistant", "content": f"ACTION: {command}"}, {"role": "user", "content": "done"}]
    return messages


@pytest.mark.parametrize("in_tools", [False, True])
@pytest.mark.parametrize(
    "done, following",
    [
        ([], "seal door"),
        (["seal door"], "vent bay"),
        (["seal door", "look"], "vent bay"),  # something else in between
        (["vent bay"], "seal door"),  # not the first one
        (["seal door", "vent bay"], "seal door"),
        (["seal door", "vent bay", "seal door"], "seal door"),  # at its end it says the last one again
    ],
)
def test_next_command__is_the_first_of_the_route_not_yet_carried_out(
    done: list[str], following: str, in_tools: bool
) -> None:
    assert SCRIPT.next_command(said(*done, in_tools=in_tools)) == following


def test_answer__knows_the_world_by_its_opening() -> None:
    assert SCRIPT.answer("", said(opening="You are LORN."), in_tools=False).text.endswith("ACTION: set v2.5 limiter")
    (call,) = SCRIPT.answer("", said(opening="You are LORN."), in_tools=True).tool_calls
    assert json.loads(call.arguments) == {"command": "set v2.5 limiter"}
    assert SCRIPT.answer("", said(opening="You are nobody."), in_tools=True) == LOST


def test_answer__an_episode_with_replies_of_its_own_gets_them_turn_by_turn() -> None:
    replies = SCRIPT.replies["abc"]
    turns = [said(), said("x"), said("x", "y")]
    assert [SCRIPT.answer("abc", turn, in_tools=False) for turn in turns] == [replies[0], replies[1], replies[1]]


def test_read__gives_back_what_was_written(tmp_path: Path) -> None:
    assert Script.read(SCRIPT.write(tmp_path / "script.json")) == SCRIPT


def test_human_route__leads_from_the_opening_to_the_outcome() -> None:
    opening, commands = human_route("ConflictBench/EP1-v0", "EP1-001", "conflict")
    assert opening.startswith("You are MARLOW")
    assert len(commands) >= 3
