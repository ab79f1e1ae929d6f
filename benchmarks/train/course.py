"""A training from its plan to its policy, or on from where it was stopped. Own design."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from platform import python_version
from typing import Any, TextIO

from conflictbench import __version__
from conflictbench.agents.sb3_policy import PolicyCard, algorithm_class, card_path
from conflictbench.benchmarks.interrupts import Interrupts
from conflictbench.benchmarks.progress import make_progress
from conflictbench.benchmarks.runner import RUNS, first_free
from conflictbench.benchmarks.train.curve import CurveRow
from conflictbench.benchmarks.train.directory import POLICY, TENSORBOARD, TrainingDirectory
from conflictbench.benchmarks.train.endings import endings_of
from conflictbench.benchmarks.train.plan import TrainingIdentity
from conflictbench.benchmarks.train.tuned import AlgoSettings, with_schedules


@dataclass(frozen=True, kw_only=True)
class Trained:
    """What a call of `train` left behind."""

    directory: Path
    identity: TrainingIdentity
    card: PolicyCard | None  # None: stopped by a signal, to be gone on with
    rows: tuple[CurveRow, ...]
    kept: int  # steps at the last checkpoint, or at the end
    signal: int  # SIGINT or SIGTERM where one ended the call, else 0

    @property
    def policy(self) -> Path:
        """Where the policy is, or will be."""
        return self.directory / POLICY


def train(
    identity: TrainingIdentity,
    *,
    out: Path | None = None,
    runs: Path = RUNS,
    fresh: bool = False,
    stream: TextIO | None = None,
) -> Trained:
    """Train a policy, go on with an earlier call of the same training, or read what it came to.

    Seeds the global generators of Python, NumPy and torch, as SB3 does, and computes with one thread of torch: these
    networks are too small for two.

    Args:
        identity: from `plan_training`.
        out: the directory; None is one of its own below `runs`.
        fresh: start another training beside one that is there.
        stream: of progress, default stderr.
    Raises:
        NotYetAvailable: SB3 is not installed.  What `TrainingDirectory` raises.
    """
    base = out if out is not None else runs / identity.directory_name()
    if fresh or not card_path(base / POLICY).exists():
        algorithm_class(identity.algo, "training")  # nothing is written where it is missing
    with TrainingDirectory(first_free(base) if fresh else base, identity) as directory:
        signal = 0
        if directory.card is None:
            with one_thread():
                signal = _learn(directory, identity, stream)
        card = directory.card
        return Trained(
            directory=directory.path,
            identity=identity,
            card=card,
            rows=tuple(directory.rows),
            kept=directory.steps if card is None else card.steps or 0,
            signal=signal,
        )


def _learn(directory: TrainingDirectory, identity: TrainingIdentity, stream: TextIO | None) -> int:
    """Train to the end, and keep the policy; returns the signal that ended it before, else 0."""
    from conflictbench.benchmarks.train.callback import Course
    from conflictbench.wrappers.sb3_vec_env import make_sb3_vec_env

    settings = AlgoSettings.model_validate(identity.settings)
    env = make_sb3_vec_env(identity.env_id, settings.n_envs, **identity.env_kwargs)
    try:
        model = _model(directory, identity, settings, env)
        _set_logger(model, directory)

        def newest() -> str:
            rows = directory.rows
            return f"TSR {rows[-1].tsr:.0%}, assigned score {rows[-1].assigned_score:.2f}" if rows else ""

        name = f"{identity.family} {identity.algo}"
        progress = make_progress(name, identity.steps, directory.steps, stream or sys.stderr, newest, unit="step")
        with Interrupts() as interrupts, interrupts.told_to(lambda: None), progress:
            course = Course(directory, identity, progress, lambda: interrupts.requested)
            course.init_callback(model)
            course.start()
            left = identity.steps - model.num_timesteps
            model.learn(left, callback=course, reset_num_timesteps=False)
            if course.stopped:
                return int(interrupts.signal or 0)
        card = _card(identity, model, round(course.seconds, 1))
        directory.finish(card, model.save)
        return 0
    finally:
        env.close()


def _model(directory: TrainingDirectory, identity: TrainingIdentity, settings: AlgoSettings, env: Any) -> Any:
    """A fresh model, or the one of the last checkpoint."""
    algorithm = algorithm_class(identity.algo, "training")
    files = directory.checkpoint
    if not files:
        arguments = with_schedules(settings.arguments())
        return algorithm("MlpPolicy", env, seed=identity.seed, device="cpu", **arguments)
    model = algorithm.load(files["model"], env=env, device="cpu")
    if "buffer" in files:
        model.load_replay_buffer(files["buffer"])
    return model


def _set_logger(model: Any, directory: TrainingDirectory) -> None:
    """SB3's own figures go to TensorBoard where that is installed, and nowhere else."""
    from stable_baselines3.common.logger import Logger, make_output_format

    folder = str(directory.path / TENSORBOARD)
    formats = [make_output_format("tensorboard", folder)] if find_spec("tensorboard") else []
    model.set_logger(Logger(folder=folder, output_formats=formats))


def _card(identity: TrainingIdentity, model: Any, seconds: float) -> PolicyCard:
    packages = ("gymnasium", "numpy", "sb3_contrib", "stable_baselines3", "torch")
    return PolicyCard(
        algo=identity.algo,
        env_id=identity.env_id,
        env_kwargs=identity.env_kwargs,
        scenarios=identity.scenarios,
        steps=model.num_timesteps,
        seed=identity.seed,
        settings=identity.settings,
        seconds=seconds,
        endings=endings_of(model, identity),
        versions={"conflictbench": __version__, "python": python_version()}
        | {package: version(package) for package in packages},
    )


@contextmanager
def one_thread() -> Iterator[None]:
    """Torch on one core inside the block: more of them make small networks slower."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
