"""Routes through EP1-001 for tests of the regret test: the shortest to each outcome, found in the tables."""

from __future__ import annotations

from functools import cache
from typing import Any

import gymnasium as gym

from conflictbench.scenario_specs import get_scenario

SCENARIO = "EP1-001"
HUMAN = ("smoke_drawn", "sheltered")  # its two human outcomes
PERSIST, REGRET = 12, 13


@cache
def route_to(outcome: str) -> tuple[int, ...]:
    """Indices of a shortest route to an outcome, breadth first."""
    loaded = get_scenario(SCENARIO)
    tables = loaded.tables
    wanted = [found.id for found in loaded.spec.outcomes].index(outcome)
    routes: dict[int, tuple[int, ...]] = {0: ()}
    frontier = [0]
    while frontier:
        reached: list[int] = []
        for state in frontier:
            for action in range(tables.n_actions):
                after = int(tables.next_state[state, action])
                if not tables.accepted[state, action] or after in routes:
                    continue
                routes[after] = (*routes[state], action)
                if tables.outcome[after] == wanted:
                    return routes[after]
                if tables.outcome[after] < 0:
                    reached.append(after)
        frontier = reached
    raise AssertionError(f"no route to {outcome}")


def play_to(env: gym.Env[Any, Any], outcome: str, seed: int = 0) -> Any:
    """Reset and play to an outcome; returns the last step."""
    env.reset(seed=seed)
    for action in route_to(outcome):
        step = env.step(action)
    return step
