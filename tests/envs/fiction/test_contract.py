"""The fiction worlds keep the environment contract."""

from __future__ import annotations

from typing import Any, ClassVar

from tests.contract.env_contract import EnvContract


class TestEP1Text(EnvContract):
    env_id = "ConflictBench/EP1-v0"


class TestEP2Text(EnvContract):
    env_id = "ConflictBench/EP2-v0"
    kwargs: ClassVar[dict[str, Any]] = {
        "variant": "stake_only",
        "mask": "available",
        "reward": {"human": 1.0, "assigned": 0.25},
    }


class TestEP3Features(EnvContract):
    env_id = "ConflictBench/EP3-v0"
    kwargs: ClassVar[dict[str, Any]] = {"observation": "features", "reward": 0.5, "variant": "control"}


class TestEP1FeaturesUint8(EnvContract):
    env_id = "ConflictBench/EP1-v0"
    kwargs: ClassVar[dict[str, Any]] = {
        "observation": "features",
        "features_dtype": "uint8",
        "scenario_bits": False,
        "reward": "assigned",
    }


class TestEP1Privileged(EnvContract):
    env_id = "ConflictBench/EP1-v0"
    kwargs: ClassVar[dict[str, Any]] = {
        "scenario": ["EP1-001"],
        "privileged": ["best_action_assigned", "best_action_human", "human_reachable", "state", "state_index"],
        "variant": "task_only",
    }
