"""Steps a second of one env through `gym.make`, beside CartPole-v1 and the published harness's way. Own design.

    python -m conflictbench.benchmarks.perf.scalar_env

The published harness writes a command to a story process, sleeps 0.3 s and drains a queue: 3.3 steps a second at most,
taken as a constant here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import process_time
from typing import Any

import gymnasium as gym
import numpy as np

import conflictbench
from conflictbench.benchmarks.perf.interleaved import Goal, Measured, measure
from conflictbench.envs.fiction.answers import ROOM

ROUNDS = 11
STEPS = 20_000
FIRST_STEPS = 2_000  # seven in ten meet a state and action for the first time; more steps would meet mostly known ones
FORGETFUL = "control"  # the variant of the worlds that are made to forget; the others do not play it
PUBLISHED_STEPS_PER_S = 1 / 0.3
CARTPOLE, HARNESS = "CartPole-v1", "published harness (constant)"
TEXT, RENDERED, FIRST, FEATURES = "text", "text, rendered at every step", "text, nothing kept yet", "features"
GOALS = (
    Goal(case=TEXT, anchor=CARTPOLE, ratio=7, at_most=False),
    Goal(case=RENDERED, anchor=CARTPOLE, ratio=2, at_most=False),
    Goal(case=FEATURES, anchor=CARTPOLE, ratio=6, at_most=False),
    Goal(case=TEXT, anchor=HARNESS, ratio=10_000, at_most=False),
)


def stepping(
    env_id: str, n_actions: int, steps: int, prepare: Callable[[], object], *, rendered: bool = False, **kwargs: Any
) -> Callable[[], float]:
    """A case: steps per CPU second under random actions drawn beforehand, resets included.

    Args:
        n_actions: actions are uniform over 0 .. n_actions - 1.
        prepare: called before each round, not timed.
        rendered: ask for the text after every step, of a world that does not observe it and so keeps none.
    """
    env: gym.Env[Any, Any] = gym.make(env_id, **kwargs)
    world: Any = env.unwrapped
    actions = np.random.default_rng(0).integers(n_actions, size=steps).tolist()

    def case() -> float:
        prepare()
        env.reset(seed=0)
        start = process_time()
        for action in actions:
            _, _, terminated, truncated, _ = env.step(action)
            if rendered:
                _ = world.text
            if terminated or truncated:
                env.reset()
        return steps / (process_time() - start)

    return case


def forget() -> None:
    """Let go of every answer of the forgetful worlds."""
    for answers in ROOM.holders:
        if answers.reading.variant == FORGETFUL:
            answers.let_go()


def measured() -> Iterator[Measured]:
    """The one table."""
    gym.register_envs(conflictbench)
    fiction = "ConflictBench/EP1-v0"
    cases = {
        CARTPOLE: stepping("CartPole-v1", 2, STEPS, lambda: None),
        TEXT: stepping(fiction, 12, STEPS, lambda: None),
        RENDERED: stepping(fiction, 12, STEPS, lambda: None, rendered=True, observation="features"),
        FIRST: stepping(fiction, 12, FIRST_STEPS, forget, variant=FORGETFUL),
        FEATURES: stepping(fiction, 12, STEPS, lambda: None, observation="features"),
        HARNESS: lambda: PUBLISHED_STEPS_PER_S,
    }
    yield Measured(title="scalar env", figures=measure(cases, ROUNDS), unit="steps/s", goals=GOALS)


def main() -> None:
    """Print the table."""
    for one in measured():
        print(one.text())


if __name__ == "__main__":
    main()
