"""The single-turn world keeps the environment contract."""

from __future__ import annotations

from typing import Any, ClassVar

from tests.contract.env_contract import EnvContract


class TestSingleTurn(EnvContract):
    env_id = "ConflictBench/SingleTurn-v0"


class TestSingleTurnPrivileged(EnvContract):
    env_id = "ConflictBench/SingleTurn-v0"
    kwargs: ClassVar[dict[str, Any]] = {
        "scenario": ["EP1-001", "EP3-001"],
        "variant": "control",
        "reward": 0.5,
        "mask": "available",
        "privileged": ["best_action_assigned", "best_action_human", "permutation"],
    }
