"""The two-party game with one party acting after the other (AEC), made from the parallel form. Own design."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from pettingzoo.utils.conversions import parallel_to_aec_wrapper

from conflictbench.envs.task_conflict.config import party_of
from conflictbench.envs.task_conflict.env import TaskConflictEnv
from conflictbench.errors import InvalidAction, ResetNeeded, shown

_MADE_BY_RESET = (
    "agents",
    "agent_selection",
    "infos",
    "num_agents",
    "rewards",
    "terminations",
    "truncations",
    "_cumulative_rewards",
    "_observations",
)


class NotReset(ResetNeeded, AttributeError):
    """What only a reset makes is asked for; an AttributeError too, which PettingZoo's wrappers look for."""


class TaskConflictAEC(parallel_to_aec_wrapper):
    """PettingZoo's conversion, in which each reader has an observation of its own, and each action is read at once."""

    env: TaskConflictEnv

    def observe(self, agent: str) -> Any:
        """What `agent` observed last, made afresh.

        Raises:
            ResetNeeded: before the first reset.  UnknownName: no agent.
        """
        self._started("observation")
        party_of(agent)
        return deepcopy(self._observations[agent])

    def step(self, action: Any) -> None:
        """Take the action of the agent whose turn it is; the second one's plays the phase.

        Args:
            action: of its space; None where its game is over.
        Raises:
            ResetNeeded: before the first reset, or once both have left.
            InvalidAction: outside its space. Nothing has changed then, and it may choose again.
        """
        self._started("step")
        if not self.agents:
            raise ResetNeeded("step after the end of the game; call reset() first")
        agent = self.agent_selection
        if not (self.terminations[agent] or self.truncations[agent]):
            self.env.check_action(agent, action)
        elif action is not None:
            raise InvalidAction(f"the action of {agent} {shown(action)}: its game is over; it must be None")
        super().step(action)

    def _started(self, what: str) -> None:
        if not hasattr(self, "agents"):
            raise ResetNeeded(f"{what} before the first reset; call reset() first")

    def __getattr__(self, name: str) -> Any:
        """Say that a reset is needed for what it makes."""
        if name in _MADE_BY_RESET:
            raise NotReset(f"{name} before the first reset; call reset() first")
        raise AttributeError(f"{type(self).__name__} has no {name!r}")
