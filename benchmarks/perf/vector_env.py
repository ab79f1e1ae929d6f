"""Steps a second of the vector env at several widths, beside CartPole-v1's vector and a bare gather. Own design.

    python -m conflictbench.benchmarks.perf.vector_env

Worlds play every scenario of the three families (a vector plays one family; EP1 to EP3 take turns step by step), and
once more a stand-in for a suite of 150: the files that exist, each ten times under other names. Fixed: each world keeps
its scenario (`resample=False`, `infos="none"`); default: it draws one for each episode, endings are told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from time import process_time
from typing import Any

import gymnasium as gym
import numpy as np

import conflictbench
from conflictbench.benchmarks.perf.interleaved import Goal, Measured, measure
from conflictbench.envs.fiction.reading import Reading, read
from conflictbench.envs.fiction.reward import parse_reward
from conflictbench.envs.fiction.tables import FictionVectorEnv
from conflictbench.envs.fiction.tables.catalog import Catalog, catalog_of
from conflictbench.scenario_specs import scenario_ids
from conflictbench.types import CATEGORIES

ROUNDS = 5
STEPS = 400_000  # of all worlds together, a round; fewer where that would be many turns
TURNS = 4_000
SIZES = (1, 64, 1024, 4096)
SUITE = 150
CARTPOLE, GATHER = "CartPole-v1 vector", "bare take of the float32 rows"
FLOAT, BYTES, DEFAULT, SAME = "fixed, float32", "fixed, uint8", "default", "default, SameStep"
BIG = f"fixed, float32, {SUITE} scenarios"
FLOAT_GOALS = {64: 8.0, 1024: 2.5, 4096: 1.2}
BYTES_GOALS = {64: 8.0, 1024: 5.0, 4096: 3.5}
DEFAULT_SHARE, GATHER_GOAL = 0.25, {1024: 0.35}


def stepping(vectors: Sequence[gym.vector.VectorEnv[Any, Any, Any]], n: int, n_actions: int) -> Callable[[], float]:
    """A case: steps per CPU second under random actions drawn beforehand; the vectors take turns."""
    rng = np.random.default_rng(0)
    actions = [rng.integers(n_actions, size=n) for _ in range(64)]
    turns = min(TURNS, max(16, STEPS // n // len(vectors)))
    for vector in vectors:
        vector.reset(seed=0)

    def case() -> float:
        start = process_time()
        for turn in range(turns):
            for vector in vectors:
                vector.step(actions[turn % 64])
        return turns * len(vectors) * n / (process_time() - start)

    return case


def gathering(rows: np.ndarray[Any, Any], n: int) -> Callable[[], float]:
    """A case: rows per CPU second that NumPy takes at random from the same table, and nothing else."""
    rng = np.random.default_rng(0)
    indices = [rng.integers(len(rows), size=n) for _ in range(64)]
    out = np.empty((n, rows.shape[1]), rows.dtype)
    turns = min(TURNS, max(16, STEPS // n))

    def case() -> float:
        start = process_time()
        for turn in range(turns):
            rows.take(indices[turn % 64], axis=0, out=out, mode="clip")
        return turns * n / (process_time() - start)

    return case


def enlarged(size: int) -> Catalog:
    """A catalog of `size` readings: those that exist, again and again."""
    readings: list[Reading] = [read(scenario, "conflict", "core") for scenario in scenario_ids()]
    return catalog_of([replace(readings[i % len(readings)]) for i in range(size)], parse_reward("human"))


class EnlargedVectorEnv(FictionVectorEnv):
    """Worlds over a catalog of `SUITE` readings, world i fixed to reading i modulo SUITE."""

    def __init__(self, n: int, catalog: Catalog) -> None:
        super().__init__(n, category="EP1", observation="features", infos="none", resample=False)
        self.catalog = catalog
        self._packed, self._features = catalog.packed, catalog.features("float32", bits=True)

    def reset(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin in every world, at the reading of its own."""
        result = super().reset(**kwargs)
        rows = np.arange(self.num_envs)
        self._begin(rows, rows % len(self.catalog.readings))
        return result


def cases_at(n: int, big: Catalog) -> dict[str, Callable[[], float]]:
    """Every case at one width."""

    def families(**kwargs: Any) -> list[FictionVectorEnv]:
        return [FictionVectorEnv(n, category=family, observation="features", **kwargs) for family in CATEGORIES]

    fixed = {"infos": "none", "resample": False}
    cartpole = gym.make_vec("CartPole-v1", num_envs=n, vectorization_mode="vector_entry_point")
    every = enlarged(len(scenario_ids()))
    return {
        CARTPOLE: stepping([cartpole], n, 2),
        GATHER: gathering(every.features("float32", bits=True), n),
        FLOAT: stepping(families(**fixed), n, 12),
        BYTES: stepping(families(**fixed, features_dtype="uint8"), n, 12),
        BIG: stepping([EnlargedVectorEnv(n, big)], n, 12),
        DEFAULT: stepping(families(), n, 12),
        SAME: stepping(families(autoreset_mode="SameStep"), n, 12),
    }


def goals_at(n: int) -> list[Goal]:
    """What is wanted at one width."""
    goals = []
    if n in FLOAT_GOALS:
        goals.append(Goal(case=FLOAT, anchor=CARTPOLE, ratio=FLOAT_GOALS[n], at_most=False))
        goals.append(Goal(case=BIG, anchor=CARTPOLE, ratio=FLOAT_GOALS[n], at_most=False))
        goals.append(Goal(case=BYTES, anchor=CARTPOLE, ratio=BYTES_GOALS[n], at_most=False))
        share = DEFAULT_SHARE * FLOAT_GOALS[n]
        goals += [Goal(case=case, anchor=CARTPOLE, ratio=share, at_most=False) for case in (DEFAULT, SAME)]
    if n in GATHER_GOAL:
        goals.append(Goal(case=FLOAT, anchor=GATHER, ratio=GATHER_GOAL[n], at_most=False))
    return goals


def measured() -> Iterator[Measured]:
    """A table a width."""
    gym.register_envs(conflictbench)
    big = enlarged(SUITE)
    for n in SIZES:
        yield Measured(
            title=f"{n:,} worlds", figures=measure(cases_at(n, big), ROUNDS), unit="steps/s", goals=goals_at(n)
        )


def main() -> None:
    """Print the tables."""
    for one in measured():
        print(one.text())


if __name__ == "__main__":
    main()
