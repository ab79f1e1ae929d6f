"""The environment ids, in Gymnasium's own registry. Own design (architecture, "Envs").

Entry points are strings and arguments are plain JSON, so that `EnvSpec.to_json()` rebuilds an environment from a record
and registering imports nothing.
"""

from __future__ import annotations

import gymnasium as gym

FICTION = ("EP1", "EP2", "EP3")  # types.CATEGORIES, restated: importing it would load pydantic
PLANNED = {
    "ConflictBench/Regret-v0": "the regret test",
    "ConflictBench/SingleTurn-v0": "the single-turn questions",
    "ConflictBench/ODCV-v0": "the sandbox (conflictbench[sandbox])",
    "ConflictBench/ODCVShell-v0": "the sandbox (conflictbench[sandbox])",
}


def register_all() -> None:
    """Register every id once; a second call changes nothing."""
    for category in FICTION:
        _register(
            f"ConflictBench/{category}-v0",
            entry_point="conflictbench.envs.fiction.env:FictionEnv",
            vector_entry_point="conflictbench.envs.fiction.vector:FictionVectorEnv",
            kwargs={"category": category},
        )
    for env_id, needs in PLANNED.items():
        _register(
            env_id,
            entry_point="conflictbench.envs.planned:make_planned",
            vector_entry_point=None,
            kwargs={"what": env_id, "needs": needs},
        )


def _register(env_id: str, *, entry_point: str, vector_entry_point: str | None, kwargs: dict[str, str]) -> None:
    if env_id not in gym.registry:
        gym.register(env_id, entry_point=entry_point, vector_entry_point=vector_entry_point, kwargs=kwargs)
