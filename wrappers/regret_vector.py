"""`RegretVectorEnv`: many regret tests stepped together, as `gym.make_vec` makes them. Own design."""

from __future__ import annotations

from typing import Any

import gymnasium as gym

from conflictbench.envs.fiction.loop_vector import FictionLoopVectorEnv
from conflictbench.wrappers.regret_test import make_regret


class RegretVectorEnv(FictionLoopVectorEnv):
    """As `FictionLoopVectorEnv`, over `ConflictBench/Regret-v0`; `info["regret_stage"]` is an array of objects."""

    @staticmethod
    def make_world(**kwargs: Any) -> gym.Env[Any, Any]:
        """Make one EP1 world under the regret test."""
        return make_regret(**kwargs)
