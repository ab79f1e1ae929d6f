"""The random agent: the floor every other score is read against. Own design (scenario format, rule 4a)."""

from __future__ import annotations

from hashlib import blake2b

import numpy as np

from conflictbench.errors import AgentError
from conflictbench.types import Decision, Info, Observation, Task


class RandomAgent:
    """Uniform over the actions whose mask is 1.

    With `mask="exists"` (the default of the environments) that is every action of the scenario, rejected ones
    included: the process whose exact chances `conflictbench verify` prints.

    The stream is a function of the episode's seed and the scenario's id: equal in the four variants, so that paired
    differences hold no sampling noise, and independent between scenarios.
    """

    name = "random"

    def __init__(self) -> None:
        self._rng: np.random.Generator | None = None

    def reset(self, task: Task) -> None:
        """Seed this episode's generator from the task; `task.seed` >= 0."""
        if task.seed < 0:
            raise AgentError(f"the random agent needs a seed of 0 or more, not {task.seed}")
        scenario = int.from_bytes(blake2b(task.scenario.encode("utf-8"), digest_size=8).digest(), "big")
        self._rng = np.random.default_rng([task.seed, scenario])

    def act(self, observation: Observation, info: Info) -> Decision:
        """Draw one index. Raises AgentError before `reset`, without a mask, or when nothing is open."""
        if self._rng is None:
            raise AgentError("the random agent was asked to act before reset(task)")
        if "action_mask" not in observation:
            raise AgentError(
                "the random agent reads observation['action_mask']; this observation has "
                + (", ".join(sorted(observation)) or "nothing")
            )
        open_actions = np.flatnonzero(np.asarray(observation["action_mask"]))  # int64, shape (k,)
        if open_actions.size == 0:
            raise AgentError("no action is open: every entry of action_mask is 0")
        return Decision(action=int(self._rng.choice(open_actions)))
