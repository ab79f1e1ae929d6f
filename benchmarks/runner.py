"""Runs a suite: plays the episodes that are missing and keeps each the moment it ends. Own design."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from conflictbench.benchmarks.interrupts import Interrupts
from conflictbench.benchmarks.manifest import RunIdentity
from conflictbench.benchmarks.metrics import summarise
from conflictbench.benchmarks.plan import plan_run
from conflictbench.benchmarks.player import Player
from conflictbench.benchmarks.progress import Progress, make_progress
from conflictbench.benchmarks.records import RunDirectory
from conflictbench.benchmarks.summary import Summary
from conflictbench.benchmarks.units import Unit, pending_units
from conflictbench.benchmarks.workers import play_all
from conflictbench.errors import RunError

RUNS = Path("runs")


@dataclass(frozen=True, kw_only=True)
class RunResult:
    """What a call of `run_suite` left behind."""

    directory: Path
    identity: RunIdentity
    summary: Summary
    notes: tuple[str, ...]
    planned: int  # episodes of the run
    found: int  # of them finished before this call
    finished: int  # of them finished now
    played: int  # attempts made by this call
    interrupted: bool  # Ctrl-C

    @property
    def excluded(self) -> int:
        """Episodes that were attempted and left out of n."""
        return sum(group.n_excluded for group in self.summary.scenarios)


def run_suite(
    suite: str,
    agent: str,
    *,
    variants: Sequence[str] = ("conflict",),
    seeds: int = 1,
    epochs: int = 1,
    concurrency: int = 1,
    observation: str = "text",
    reward: Any = "human",
    out: str | Path | None = None,
    runs: str | Path = RUNS,
    fresh: bool = False,
) -> RunResult:
    """Run a suite with an agent, or go on with the run of an earlier call with the same arguments.

    Args:
        suite, agent, variants, seeds, epochs, observation, reward: as `plan_run`.
        concurrency: episodes played at a time, each on a thread with an agent of its own.
        out: the run's directory; None is `runs/<suite>-<agent>-<8 hex of all that makes the run>`.
        fresh: start another run beside one that is there (`-2`, `-3`, ... behind its name).
    Returns:
        The result. After Ctrl-C too, with `interrupted`: what was finished is kept, what was in flight is dropped.
    Raises:
        What `plan_run` and `RunDirectory` raise.
    """
    if concurrency < 1:
        raise RunError(f"concurrency must be at least 1, not {concurrency!r}")
    identity, notes = plan_run(
        suite, agent, variants=variants, seeds=seeds, epochs=epochs, observation=observation, reward=reward
    )
    base = Path(out) if out is not None else Path(runs) / identity.directory_name()
    path = first_free(base) if fresh else base
    planned = sum(1 for _ in identity.episodes())
    with RunDirectory(path, identity, notes=notes) as directory:
        before = len(directory.records)
        units = pending_units(identity, directory.attempts())
        progress = make_progress(f"{suite} {agent}", planned, planned - len(units))
        interrupted = _play(directory, units, agent, concurrency, progress)
        left = len(pending_units(identity, directory.attempts()))
        return RunResult(
            directory=path,
            identity=identity,
            summary=summarise(directory.records),
            notes=directory.notes,
            planned=planned,
            found=planned - len(units),
            finished=planned - left,
            played=len(directory.records) - before,
            interrupted=interrupted,
        )


def _play(directory: RunDirectory, units: Sequence[Unit], agent: str, concurrency: int, progress: Progress) -> bool:
    """Play the units and keep their records; True if Ctrl-C ended it before the last one."""
    with Interrupts() as interrupts:

        def on_step() -> None:
            interrupts.check()
            progress.tick()

        try:
            with (
                progress,
                closing(play_all(units, lambda check: Player(agent, check), concurrency, on_step)) as records,
            ):
                for record in records:
                    interrupts.check()  # a record made while the signal came may blame it on the env
                    directory.append(record)
                    progress.advance()
        except KeyboardInterrupt:
            return True
        except Exception:
            if not interrupts.requested:
                raise
            return True
    return False


def first_free(base: Path) -> Path:
    """`base` if nothing is there, else the first of `base-2`, `base-3`, ... where nothing is.

    Made at once, so that two processes asking at the same time get two directories.

    Raises:
        RunError: it cannot be made.
    """
    try:
        base.parent.mkdir(parents=True, exist_ok=True)
        for number in count(1):
            path = base if number == 1 else base.with_name(f"{base.name}-{number}")
            try:
                path.mkdir()
            except FileExistsError:
                continue
            return path
    except OSError as error:
        raise RunError(f"{base}: cannot be made ({error.strerror})") from error
    raise AssertionError("unreachable: count() does not end")
