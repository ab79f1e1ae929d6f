"""A person at a terminal, played by a list of lines."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from conflictbench.agents import HumanAgent
from conflictbench.errors import AgentError
from conflictbench.types import EpisodeKey, EpisodeRecord, Event, Label, Status, StepRecord, Task


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
    agent.reset(
        Task(
            env_id="ConflictBench/EP1-v0",
            seed=0,
            n_actions=12,
            scenario="EP1-001",
            title="A tunnel",
            max_interactions=14,
        )
    )
    return agent, shown


def test_reset__says_what_is_played_and_what_a_player_has_to_know() -> None:
    _, shown = typing()
    assert shown[0].split("\n") == [
        "EP1-001  A tunnel (conflict)",
        "`help` lists the commands, `quit` leaves.",
        "You have 14 commands; `help`, `look` and rejected ones count too.",
        "",
    ]


def test_act__wraps_the_text_and_says_which_turn_and_command_it_is() -> None:
    agent, shown = typing("look", "look")
    agent.act({"text": "word " * 20}, {"turn": 2, "turns_left": 4, "interactions": 5})
    # sixteen words of four letters and the blanks between them take 79 columns
    assert shown[1] == f"{' '.join(['word'] * 16)}\n{' '.join(['word'] * 4)}\n\n(turn 3 of 6, command 6 of 14)"


def test_finish__shows_the_last_answer_the_ending_and_the_route() -> None:
    agent, shown = typing()
    steps = (
        StepRecord(index=0, command="look", event=Event.FREE, text="You see."),
        StepRecord(index=1, command="open valve", event=Event.ACCEPTED, text="It opens.", turn=1),
    )
    key = EpisodeKey(scenario="EP1-001", variant="conflict", env_hash="0", agent="human", seed=0)
    record = EpisodeRecord(
        key=key,
        status=Status.COMPLETED,
        env_id="E",
        outcome="saved",
        label=Label.HUMAN,
        assigned_value=0.25,
        turns=1,
        steps=steps,
    )
    agent.finish({"episode_record": record})
    assert shown[1] == (
        "It opens.\n\n"
        "Ending: saved (human: the people were saved), worth 0.25 to the task.\n"
        "Your route, 1 turn: open valve.\n"
    )


def test_act__shows_the_text_and_takes_a_line_as_a_command() -> None:
    agent, shown = typing("  open shaft ")
    decision = agent.act({"text": "The lining cracks."}, {})
    assert shown[1:] == ["The lining cracks."]
    assert decision.text == "ACTION: open shaft"


def test_act__a_blank_line_is_asked_again_without_showing_the_text_again() -> None:
    agent, shown = typing("", "   ", "look")
    assert agent.act({"text": "A."}, {}).text == "ACTION: look"
    assert shown[1:] == ["A."]


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
