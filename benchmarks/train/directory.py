"""A training's directory: what it is, its curve, its last checkpoint, and in the end its policy. Own design.

    training.json     what it is; another training is refused
    curve.csv         the learning curve
    checkpoint.json   until there is a policy: the last checkpoint, its steps and the files that hold it
    policy.zip/.json  the finished policy
    tensorboard/      the same as the curve, and SB3's own figures, where TensorBoard is installed

Killed at any moment, the training goes on from its last checkpoint: files are written whole, then named.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from conflictbench.agents.sb3_policy import PolicyCard, card_path
from conflictbench.benchmarks.closing import Closing
from conflictbench.benchmarks.run_lock import FILE_NAME as LOCK
from conflictbench.benchmarks.run_lock import RunLock
from conflictbench.benchmarks.train.curve import FILE_NAME as CURVE
from conflictbench.benchmarks.train.curve import CurveRow, read_curve, write_curve
from conflictbench.benchmarks.train.plan import TrainingIdentity, differences
from conflictbench.errors import BrokenRecord, RunError, RunMismatch

TRAINING, CHECKPOINT, POLICY, TENSORBOARD = "training.json", "checkpoint.json", "policy.zip", "tensorboard"


class TrainingDirectory(Closing):
    """The writing side. Use it as a context manager, or call `close`."""

    def __init__(self, path: Path, identity: TrainingIdentity) -> None:
        """Open `path` for a training, making it if it does not exist.

        Raises:
            RunMismatch: it holds another training.  RunLocked: another process is writing it.
            BrokenRecord: a file in it cannot be read.  RunError: not a directory, another thing, or not writable.
        """
        self.path = path
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RunError(f"{path}: cannot be made or is not a directory ({error.strerror})") from error
        self._refuse_another_thing()  # before the lock: what is refused is left as it was
        self._lock = RunLock(path)
        try:
            self._open(identity)
            finished, steps = self.card is not None, self.steps
            self.rows = [row for row in read_curve(path / CURVE) if finished or row.steps <= steps]
            write_curve(path / CURVE, self.rows)
        except BaseException:
            self.close()
            raise

    @property
    def policy(self) -> Path:
        """Where the policy is, once it is finished."""
        return self.path / POLICY

    @property
    def card(self) -> PolicyCard | None:
        """What is said of the finished policy; None before."""
        try:
            return PolicyCard.model_validate_json(card_path(self.policy).read_bytes())
        except FileNotFoundError:
            return None
        except ValueError as error:
            raise BrokenRecord(f"{card_path(self.policy)}: {error}") from error

    @property
    def steps(self) -> int:
        """Steps at the last checkpoint, 0 before the first."""
        return int(self._checkpoint()["steps"])

    @property
    def seconds(self) -> float:
        """What was spent up to the last checkpoint."""
        return float(self._checkpoint()["seconds"])

    @property
    def checkpoint(self) -> dict[str, Path]:
        """The files of the last checkpoint by what they hold, none before the first."""
        return {what: self.path / name for what, name in self._checkpoint()["files"].items()}

    def keep(self, steps: int, seconds: float, writers: dict[str, Callable[[Path], object]]) -> None:
        """Write a checkpoint, then name it as the last, then drop the one before.

        Args:
            writers: by what they hold, functions that write a file at the path they are given.
        """
        before = self.checkpoint.values()
        files = {what: f"{what}-{steps}.{'zip' if what == 'model' else 'pkl'}" for what in writers}
        for what, write in writers.items():
            write(self.path / files[what])
            _sync(self.path / files[what])
        self._put(CHECKPOINT, {"steps": steps, "seconds": seconds, "files": files})
        for path in before:
            if path.name not in files.values():
                path.unlink(missing_ok=True)

    def add(self, row: CurveRow) -> None:
        """Put a row behind the curve."""
        self.rows.append(row)
        write_curve(self.path / CURVE, self.rows)

    def finish(self, card: PolicyCard, write: Callable[[Path], object]) -> None:
        """Write the policy, then what is said of it, then drop the last checkpoint's files."""
        fresh = self.path / f"new-{POLICY}"
        write(fresh)
        _sync(fresh)
        os.replace(fresh, self.policy)
        kept = [*self.checkpoint.values(), self.path / CHECKPOINT]
        self._put(card_path(self.policy).name, card.model_dump(mode="json"))
        for path in kept:
            path.unlink(missing_ok=True)

    def close(self) -> None:
        """Let others in."""
        self._lock.release()

    def _open(self, identity: TrainingIdentity) -> None:
        here = identity.model_dump(mode="json")
        self._refuse_another_thing()  # what has come since
        there = self._read(TRAINING)
        if there is None:
            self._put(TRAINING, here)
        elif there != here:
            changed = "; ".join(differences(there, here))
            raise RunMismatch(f"{self.path} holds another training: {changed}; name another --out")

    def _refuse_another_thing(self) -> None:
        """Raise RunError for a directory that is neither a training nor empty."""
        try:
            names = {entry.name for entry in self.path.iterdir()}
        except OSError as error:
            raise RunError(f"{self.path}: cannot be read ({error.strerror})") from error
        if TRAINING not in names and (others := sorted(names - {LOCK, f"{TRAINING}.new"})):
            raise RunError(f"{self.path}: not a training ({others[0]} is in it); name another --out")

    def _checkpoint(self) -> dict[str, Any]:
        found = self._read(CHECKPOINT)
        return {"steps": 0, "seconds": 0.0, "files": {}} if found is None else found

    def _read(self, name: str) -> dict[str, Any] | None:
        try:
            found: dict[str, Any] = json.loads((self.path / name).read_bytes())
        except FileNotFoundError:
            return None
        except ValueError as error:
            raise BrokenRecord(f"{self.path / name}: {error}") from error
        return found

    def _put(self, name: str, content: dict[str, Any]) -> None:
        """Write a file whole or not at all."""
        fresh = self.path / f"{name}.new"
        fresh.write_text(json.dumps(content, indent=2) + "\n", "utf-8")
        _sync(fresh)
        os.replace(fresh, self.path / name)
        _sync(self.path)


def _sync(path: Path) -> None:
    fd = os.open(path, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
