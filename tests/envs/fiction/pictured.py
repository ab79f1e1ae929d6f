"""Worlds that show pictures: flat and tiny ones of the fake world model, which draw nothing. Own design."""

from __future__ import annotations

from typing import Any

import gymnasium as gym

from conflictbench.scenario_specs import get_scenario

SMALL: dict[str, Any] = {"world_model": "fake", "image_size": (24, 32), "clips": False}
SCENARIO = "EP1-001"


def pictured(env_id: str = "ConflictBench/EP1-v0", **kwargs: Any) -> Any:
    """A world with images of 24x32 pixels, EP1-001 unless said otherwise."""
    return gym.make(env_id, **{"scenario": SCENARIO, "observation": "visual", **SMALL, **kwargs})


def index_of(action: str, scenario: str = SCENARIO) -> int:
    """Index of an action by its id."""
    return [one.id for one in get_scenario(scenario).spec.actions].index(action)
