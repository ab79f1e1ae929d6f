"""The worlds: Gymnasium environments, free of language models, prompts and keys. Own design (architecture, "Envs")."""

from __future__ import annotations

from conflictbench.envs.fiction.env import FictionEnv
from conflictbench.envs.fiction.tables import FictionVectorEnv
from conflictbench.envs.single_turn.env import SingleTurnEnv
from conflictbench.envs.single_turn.vector import SingleTurnVectorEnv

__all__ = ["FictionEnv", "FictionVectorEnv", "SingleTurnEnv", "SingleTurnVectorEnv"]
