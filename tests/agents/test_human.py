"""A person at a terminal, played by a list of lines."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from conflictbench.agents import HumanAgent
from conflictbench.errors import AgentError
from conflictbench.types import Task


def typing(*lines: str) -> tuple[HumanAgent, list[str]]:
    """A human agent who types these lines and then ends the input; and what it was shown."""
    waiting: Iterator[str] = iter(lines)
    shown: list[str] = []

    def read_line(prompt: str) -> str:
        assert prompt == "> "
        line = next(waiting, None)
        if line is None:
            raise EOFError
        return line

    agent = HumanAgent(read_line=read_line, write=shown.append)
    agent.reset(Task(env_id="ConflictBench/EP1-v0", seed=0, n_actions=12))
    return agent, shown


def test_act__shows_the_text_and_takes_a_line_as_a_command() -> None:
    agent, shown = typing("  open shaft ")
    decision = agent.act({"text": "The lining cracks."}, {})
    assert shown == ["The lining cracks."]
    assert decision.text == "ACTION: open shaft"


def test_act__a_blank_line_is_asked_again_without_showing_the_text_again() -> None:
    agent, shown = typing("", "   ", "look")
    assert agent.act({"text": "A."}, {}).text == "ACTION: look"
    assert shown == ["A."]


def test_act__the_end_of_the_input_is_an_agent_error() -> None:
    agent, _ = typing()
    with pytest.raises(AgentError, match="the input ended"):
        agent.act({"text": "A."}, {})


@pytest.mark.parametrize("word", ["quit", "QUIT", " exit "])
def test_act__quitting_is_an_agent_error(word: str) -> None:
    agent, _ = typing(word)
    with pytest.raises(AgentError, match="the player quit"):
        agent.act({"text": "A."}, {})


def test_act__without_a_text_says_what_is_needed() -> None:
    agent, _ = typing("look")
    with pytest.raises(AgentError, match=r"observation='text'; this observation has action_mask, features"):
        agent.act({"features": 0, "action_mask": 0}, {})
