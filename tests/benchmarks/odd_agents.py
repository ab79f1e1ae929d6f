"""Agents that misbehave on purpose, and one that says when it is safe to kill it."""

from __future__ import annotations

import os
from itertools import count

from conflictbench.agents import RandomAgent
from conflictbench.types import Decision, Info, Observation, Task, Usage


class Odd(RandomAgent):
    """Plays at random, except on odd seeds, where it fails in its second step."""

    name = "odd"
    failing = True  # a test mends it between two runs

    def reset(self, task: Task) -> None:
        super().reset(task)
        self._task, self._steps = task, 0

    def act(self, observation: Observation, info: Info) -> Decision:
        self._steps += 1
        if type(self).failing and self._task.seed % 2 and self._steps == 2:
            raise KeyError("no such\nplan \u2028 \x1b[31m")
        return super().act(observation, info)


class Mute(RandomAgent):
    """Answers in words that hold no command."""

    name = "mute"

    def act(self, observation: Observation, info: Info) -> Decision:
        return Decision(text="Hm.")


class Spends(RandomAgent):
    """Says `look` to the end, ten tokens a time."""

    name = "spends"

    def act(self, observation: Observation, info: Info) -> Decision:
        return Decision(text="ACTION: look", usage=Usage(input_tokens=6, output_tokens=4))


class FailsAtReset(RandomAgent):
    """Cannot even begin."""

    name = "fails-at-reset"

    def reset(self, task: Task) -> None:
        raise RuntimeError("no model")


class Quits(RandomAgent):
    """Ends the whole program, as an agent with a bug may."""

    name = "quits"

    def act(self, observation: Observation, info: Info) -> Decision:
        raise SystemExit("enough")


class Leaves(RandomAgent):
    """Cannot be made."""

    name = "leaves"

    def __init__(self) -> None:
        raise OSError("no key")

    def act(self, observation: Observation, info: Info) -> Decision:
        raise AssertionError("never made")


class Holding(RandomAgent):
    """Plays at random; from episode number $HOLD_AT of its process on it says so on file descriptor 1 and waits."""

    name = "holding"
    episodes = count(1)  # of all workers together; next() on it is atomic

    def reset(self, task: Task) -> None:
        super().reset(task)
        self._holds = next(self.episodes) >= int(os.environ.get("HOLD_AT", "1000000"))

    def act(self, observation: Observation, info: Info) -> Decision:
        if self._holds and info["turn"] >= 1:
            os.write(1, b"holding\n")
            os.read(0, 1)  # not sys.stdin: its lock would block the end of the interpreter
        return super().act(observation, info)
