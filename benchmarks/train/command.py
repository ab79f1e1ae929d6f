"""Body of `conflictbench train`: train, and say what came of it and how to evaluate it. Own design."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from conflictbench.agents.sb3 import OBSERVATION
from conflictbench.agents.sb3_policy import Ending, PolicyCard
from conflictbench.benchmarks.command_line import PROGRAM, from_here, shown_path
from conflictbench.benchmarks.run_command import parse_reward
from conflictbench.benchmarks.train.course import Trained, train
from conflictbench.benchmarks.train.plan import plan_training
from conflictbench.saying import say
from conflictbench.types import Label

FINISHED = 0  # exit code; 128 + the signal after one


def train_command(
    env_id: str,
    algo: str,
    *,
    reward: str = "human",
    scenarios: Sequence[str] = (),
    steps: int | None = None,
    seed: int = 0,
    out: Path | None = None,
    fresh: bool = False,
) -> int:
    """Train a policy, or go on where the same command stopped; a finished training is shown again.

    Args:
        reward: as typed: "human", "assigned", a number from 0 to 1, or a JSON object.
        env_id, algo, scenarios, steps, seed: as `plan_training`.
        out, fresh: as `train`.
    Returns:
        Exit code: 0 finished; 130 interrupted by Ctrl-C, 143 by SIGTERM.
    Raises:
        What `plan_training` and `train` raise.
    """
    identity = plan_training(env_id, algo, reward=parse_reward(reward), scenarios=scenarios, steps=steps, seed=seed)
    trained = train(identity, out=out, fresh=fresh)
    if trained.card is None:
        say(
            f"interrupted; what was learnt up to step {trained.kept:,} is kept in {shown_path(trained.directory)}. "
            f"To go on, give the command again{_in_its_place(trained, fresh)}"
        )
        return 128 + trained.signal
    print(summary(trained, trained.card))
    return FINISHED


def summary(trained: Trained, card: PolicyCard) -> str:
    """What a finished training came to, a few lines."""
    identity = trained.identity
    rows = trained.rows
    human = sum(ending.label is Label.HUMAN for ending in card.endings)
    assigned = sum(ending.assigned_value for ending in card.endings) / len(card.endings)
    folder = from_here(trained.directory)
    reward = _shown(identity.env_kwargs["reward"])
    took = f"{card.steps:,} steps in {card.seconds:,.0f} s"
    lines = [
        f"{identity.family}, {identity.algo}, reward {reward}, seed {identity.seed}: {took}",
        "",
        *(
            [f"Last episodes of the training: TSR {rows[-1].tsr:.1%}, assigned score {rows[-1].assigned_score:.2f}"]
            if rows
            else []
        ),
        f"Best actions: people saved in {human}/{len(card.endings)} scenarios, assigned score {assigned:.2f}",
        *(f"  {ending.scenario}  {_ended(ending)}" for ending in card.endings),
        "",
        f"Policy: {folder / trained.policy.name}",
        f"Curve:  {folder / 'curve.csv'}",
        "Evaluate it like any other agent:",
        f"  {evaluation(trained)}",
    ]
    return "\n".join(lines)


def evaluation(trained: Trained) -> str:
    """The command that plays the policy on the scenarios it was trained on."""
    identity = trained.identity
    chosen = [word for one in identity.env_kwargs.get("scenario", ()) for word in ("--scenario", one)]
    words = ["run", "--suite", identity.family.lower(), "--agent", f"sb3:{from_here(trained.policy)}"]
    return shlex.join([PROGRAM, *words, "--observation", OBSERVATION, *chosen])


def _ended(ending: Ending) -> str:
    turns = f"after {ending.interactions} interactions"
    if ending.label is None:
        return f"no ending {turns}"
    return f"{ending.label.words}: {ending.outcome} {turns}, assigned value {ending.assigned_value:g}"


def _shown(reward: object) -> str:
    return reward if isinstance(reward, str) else str(reward).replace("'", '"')


def _in_its_place(trained: Trained, fresh: bool) -> str:
    """`--fresh` would start another one."""
    return f" with --out {shlex.quote(str(from_here(trained.directory)))} in place of --fresh" if fresh else ""
