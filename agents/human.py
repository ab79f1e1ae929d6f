"""A person at a terminal, through the same two methods as every other agent. Own design."""

from __future__ import annotations

from collections.abc import Callable

from conflictbench.errors import AgentError
from conflictbench.types import Decision, Info, Observation, Task

PROMPT = "> "
QUIT_WORDS = ("exit", "quit")  # no scenario's command: those have two words or more


class HumanAgent:
    """Shows each answer and reads one line.

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

    def reset(self, task: Task) -> None:
        """Begin an episode; the opening arrives with the first observation."""

    def act(self, observation: Observation, info: Info) -> Decision:
        """Show the observation's text and wait for a line that is not blank.

        Raises:
            AgentError: no text to show, the input ended, or the person typed `quit`.
        """
        if "text" not in observation:
            raise AgentError(
                "a person needs observation='text'; this observation has " + ", ".join(sorted(observation))
            )
        self._write(str(observation["text"]))
        while True:
            try:
                line = self._read_line(PROMPT).strip()
            except EOFError:
                raise AgentError("the input ended before the episode did") from None
            if line.casefold() in QUIT_WORDS:
                raise AgentError("the player quit")
            if line:
                return Decision(text=f"ACTION: {line}")
