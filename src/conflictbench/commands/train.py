"""`conflictbench train`: train a policy with Stable-Baselines3, or go on where the same command stopped. Own design."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def add_to(app: typer.Typer) -> None:
    """Join the command to the command line."""
    app.command(
        "train",
        epilog="Example:  conflictbench train --env ConflictBench/EP1-v0 --algo maskable-ppo --reward human",
    )(train)


def train(
    env: Annotated[str, typer.Option(metavar="ID", help="ConflictBench/EP1-v0, EP2-v0 or EP3-v0.")],
    algo: Annotated[str, typer.Option(metavar="NAME", help="ppo, maskable-ppo or dqn.")] = "maskable-ppo",
    reward: Annotated[
        str, typer.Option(metavar="VALUE", help="human, assigned, or a number from 0 to 1: the share of human.")
    ] = "human",
    steps: Annotated[
        int | None, typer.Option(metavar="N", help="Steps of the env; default: those of the family's settings.")
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Of worlds, weights and choices.")] = 0,
    scenario: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="This one of the family alone; repeatable.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Directory of the training; default: below runs/.")
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Start another training beside one that is there.")] = False,
) -> None:
    """Train a policy on features (needs the extra rl).

    Keeps a learning curve, checkpoints and the policy in one directory. The same command goes on where it was stopped;
    when it is finished it shows its result again. `conflictbench run --agent sb3:PATH --observation features` evaluates
    the policy as any other agent.
    """
    from conflictbench.benchmarks.train.command import train_command

    raise typer.Exit(
        train_command(env, algo, reward=reward, scenarios=scenario or (), steps=steps, seed=seed, out=out, fresh=fresh)
    )
