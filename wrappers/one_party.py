"""One chair of a two-party game as a Gymnasium environment, a bot in the other: for learners of one agent. Own design.

Stable-Baselines3 has no notion of two agents; here one learns, and the other is part of the world.
Source: docs/two-party.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from conflictbench.errors import ResetNeeded, UnknownName
from conflictbench.scenario_specs.parties.block import ROLES, Role
from conflictbench.scenario_specs.parties.bots import BOTS
from conflictbench.scenario_specs.parties.joint import Joint

if TYPE_CHECKING:  # it imports PettingZoo
    from conflictbench.envs.task_conflict.env import TaskConflictEnv

Observed = NDArray[np.float32]


class OnePartyEnv(gym.Env[Observed, np.int64]):
    """Features in, a move out; no talk.

    An observation is the chair's features, float32 (F,) in 0..1; `action_masks()` says which moves are possible, bool
    (M,). A move that is not possible counts as hold. The reward is the chair's own: minus the cost of a move when it
    takes effect, at the end the worth of the ending. Every reset draws a scenario and a start, first mover and private
    type, as `task_conflict_v0` does. `info` holds that environment's info of the chair, at the end with its `result`.
    """

    def __init__(self, scenario: str | Sequence[str] | Joint, role: Role, against: str) -> None:
        """Sit down.

        Args:
            scenario: an id, several, or a game of one's own.
            role: whose chair it is: "incumbent" or "requester".
            against: the bot in the other chair.
        Raises:
            UnknownName: no such role, bot of that chair, or scenario with two parties.
        """
        from conflictbench.envs.task_conflict.env import TaskConflictEnv

        if role not in ROLES:
            raise UnknownName("role", role, ROLES)
        self.party = ROLES.index(role)
        self.other_role: Role = ROLES[1 - self.party]
        if against not in BOTS[self.other_role]:
            raise UnknownName(f"bot of the {self.other_role}", against, BOTS[self.other_role])
        self.role, self.against = role, against
        chosen: str | Joint | list[str | Joint] = scenario if isinstance(scenario, str | Joint) else [*scenario]
        self.world: TaskConflictEnv = TaskConflictEnv(scenario=chosen, observation="features")
        self._own, self._other = (self.world.possible_agents[n] for n in (self.party, 1 - self.party))
        seen: Any = self.world.observation_space(self._own)
        acts: Any = self.world.action_space(self._own)
        self.observation_space = seen["observation"]
        self.action_space = spaces.Discrete(int(acts.n))
        self._mask: NDArray[np.bool_] | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        """Begin a game; `options` are those of `task_conflict_v0`: `scenario`, `start`."""
        super().reset(seed=seed)
        observations, infos = self.world.reset(seed=seed, options=options)
        return self._seen(observations), infos[self._own]

    def step(self, action: Any) -> tuple[Observed, float, bool, bool, dict[str, Any]]:
        """Play one turn; the bot chooses on the same state."""
        if self._mask is None:
            raise ResetNeeded("step before the first reset; call reset() first")
        weights = self.world.joint.bots.get(self.other_role, self.against).weights[self.world.state_index]
        other = int(self.np_random.choice(weights.size, p=weights))
        actions = {self._own: action, self._other: other}
        observations, rewards, terminations, truncations, infos = self.world.step(actions)
        own = self._own
        return (
            self._seen(observations),
            float(rewards[own]),
            bool(terminations[own]),
            bool(truncations[own]),
            infos[own],
        )

    def action_masks(self) -> NDArray[np.bool_]:
        """Moves that are possible now, as `MaskablePPO` asks for them."""
        if self._mask is None:
            raise ResetNeeded("action_masks before the first reset; call reset() first")
        return self._mask.copy()

    def close(self) -> None:
        """Let go of the world."""
        self.world.close()

    def _seen(self, observations: dict[str, Any]) -> Observed:
        own = observations[self._own]
        self._mask = np.asarray(own["action_mask"], np.bool_)
        return np.asarray(own["observation"], np.float32)
