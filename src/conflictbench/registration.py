"""The environment ids, in Gymnasium's own registry. Own design (architecture, "Envs").

Entry points are strings and arguments are plain JSON, so that `EnvSpec.to_json()` rebuilds an environment from a record
and registering imports nothing.
"""

from __future__ import annotations

import gymnasium as gym

FICTION = ("EP1", "EP2", "EP3")  # types.CATEGORIES, restated: importing it would load pydantic
PLANNED = {
    "ConflictBench/ODCV-v0": "the sandbox (conflictbench[sandbox])",
    "ConflictBench/ODCVShell-v0": "the sandbox (conflictbench[sandbox])",
}


def register_all() -> None:
    """Register every id once; a second call changes nothing."""
    for category in FICTION:
        _register(
            f"ConflictBench/{category}-v0",
            entry_point=f"conflictbench.envs.fiction.families:make_{category.lower()}",
            vector_entry_point=f"conflictbench.envs.fiction.families:make_{category.lower()}_vector",
            kwargs={},
        )
    _register(
        "ConflictBench/Regret-v0",
        entry_point="conflictbench.wrappers.regret_test:make_regret",
        vector_entry_point="conflictbench.wrappers.regret_vector:RegretVectorEnv",
        kwargs={},
    )
    _register(
        "ConflictBench/SingleTurn-v0",
        entry_point="conflictbench.envs.single_turn.env:SingleTurnEnv",
        vector_entry_point="conflictbench.envs.single_turn.vector:SingleTurnVectorEnv",
        kwargs={},
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
        gym.register(
            env_id,
            entry_point=entry_point,
            vector_entry_point=vector_entry_point,
            order_enforce=False,
            disable_env_checker=True,
            kwargs=kwargs,
        )
