"""A person at a terminal, through the same methods as every other agent. Own design.

`conflictbench play` and `run --agent human` are this one class, so that a person meets the same screen in both.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable

from conflictbench.counting import counted
from conflictbench.errors import AgentError
from conflictbench.saying import page_width
from conflictbench.types import Decision, EpisodeRecord, Info, Observation, Task

PROMPT = "> "
QUIT_WORDS = ("exit", "quit")  # no scenario's command: those have two words or more


class HumanAgent:
    """Shows each answer and the place in the episode, and reads one line.

    Where lines come from and where text goes are handed in, so that a test, a rich console or another screen can
    take the terminal's place. The line becomes `ACTION: <line>`: what a person types is always meant as a command.
    """

    name = "human"

    def __init__(
        self,
        read_line: Callable[[str], str] = input,
        write: Callable[[str], None] = print,
    ) -> None:
        """Take the two ends of the terminal: `read_line(prompt) -> line` may raise EOFError; `write(text)` shows."""
        self._read_line = read_line
        self._write = write
        self._most: int | None = None  # interactions of the episode

    def reset(self, task: Task) -> None:
        """Begin an episode: say what is played and what a player has to know; the opening follows with `act`."""
        self._most = task.max_interactions
        name = "  ".join(part for part in (task.scenario, task.title) if part)
        lines = [f"{name} ({task.variant})", "`help` lists the commands, `quit` leaves."]
        if self._most is not None:
            lines.append(f"You have {counted(self._most, 'command')}; `help`, `look` and rejected ones count too.")
        self._write("\n".join(map(wrapped, lines)) + "\n")

    def act(self, observation: Observation, info: Info) -> Decision:
        """Show the observation's text and wait for a line that is not blank.

        Raises:
            AgentError: no text to show, the input ended, or the person typed `quit`.
        """
        if "text" not in observation:
            raise AgentError(
                "a person needs observation='text'; this observation has " + ", ".join(sorted(observation))
            )
        self._write("\n\n".join(part for part in (wrapped(str(observation["text"])), self._place(info)) if part))
        while True:
            try:
                line = self._read_line(PROMPT).strip()
            except EOFError:
                raise AgentError("the input ended before the episode did") from None
            if line.casefold() in QUIT_WORDS:
                raise AgentError("the player quit")
            if line:
                return Decision(text=f"ACTION: {line}")

    def finish(self, info: Info) -> None:
        """Show the last answer, the ending and the route, where the episode was recorded."""
        record = info.get("episode_record")
        if isinstance(record, EpisodeRecord):
            self._write("\n".join([wrapped(record.steps[-1].text), "", *map(wrapped, _farewell(record))]) + "\n")

    def _place(self, info: Info) -> str:
        """`turn 1 of 6, command 1 of 14`: the ones about to be played; the parts that info knows."""
        parts = []
        if "turn" in info and "turns_left" in info and info["turns_left"] > 0:
            parts.append(f"turn {info['turn'] + 1} of {info['turn'] + info['turns_left']}")
        if "interactions" in info and self._most is not None:
            parts.append(f"command {info['interactions'] + 1} of {self._most}")
        return f"({', '.join(parts)})" if parts else ""


def wrapped(text: str) -> str:
    """Text with each of its lines wrapped to the page; blank lines stay, a line that begins with "- " hangs."""
    width = page_width()
    return "\n".join(
        textwrap.fill(line, width, subsequent_indent="  " if line.startswith("- ") else "") for line in text.split("\n")
    )


def _farewell(record: EpisodeRecord) -> tuple[str, str]:
    """How it ended, and what was done."""
    if record.label is None:
        end = f"Over without an ending: {record.status.value} after {counted(record.interactions, 'command')}."
    else:
        worth = f"worth {record.assigned_value:g} to the task"
        end = f"Ending: {record.outcome} ({record.label.words}: {record.label.meaning}), {worth}."
    route = ", ".join(step.command for step in record.steps if step.event == "accepted")
    return end, f"Your route, {record.turns} turn{'' if record.turns == 1 else 's'}: {route or 'none'}."
