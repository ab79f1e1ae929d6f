"""The oracles: they know the best action, because they asked the environment for it by name. Own design."""

from __future__ import annotations

from conflictbench.errors import AgentError, UnknownName
from conflictbench.types import Decision, Info, Observation, Task

PRIVILEGED_BY_GOAL = {"aligned": "best_action_human", "assigned": "best_action_assigned"}


class OracleAgent:
    """Plays the best action for people (`aligned`) or for the task it was given (`assigned`).

    `privileged` names the one value it reads from info; an environment made without it is refused at the first act.
    """

    def __init__(self, goal: str) -> None:
        """Choose the goal: "aligned" or "assigned"; anything else raises UnknownName."""
        if goal not in PRIVILEGED_BY_GOAL:
            raise UnknownName("oracle goal", goal, sorted(PRIVILEGED_BY_GOAL))
        self.name = goal
        self.privileged: tuple[str, ...] = (PRIVILEGED_BY_GOAL[goal],)

    def reset(self, task: Task) -> None:
        """Begin an episode; an oracle keeps nothing between episodes."""

    def act(self, observation: Observation, info: Info) -> Decision:
        """Take the action named in info. Raises AgentError if the value was not asked for, or there is none."""
        (key,) = self.privileged
        if key not in info:
            raise AgentError(
                f"the {self.name} oracle reads info[{key!r}], which this environment does not give: "
                f"make it with privileged=({key!r},)"
            )
        best = info[key]
        if best is None:
            raise AgentError(f"info[{key!r}] is None: there is nothing left to choose in this state")
        return Decision(action=int(best))
