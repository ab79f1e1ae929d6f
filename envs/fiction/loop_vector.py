"""`FictionLoopVectorEnv`: many worlds stepped one by one, with Gymnasium's own semantics. Own design.

For what tables do not hold: pictures, screens, further wrappers. `FictionVectorEnv` is for everything else.
"""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.utils.seeding import np_random
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import TimeLimit

from conflictbench.envs.arguments import reset_options
from conflictbench.envs.fiction.env import FictionEnv
from conflictbench.envs.fiction.tables.arguments import autoreset_mode_of, size_of
from conflictbench.envs.fiction.tables.infos import add_info
from conflictbench.errors import ResetNeeded


class FictionLoopVectorEnv(SyncVectorEnv[Any, Any]):
    """`num_envs` worlds with the same arguments; sub-environment i of a vector seeded s has seed s + i.

    Args:
        num_envs: >= 1.
        autoreset_mode: when an ended sub-environment begins anew: "NextStep" (the default), "SameStep" or "Disabled",
            or a `gymnasium.vector.AutoresetMode`.
        max_episode_steps: a further limit on steps, as `gym.make` has it; None or -1 for none.
        **kwargs: as `FictionEnv`, `category` included.
    Raises:
        As `FictionEnv`; InvalidValue for `num_envs`, UnknownName for `autoreset_mode`.
    """

    def __init__(
        self,
        num_envs: int = 1,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        max_episode_steps: int | None = None,
        **kwargs: Any,
    ) -> None:
        num_envs = size_of(num_envs)

        def make() -> gym.Env[Any, Any]:
            env = self.make_world(**kwargs)
            return env if max_episode_steps in (None, -1) else TimeLimit(env, max_episode_steps)

        self._begun = False  # every sub-environment has been reset, and so has a seed
        super().__init__([make] * num_envs, autoreset_mode=autoreset_mode_of(autoreset_mode))

    @staticmethod
    def make_world(**kwargs: Any) -> gym.Env[Any, Any]:
        """Make one sub-environment; other worlds are vectorised by overriding this."""
        return FictionEnv(**kwargs)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin an episode in every sub-environment, or with `options={"reset_mask": bools}` in those marked.

        Other options and the returned values are those of `FictionEnv.reset`, batched. An unseeded first
        reset draws one seed for the whole vector. Raises ResetNeeded for a first reset of some alone.
        """
        # Gymnasium takes `reset_mask` out of the dict it is given: a caller's dict stays as it was
        options = reset_options(options)
        if not self._begun:
            if not np.all(options.get("reset_mask", True)):
                raise ResetNeeded("a first reset with a reset_mask of some: call reset() of all sub-environments first")
            if seed is None:
                # one seed for the vector, as a scalar environment draws one: sub-environment i then has s + i
                seed = int(np_random()[0].integers(2**32))
        result = super().reset(seed=seed, options=options)
        self._begun = True  # not before: a reset that was refused has begun nothing
        return result

    def _add_info(self, vector_infos: dict[str, Any], env_info: dict[str, Any], env_num: int) -> dict[str, Any]:
        return add_info(super()._add_info, self.num_envs, vector_infos, env_info, env_num)
