"""Trains one chair of a two-party game against a bot: PPO, with masks or without. Own design.

Short enough not to be gone on with: a policy is written whole when it is finished, and shown again by the same command.
"""

from __future__ import annotations

import os
import shlex
import signal
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
from conflictbench.benchmarks.train.tuned import algo_called, family_settings, with_schedules
from conflictbench.errors import InvalidValue, RunError, UnknownName
from conflictbench.saying import say
from conflictbench.scenario_specs.parties.block import ROLES, Role
from conflictbench.scenario_specs.parties.bots import BOTS
from conflictbench.scenario_specs.parties.joint import get_joint

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
        NotYetAvailable: SB3 is not installed.  RunError: `out` holds another policy, or cannot be written.
    """
    policy = out / "policy.zip"
    if card_path(policy).exists():
        card = read_card(policy)
        there = (card.algo, card.env_kwargs, card.seed)
        if there != (training.algo, training.env_kwargs, training.seed):
            raise RunError(f"{out} holds another policy ({', '.join(map(str, there))}); name another --out")
        return policy
    algorithm = algorithm_class(training.algo, "training")
    chosen = settings if settings is not None else family_settings("EP2").of(training.algo).arguments()
    with one_thread(), Interrupts() as interrupts, interrupts.told_to(lambda: None):
        model = algorithm("MlpPolicy", _envs(training), seed=training.seed, device="cpu", **with_schedules(chosen))
        name = f"{training.scenario} {training.role} against {training.against}"
        with make_progress(name, training.steps, 0, unit="step") as progress:
            model.learn(training.steps, callback=_Watching(progress, interrupts))
        if interrupts.requested:
            return None
    card = PolicyCard(
        algo=training.algo,
        env_id="task_conflict_v0",
        env_kwargs=training.env_kwargs,
        scenarios={training.scenario: get_joint(training.scenario).tables.digest},
        steps=int(model.num_timesteps),
        seed=training.seed,
        settings=chosen,
        versions={"conflictbench": __version__, "stable_baselines3": version("stable_baselines3")},
    )
    _keep(model, card, policy)
    return policy


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
    """A callback of SB3's: moves the progress, and ends the training once a signal has come."""

    def __init__(self, progress: Any, interrupts: Interrupts) -> None:
        self._progress, self._interrupts, self._told = progress, interrupts, 0

    def __call__(self, local: dict[str, Any], of_module: dict[str, Any]) -> bool:
        steps = int(local["self"].num_timesteps)
        self._progress.advance(steps - self._told)
        self._told = steps
        return not self._interrupts.requested


def _keep(model: Any, card: PolicyCard, policy: Path) -> None:
    """The policy first, then what is said of it: without its card it is no policy yet."""
    try:
        policy.parent.mkdir(parents=True, exist_ok=True)
        fresh = policy.with_name(f"new-{policy.name}")
        model.save(fresh)
        os.replace(fresh, policy)
        words = card_path(policy).with_name("new-policy.json")
        words.write_text(card.model_dump_json(indent=2) + "\n", "utf-8")
        os.replace(words, card_path(policy))
    except OSError as error:
        raise RunError(f"{policy.parent}: cannot be written ({error.strerror or error})") from error


def train_party_command(
    scenario: str, role: str, against: str, *, algo: str, steps: int | None, seed: int, out: Path | None
) -> int:
    """Body of `conflictbench train --two-party`: train, and say what to type next; the exit code."""
    training = plan_party(scenario, role, against, algo=algo, steps=steps, seed=seed)
    policy = train_party(training, out if out is not None else RUNS / training.directory_name())
    if policy is None:
        say("interrupted; a chair's training is short, and nothing of it is kept: give the command again")
        return 128 + signal.SIGINT
    other = BOTS["requester" if training.role == "incumbent" else "incumbent"]
    words = ["crossplay", "--scenario", training.scenario, "--agents", f"sb3:{from_here(policy)}", *other]
    print(f"Policy: {from_here(policy)}\nLet it meet the bots:\n  {shlex.join([PROGRAM, *words])}")
    return 0
