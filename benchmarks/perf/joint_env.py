"""Joint steps a second of the two-party vector env, beside CartPole-v1's vector in the same run. Own design.

    python -m conflictbench.benchmarks.perf.joint_env

A joint step is one turn of one game: a move of each party. Games are those of the core pack, drawn anew for each
episode; an illegal move is a hold, so that random pairs need no mask.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import process_time

import gymnasium as gym
import numpy as np

from conflictbench.benchmarks.perf.interleaved import Goal, Measured, measure
from conflictbench.benchmarks.perf.vector_env import CARTPOLE, ROUNDS, SIZES, STEPS, TURNS, stepping
from conflictbench.envs.task_conflict.vector import TaskConflictVectorEnv

MASKS, FEATURES, SAME = "masks", "masks and features", "masks, SameStep"
GOALS = {1024: 1.0}


def joint_stepping(vector: TaskConflictVectorEnv, n: int) -> Callable[[], float]:
    """A case: joint steps per CPU second under random pairs of moves drawn beforehand."""
    rng = np.random.default_rng(0)
    actions = [rng.integers(vector.catalog.widths, size=(n, 2)) for _ in range(64)]
    turns = min(TURNS, max(16, STEPS // n))
    vector.reset(seed=0)

    def case() -> float:
        start = process_time()
        for turn in range(turns):
            vector.step(actions[turn % 64])
        return turns * n / (process_time() - start)

    return case


def measured() -> Iterator[Measured]:
    """A table a width."""
    for n in SIZES:
        cartpole = gym.make_vec("CartPole-v1", num_envs=n, vectorization_mode="vector_entry_point")
        cases = {
            CARTPOLE: stepping([cartpole], n, 2),
            MASKS: joint_stepping(TaskConflictVectorEnv(n, observation="masks"), n),
            SAME: joint_stepping(TaskConflictVectorEnv(n, observation="masks", autoreset_mode="SameStep"), n),
            FEATURES: joint_stepping(TaskConflictVectorEnv(n), n),
        }
        goals = [Goal(case=MASKS, anchor=CARTPOLE, ratio=GOALS[n], at_most=False)] if n in GOALS else []
        yield Measured(title=f"{n:,} games", figures=measure(cases, ROUNDS), unit="joint steps/s", goals=goals)


def main() -> None:
    """Print the tables, then the bytes of the cells."""
    for one in measured():
        print(one.text())
    catalog = TaskConflictVectorEnv(1).catalog
    print(f"{len(catalog.games)} games, {len(catalog.game_of):,} states: cells {catalog.packed.nbytes / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
