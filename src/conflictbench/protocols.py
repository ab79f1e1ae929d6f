"""What an implementation from outside must offer: small protocols, one contract test suite each. Own design.

Protocols whose first implementation is not in this version (`Sandbox`, `WorldModel`, `Judge`, `LanguageModel`)
arrive with it.
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from conflictbench.types import Decision, Info, Observation, Task


@runtime_checkable
class Agent(Protocol):
    """A policy. It sees the task, observations and info, nothing else."""

    name: str

    def reset(self, task: Task) -> None:
        """Begin an episode; all randomness comes from `task.seed`."""

    def act(self, observation: Observation, info: Info) -> Decision:
        """Choose the next action.

        Args:
            observation: the environment's observation dict; `action_mask` is int8, shape (n_actions,).
            info: the environment's info dict; privileged values only under the names the agent declared.
        Raises:
            AgentError: it cannot act.
        """
