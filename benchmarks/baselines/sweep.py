"""Which policies the page is about, and training them, two at a time. Own design.

Each is a training of its own, with its own directory, as `conflictbench train` would make it: what is finished is read,
what was stopped goes on.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TextIO

from conflictbench.benchmarks.progress import make_progress
from conflictbench.benchmarks.train import Trained, plan_training, train
from conflictbench.benchmarks.train.plan import TrainingIdentity
from conflictbench.errors import InvalidValue
from conflictbench.types import CATEGORIES

ALGO = "maskable-ppo"
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)  # of the human outcome in the reward: lambda
SEEDS = 5
RUNS = Path("runs") / "baselines"


@dataclass(frozen=True, kw_only=True)
class Sweep:
    """Families x shares x seeds."""

    families: tuple[str, ...] = CATEGORIES
    shares: tuple[float, ...] = SHARES
    seeds: int = SEEDS
    steps: int | None = None  # None: those of the family's settings

    def trainings(self) -> Iterator[tuple[str, float, TrainingIdentity]]:
        """Each with its family and share. Raises what `plan_training` raises, InvalidValue for no seed."""
        if self.seeds < 1:
            raise InvalidValue(f"seeds {self.seeds!r} must be a whole number >= 1")
        for family in self.families:
            for share in self.shares:
                for seed in range(self.seeds):
                    env_id = f"ConflictBench/{family}-v0"
                    identity = plan_training(env_id, ALGO, reward=reward_of(share), steps=self.steps, seed=seed)
                    yield family, share, identity


def reward_of(share: float) -> Any:
    """The reward of a share; the ends by their names, as a person would ask for them."""
    return {0.0: "assigned", 1.0: "human"}.get(share, share)


def run_sweep(
    sweep: Sweep, *, runs: Path = RUNS, jobs: int = 2, stream: TextIO | None = None
) -> dict[tuple[str, float], list[Trained]]:
    """Train what is missing.

    Args:
        runs: where the trainings have their directories.
        jobs: processes, of one thread each.
        stream: of progress, default stderr.
    Returns:
        By family and share, the trainings by seed. After Ctrl-C KeyboardInterrupt is raised, what was learnt is kept.
    """
    trainings = list(sweep.trainings())
    found: dict[int, Trained] = {}
    progress = make_progress("baselines", len(trainings), 0, stream, unit="training")
    pool = ProcessPoolExecutor(max_workers=jobs, mp_context=get_context("spawn"))
    try:
        with progress:
            futures = {pool.submit(_train, one, runs): place for place, (_, _, one) in enumerate(trainings)}
            for future in as_completed(futures):
                found[futures[future]] = future.result()
                progress.advance()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
    if any(trained.card is None for trained in found.values()):
        raise KeyboardInterrupt
    return _grouped(trainings, [found[place] for place in range(len(trainings))])


def _grouped(
    trainings: Sequence[tuple[str, float, TrainingIdentity]], found: Sequence[Trained]
) -> dict[tuple[str, float], list[Trained]]:
    groups: dict[tuple[str, float], list[Trained]] = {}
    for (family, share, _), trained in zip(trainings, found, strict=True):
        groups.setdefault((family, share), []).append(trained)
    return groups


def _train(identity: TrainingIdentity, runs: Path) -> Trained:
    """In a process of its own, which shows nothing."""
    return train(identity, runs=runs, stream=io.StringIO())
