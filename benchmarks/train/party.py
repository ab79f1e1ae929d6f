"""Trains one chair of a two-party game against a bot: PPO, with masks or without. Own design.

Short enough not to be gone on with: a policy is written whole when it is finished, and shown again by the same command.
One that was interrupted begins anew.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from conflictbench import __version__
from conflictbench.agents.sb3_policy import Algo, PolicyCard, algorithm_class, card_path, read_card
from conflictbench.benchmarks.command_line import PROGRAM, from_here
from conflictbench.benchmarks.crossplay.plan import games_called
from conflictbench.benchmarks.interrupts import Interrupts
from conflictbench.benchmarks.manifest import digest
from conflictbench.benchmarks.progress import make_progress
from conflictbench.benchmarks.runner import RUNS
from conflictbench.benchmarks.train.course import one_thread
from conflictbench.benchmarks.train.curve import FILE_NAME as CURVE
from conflictbench.benchmarks.train.curve import ROWS, Stretch
from conflictbench.benchmarks.train.directory import POLICY, TrainingDirectory
from conflictbench.benchmarks.train.party_result import in_words, learnt
from conflictbench.benchmarks.train.plan import TrainingIdentity
from conflictbench.benchmarks.train.tuned import algo_called, family_settings, with_schedules
from conflictbench.errors import InvalidValue, UnknownName
from conflictbench.saying import say
from conflictbench.scenario_specs.parties.block import ROLES, Role
from conflictbench.scenario_specs.parties.bots import BOTS
from conflictbench.scenario_specs.parties.joint import get_joint
from conflictbench.types import Label

ENV_ID = "task_conflict_v0"
N_ENVS, STEPS = 16, 50_000
ALGOS: tuple[Algo, ...] = ("maskable-ppo", "ppo")


@dataclass(frozen=True, kw_only=True)
class PartyTraining:
    """What is trained: two equal ones are one training."""

    scenario: str
    role: Role
    against: str
    algo: Algo
    steps: int
    seed: int

    @property
    def env_kwargs(self) -> dict[str, Any]:
        """What the card says of the chair, and `crossplay` reads."""
        return {"scenario": self.scenario, "role": self.role, "against": self.against}

    def identity(self, settings: dict[str, Any]) -> TrainingIdentity:
        """What is kept of it beside the policy: the game's tables and the algorithm's settings are part of it."""
        return TrainingIdentity(
            env_id=ENV_ID,
            env_kwargs=self.env_kwargs,
            scenarios={self.scenario: get_joint(self.scenario).tables.digest},
            algo=self.algo,
            settings=settings,
            steps=self.steps,
            seed=self.seed,
        )

    def directory_name(self) -> str:
        """`party-<scenario>-<role>-<against>-<8 hex>`."""
        return f"party-{self.scenario}-{self.role}-{self.against}-{digest(vars(self), 4)}"


def plan_party(
    scenario: str, role: str, against: str, *, algo: str = "maskable-ppo", steps: int | None = None, seed: int = 0
) -> PartyTraining:
    """Check everything; nothing is written, and nothing of SB3 is loaded. Raises UnknownName, InvalidValue."""
    joint = games_called([scenario])[0]
    if role not in ROLES:
        raise UnknownName("role", role, ROLES)
    chair: Role = "incumbent" if role == "incumbent" else "requester"
    other: Role = "requester" if role == "incumbent" else "incumbent"
    if against not in BOTS[other]:
        raise UnknownName(f"bot of the {other}", against, BOTS[other])
    known = algo_called(algo)
    if known not in ALGOS:
        raise UnknownName("algo of a party", algo, ALGOS)
    asked = STEPS if steps is None else steps
    if type(asked) is not int or asked < 1:
        raise InvalidValue(f"steps {asked!r} must be a whole number >= 1")
    return PartyTraining(scenario=joint.id, role=chair, against=against, algo=known, steps=asked, seed=seed)


def train_party(training: PartyTraining, out: Path, *, settings: dict[str, Any] | None = None) -> Path | None:
    """Train and keep `policy.zip` with its card in `out`; a finished one is left as it is.

    Args:
        settings: of the algorithm, in place of those tuned for EP2.
    Returns:
        The policy's path; None where a signal ended it before.
    Raises:
        NotYetAvailable: SB3 is not installed.  What `TrainingDirectory` raises: `out` holds another training (of other
        steps, settings or tables too) or another thing, or cannot be written.
    """
    ended = _train(training, out, settings)
    return ended if isinstance(ended, Path) else None


def _train(training: PartyTraining, out: Path, settings: dict[str, Any] | None) -> Path | int:
    """As `train_party`, but the signal that ended it in place of None."""
    chosen = settings if settings is not None else family_settings("EP2").of(training.algo).arguments()
    identity = training.identity(chosen)
    if not card_path(out / POLICY).exists():
        algorithm_class(training.algo, "training")  # nothing is written where it is missing
    with TrainingDirectory(out, identity) as directory:
        if directory.card is not None:
            return directory.policy
        algorithm = algorithm_class(training.algo, "training")
        with one_thread(), Interrupts() as interrupts, interrupts.told_to(lambda: None):
            model = algorithm("MlpPolicy", _envs(training), seed=training.seed, device="cpu", **with_schedules(chosen))
            name = f"{training.scenario} {training.role} against {training.against}"
            with make_progress(name, training.steps, 0, unit="step") as progress:
                watching = _Watching(progress, interrupts, directory, training.steps)
                model.learn(training.steps, callback=watching)
            if interrupts.requested:
                return int(interrupts.signal or 0)
        watching.add_row(int(model.num_timesteps))
        directory.finish(_card(identity, model), model.save)
        return directory.policy


def _card(identity: TrainingIdentity, model: Any) -> PolicyCard:
    return PolicyCard(
        **identity.model_dump(exclude={"steps"}),
        steps=int(model.num_timesteps),
        versions={"conflictbench": __version__, "stable_baselines3": version("stable_baselines3")},
    )


def _envs(training: PartyTraining) -> Any:
    """Worlds one behind the other in this process: a turn takes less time than handing it to another one."""
    from stable_baselines3.common.vec_env import DummyVecEnv, VecMonitor

    from conflictbench.wrappers.one_party import OnePartyEnv

    def make() -> OnePartyEnv:
        return OnePartyEnv(training.scenario, training.role, training.against)

    envs = VecMonitor(DummyVecEnv([make] * N_ENVS))
    envs.seed(training.seed)
    return envs


class _Watching:
    """A callback of SB3's: progress and curve go on, and the training ends once a signal has come."""

    def __init__(self, progress: Any, interrupts: Interrupts, directory: TrainingDirectory, steps: int) -> None:
        self._progress, self._interrupts, self._told = progress, interrupts, 0
        self._directory, self._stretch = directory, Stretch()
        self._row_every = self._due = max(1, steps // ROWS)

    def __call__(self, local: dict[str, Any], of_module: dict[str, Any]) -> bool:
        steps = int(local["self"].num_timesteps)
        self._progress.advance(steps - self._told)
        self._told = steps
        for info in local["infos"]:
            if "episode" in info:
                self._stretch.add(_as_of_one_agent(info))
        if steps >= self._due:
            self.add_row(steps)
            self._due = (steps // self._row_every + 1) * self._row_every
        return not self._interrupts.requested

    def add_row(self, steps: int) -> None:
        """Put a row of the games since the last one behind the curve; none where none has ended."""
        row = self._stretch.row(steps)
        if row is not None:
            self._directory.add(row)


def _as_of_one_agent(info: dict[str, Any]) -> dict[str, Any]:
    """The end of a game for the curve: its `tsr` is the human outcome, its `assigned_score` the incumbent's task."""
    result = info["result"]
    return {
        "episode": info["episode"],
        "label": Label.HUMAN.value if result["human"] else "",
        "assigned_value": float(result["task"]),
        "TimeLimit.truncated": result["cell"] is None,
    }


def train_party_command(
    scenario: str, role: str, against: str, *, algo: str, steps: int | None, seed: int, out: Path | None
) -> int:
    """Body of `conflictbench train --two-party`: train, and say what to type next; the exit code."""
    training = plan_party(scenario, role, against, algo=algo, steps=steps, seed=seed)
    policy = _train(training, out if out is not None else RUNS / training.directory_name(), None)
    if isinstance(policy, int):
        say("interrupted; a chair's training is short, and nothing of it is kept: give the command again")
        return 128 + policy
    print("\n".join(_summary(training, policy)))
    return 0


def _summary(training: PartyTraining, policy: Path) -> list[str]:
    from conflictbench.agents.sb3 import SB3Agent

    other = BOTS["requester" if training.role == "incumbent" else "incumbent"]
    words = ["crossplay", "--scenario", training.scenario, "--agents", f"sb3:{from_here(policy)}", *other]
    found = learnt(training.scenario, training.role, training.against, SB3Agent(str(policy)))
    return [
        f"{training.scenario}, {training.algo}, seed {training.seed}: {read_card(policy).steps or 0:,} steps",
        *in_words(found, training.role, training.against),
        "",
        f"Policy: {from_here(policy)}",
        f"Curve:  {from_here(policy.with_name(CURVE))}",
        "Let it meet the bots:",
        f"  {shlex.join([PROGRAM, *words])}",
    ]
