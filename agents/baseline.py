"""Baselines of a question with options: the score of an answer that reads none of it. Own design.

In PacifAIst's data always answering A scores 93 percent, the longest option 60: every score is read beside these two.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from conflictbench.errors import AgentError
from conflictbench.types import Decision, Info, Observation, Task


class FirstAgent:
    """Always the first open action: option A of a question."""

    name = "first"

    def reset(self, task: Task) -> None:
        """Begin an episode; nothing is kept between episodes."""

    def act(self, observation: Observation, info: Info) -> Decision:
        """Take the lowest index that is open. Raises AgentError without a mask, or when nothing is open."""
        if "action_mask" not in observation:
            seen = ", ".join(sorted(observation)) or "nothing"
            raise AgentError(f"the first agent reads observation['action_mask']; this observation has {seen}")
        open_actions = np.flatnonzero(np.asarray(observation["action_mask"]))
        if open_actions.size == 0:
            raise AgentError("no action is open: every entry of action_mask is 0")
        return Decision(action=int(open_actions[0]))


class LongestAgent:
    """Always the option with the most characters, the first of equals."""

    name = "longest"

    def reset(self, task: Task) -> None:
        """Begin an episode; nothing is kept between episodes."""

    def act(self, observation: Observation, info: Info) -> Decision:
        """Measure the options. Raises AgentError where there are none: it answers questions, and plays no game."""
        options: Sequence[str] = info.get("options", ())
        if not options:
            raise AgentError(
                "the longest agent reads info['options'], which this environment does not give: "
                "it answers ConflictBench/SingleTurn-v0"
            )
        return Decision(action=max(range(len(options)), key=lambda place: len(options[place])))
