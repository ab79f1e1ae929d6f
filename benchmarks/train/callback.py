"""What happens between two rollouts of SB3: rows of the curve, checkpoints, progress, the end. Own design.

Stable-Baselines3 is imported with this module: import it where you train.

A checkpoint is a fresh start as much as a copy: the training itself goes on from it with worlds begun anew and every
generator seeded anew, by a seed that follows from the training's and the number of the checkpoint. So a training that
was killed and gone on with ends in the same policy as one that never was.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.save_util import save_to_pkl

from conflictbench.benchmarks.progress import Progress
from conflictbench.benchmarks.train.curve import ROWS, CurveRow, Stretch
from conflictbench.benchmarks.train.directory import TrainingDirectory
from conflictbench.benchmarks.train.plan import TrainingIdentity
from conflictbench.seeds import agent_seed

CHECKPOINTS = 10  # of a training that is not long
LONGEST_STRETCH = 100_000  # steps between two: seconds of work


def checkpoint_every(steps: int) -> int:
    """Steps between two checkpoints of a training."""
    return min(LONGEST_STRETCH, -(-steps // CHECKPOINTS))


class Course(BaseCallback):
    """Joins an algorithm of SB3 to the directory of its training."""

    def __init__(
        self,
        directory: TrainingDirectory,
        identity: TrainingIdentity,
        progress: Progress,
        stop: Callable[[], bool],
    ) -> None:
        """Take what is told and asked; `stop` is asked after each step of the worlds."""
        super().__init__()
        self._directory, self._identity, self._progress, self._stop = directory, identity, progress, stop
        self._stretch = Stretch()
        self._every = checkpoint_every(identity.steps)
        self._row_every = max(1, identity.steps // ROWS)
        self._began = time.monotonic()
        self._spent = directory.seconds
        self.stopped = False

    @property
    def seconds(self) -> float:
        """What the training has taken, earlier calls up to their last checkpoint included."""
        return self._spent + time.monotonic() - self._began

    def start(self) -> None:
        """Seed everything for the stretch behind the last checkpoint. Before `learn`."""
        self._kept = self._rowed = self.model.num_timesteps
        self.model.set_random_seed(agent_seed(self._identity.seed, self._kept // self._every))

    def _on_rollout_start(self) -> None:
        steps = self.model.num_timesteps
        due = steps // self._every > self._kept // self._every
        if due or steps // self._row_every > self._rowed // self._row_every:
            self._add_row(steps)
        if due:
            self._keep(steps)

    def _on_step(self) -> bool:
        for info in self.locals["infos"]:
            if info:
                self._stretch.add(info)
        over = max(0, self.model.num_timesteps - self._identity.steps)  # SB3 ends with a whole rollout
        self._progress.advance(max(0, self.model.n_envs - over))
        self.stopped = self._stop()
        return not self.stopped

    def _on_training_end(self) -> None:
        if not self.stopped:
            self._add_row(self.model.num_timesteps)

    def _add_row(self, steps: int) -> None:
        self._rowed = steps
        row = self._stretch.row(steps)
        if row is not None:
            self._directory.add(row)
            self._log(row)

    def _log(self, row: CurveRow) -> None:
        for name in ("tsr", "assigned_score", "truncated", "mean_return", "mean_length"):
            self.logger.record(f"conflictbench/{name}", getattr(row, name))

    def _keep(self, steps: int) -> None:
        model: Any = self.model
        writers: dict[str, Callable[[Any], object]] = {"model": model.save}
        if hasattr(model, "replay_buffer"):
            writers["buffer"] = lambda path: save_to_pkl(path, model.replay_buffer)
        self._directory.keep(steps, self.seconds, writers)
        self.start()
        model._last_obs = model.env.reset()
        model._last_episode_starts = np.ones(model.n_envs, np.bool_)
