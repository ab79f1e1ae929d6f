"""Steps a second of one env through `gym.make`, beside CartPole-v1 and the published harness's way. Own design.

    python -m conflictbench.benchmarks.perf.scalar_env

The published harness writes a command to a story process, sleeps 0.3 s and drains a queue: 3.3 steps a second at most,
taken as a constant here.
"""

from __future__ import annotations

from collections.abc import Callable
from time import process_time
from typing import Any

import gymnasium as gym
import numpy as np

import conflictbench
from conflictbench.benchmarks.perf.interleaved import Goal, measure, table
from conflictbench.envs.fiction.reading import read

ROUNDS = 11
STEPS = 20_000
COLD_STEPS = 2_000  # some hundred of EP1-001's states; more would meet mostly known ones
PUBLISHED_STEPS_PER_S = 1 / 0.3
CARTPOLE, HARNESS = "CartPole-v1", "published harness (constant)"
TEXT, COLD, FEATURES = "text", "text, nothing cached", "features"
GOALS = (
    Goal(case=TEXT, anchor=CARTPOLE, ratio=7, at_most=False),
    Goal(case=COLD, anchor=CARTPOLE, ratio=2, at_most=False),
    Goal(case=FEATURES, anchor=CARTPOLE, ratio=6, at_most=False),
    Goal(case=TEXT, anchor=HARNESS, ratio=10_000, at_most=False),
)


def stepping(
    env_id: str, n_actions: int, steps: int, prepare: Callable[[], object], **kwargs: Any
) -> Callable[[], float]:
    """A case: steps per CPU second under random actions drawn beforehand, resets included.

    Args:
        n_actions: actions are uniform over 0 .. n_actions - 1.
        prepare: called before each round, not timed.
    """
    env: gym.Env[Any, Any] = gym.make(env_id, **kwargs)
    actions = np.random.default_rng(0).integers(n_actions, size=steps).tolist()

    def case() -> float:
        prepare()
        env.reset(seed=0)
        start = process_time()
        for action in actions:
            _, _, terminated, truncated, _ = env.step(action)
            if terminated or truncated:
                env.reset()
        return steps / (process_time() - start)

    return case


def main() -> None:
    """Print the table."""
    gym.register_envs(conflictbench)
    fiction = "ConflictBench/EP1-v0"
    cases = {
        CARTPOLE: stepping("CartPole-v1", 2, STEPS, lambda: None),
        TEXT: stepping(fiction, 12, STEPS, lambda: None),
        COLD: stepping(fiction, 12, COLD_STEPS, read.cache_clear),
        FEATURES: stepping(fiction, 12, STEPS, lambda: None, observation="features"),
        HARNESS: lambda: PUBLISHED_STEPS_PER_S,
    }
    print(table(measure(cases, ROUNDS), "steps/s", GOALS))


if __name__ == "__main__":
    main()
