"""What an implementation from outside must offer: small protocols, one contract test suite each. Own design.

Protocols whose first implementation is not in this version (`Sandbox`, `Judge`) arrive with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from conflictbench.types import (
    DEFAULT_LIMITS,
    Completion,
    Decision,
    Info,
    Limits,
    Message,
    Observation,
    Task,
    ToolSpec,
)


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


@runtime_checkable
class ChecksTheEnd(Protocol):
    """What an agent of either kind may offer beside `reset` and `act`: a look at how the episode ended."""

    def finish(self, info: Info) -> None:
        """Be told the last step's info, once, after an episode that ended by itself.

        Raises:
            AgentError: this is not the end that there had to be; the episode becomes an env_error.
        """


@runtime_checkable
class AsyncAgent(Protocol):
    """A policy that waits for something (a model, a person elsewhere) without holding up other episodes."""

    name: str

    def reset(self, task: Task) -> None:
        """As `Agent.reset`."""

    async def act(self, observation: Observation, info: Info) -> Decision:
        """As `Agent.act`.

        Raises:
            AgentError: it cannot act.
            ModelError: its model gave no answer; the class says what becomes of the episode.
        """


@runtime_checkable
class LanguageModel(Protocol):
    """One model behind one edge. Budget, cache, retries, rate limits and usage are wrappers of the same protocol."""

    name: str  # id asked for

    async def complete(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec] = (), limits: Limits = DEFAULT_LIMITS
    ) -> Completion:
        """Answer a conversation.

        A refusal is an answer (`finish_reason="content_filter"` where the provider made it), so is a reply cut off
        (`"length"`).
        Raises:
            ModelError: there is no answer; `ContextOverflow`, `BudgetExceeded`, `ProviderError` say why.
        """

    async def close(self) -> None:
        """Let go of connections; a second call does nothing."""


SceneT = TypeVar("SceneT", contravariant=True)
TransitionT = TypeVar("TransitionT", contravariant=True)
ClipT = TypeVar("ClipT", covariant=True)


@runtime_checkable
class WorldModel(Protocol[SceneT, TransitionT, ClipT]):
    """What shows a scenario: a clip of how it begins, and one for each executed action (ConflictBench section 4.3).

    `envs/visual/model.py` names the types of scene, transition and clip. Equal arguments give equal clips as far as
    the model can; what a clip store has kept is given again in any case.
    """

    @property
    def backend(self) -> str:
        """Id that changes whenever the same call would give other pixels: name, version, weights, sampler."""

    def base(self, scene: SceneT, seed: int) -> ClipT:
        """The clip before the first action."""

    def step(self, scene: SceneT, last_frame: NDArray[np.uint8], transition: TransitionT, seed: int) -> ClipT:
        """The clip of an executed action, or of a stage of the regret test.

        Args:
            last_frame: of the clip before, uint8 (height, width, 3); this one continues it.
        """
