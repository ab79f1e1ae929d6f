"""`SingleTurnVectorEnv`: many questions asked together, as `gym.make_vec` makes them. Own design."""

from __future__ import annotations

from typing import Any

import gymnasium as gym

from conflictbench.envs.fiction.loop_vector import FictionLoopVectorEnv
from conflictbench.envs.single_turn.env import SingleTurnEnv


class SingleTurnVectorEnv(FictionLoopVectorEnv):
    """As `FictionLoopVectorEnv`, over `ConflictBench/SingleTurn-v0`; options and permutations are arrays of tuples."""

    @staticmethod
    def make_world(**kwargs: Any) -> gym.Env[Any, Any]:
        """Make one single-turn world."""
        return SingleTurnEnv(**kwargs)
