"""`sb3:PATH`: a policy trained with Stable-Baselines3, in the same runs as every other agent. Own design."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from conflictbench.agents.sb3_policy import algorithm_class, read_card
from conflictbench.errors import AgentError
from conflictbench.types import Decision, Info, Observation, Task

OBSERVATION = "features"


class SB3Agent:
    """Plays what the policy holds best in each state (no sampling), so that equal episodes are equal.

    A policy with masks sees the observation's, whatever the environment's `mask` makes of it.
    """

    name = "sb3"

    def __init__(self, path: str) -> None:
        """Load `policy.zip`, with `policy.json` beside it.

        Raises:
            AgentError: a file is missing or cannot be read.  NotYetAvailable: SB3 is not installed.
        """
        if not path:
            raise AgentError("agent 'sb3' needs a policy: sb3:PATH, the policy.zip that `conflictbench train` made")
        policy = Path(path)
        self._path, self._card = path, read_card(policy)
        algorithm = algorithm_class(self._card.algo, "agent 'sb3'")
        try:
            # By its content, since SB3 puts ".zip" behind a name that has no suffix. Without its seed, or loading it
            # would seed the generators that all share.
            with policy.open("rb") as file:
                self._model: Any = algorithm.load(file, device="cpu", seed=None)
        except Exception as error:  # whatever pickled code and torch raise
            raise AgentError(
                f"{path} cannot be read as a policy of {self._card.algo}: {type(error).__name__}: {error}"
            ) from error
        self._masked = self._card.algo == "maskable-ppo"

    def reset(self, task: Task) -> None:
        """Begin an episode. Raises AgentError where the world has another number of actions than the policy."""
        known = self._n_actions
        if task.n_actions != known:
            raise AgentError(f"{self._path} chooses among {known} actions, and {task.env_id} has {task.n_actions}")

    def check(self, n_actions: int, shape: tuple[int, ...]) -> None:
        """Whether the policy fits a world before it is played.

        Args:
            n_actions: how many the world has.
            shape: of the world's features, float32.
        Raises:
            AgentError: it has other actions, or sees other features.
        """
        if self._n_actions != n_actions:
            raise AgentError(f"it chooses among {self._n_actions} actions, and {n_actions} are wanted")
        space = self._model.observation_space
        own = getattr(space, "spaces", {}).get(OBSERVATION, space)
        if own.shape != shape or own.dtype != np.float32:
            raise AgentError(f"it sees {OBSERVATION} of {own.dtype}, shape {own.shape}, and float32, {shape} is wanted")

    @property
    def _n_actions(self) -> int:
        return int(getattr(self._model.action_space, "n", 0))  # 0: it is no choice among a number of actions

    def act(self, observation: Observation, info: Info) -> Decision:
        """Take the policy's best action. Raises AgentError for an observation that is not what it was trained on."""
        masks = {"action_masks": self._part(observation, "action_mask").astype(np.bool_)} if self._masked else {}
        action, _ = self._model.predict(self._seen(observation), deterministic=True, **masks)
        return Decision(action=int(action))

    def _seen(self, observation: Observation) -> Any:
        """The observation as the policy takes it: the bare features, or the Dict."""
        space = self._model.observation_space
        parts = getattr(space, "spaces", None)
        wanted = {OBSERVATION: space} if parts is None else dict(parts)
        seen = {name: self._part(observation, name) for name in wanted}
        for name, values in seen.items():
            if values.shape != wanted[name].shape or values.dtype != wanted[name].dtype:
                raise AgentError(
                    f"{self._path} was trained on {name} of {wanted[name].dtype}, shape {wanted[name].shape}; "
                    f"this observation's are {values.dtype}, shape {values.shape}"
                )
        return seen[OBSERVATION] if parts is None else seen

    def _part(self, observation: Observation, name: str) -> np.ndarray[Any, Any]:
        if name not in observation:
            raise AgentError(
                f"{self._path} reads observation[{name!r}]; this observation has {', '.join(sorted(observation))}: "
                f"give --observation {OBSERVATION}, gym.make(..., observation={OBSERVATION!r})"
            )
        return np.asarray(observation[name])
