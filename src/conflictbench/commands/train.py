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
    env: Annotated[str | None, typer.Option(metavar="ID", help="ConflictBench/EP1-v0, EP2-v0 or EP3-v0.")] = None,
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
    two_party: Annotated[
        str | None, typer.Option(metavar="ID", help="One chair of this two-party game, in place of --env.")
    ] = None,
    role: Annotated[str | None, typer.Option(metavar="NAME", help="Of it: incumbent or requester.")] = None,
    against: Annotated[str | None, typer.Option(metavar="BOT", help="Who sits in the other chair.")] = None,
) -> None:
    """Train a policy on features (needs the extra rl).

    Keeps a learning curve, checkpoints and the policy in one directory. The same command goes on where it was stopped;
    when it is finished it shows its result again. `conflictbench run --agent sb3:PATH --observation features` evaluates
    the policy as any other agent.
    With --two-party it learns one chair of a game against a bot, and `conflictbench crossplay` lets it meet others;
    that is short, has no checkpoints, and begins anew after an interruption.
    """
    if two_party is not None:
        raise typer.Exit(_train_party(two_party, role, against, algo, steps, seed, out, env, reward, scenario, fresh))
    if role is not None or against is not None:
        raise typer.BadParameter("is for a two-party game: give --two-party ID", param_hint="--role, --against")
    if env is None:
        raise typer.BadParameter("missing: a world to train on, or a game by --two-party", param_hint="--env")
    from conflictbench.benchmarks.train.command import train_command

    raise typer.Exit(
        train_command(env, algo, reward=reward, scenarios=scenario or (), steps=steps, seed=seed, out=out, fresh=fresh)
    )


def _train_party(
    scenario: str,
    role: str | None,
    against: str | None,
    algo: str,
    steps: int | None,
    seed: int,
    out: Path | None,
    *others: object,
) -> int:
    """Train a chair; the exit code."""
    from conflictbench.benchmarks.train.party import train_party_command

    if role is None or against is None:
        raise typer.BadParameter("a two-party game needs --role and --against too", param_hint="--two-party")
    env, reward, scenarios, fresh = others
    if env is not None or reward != "human" or scenarios or fresh:
        raise typer.BadParameter(
            "goes without --env, --reward, --scenario and --fresh: a chair's reward is its own",
            param_hint="--two-party",
        )
    return train_party_command(scenario, role, against, algo=algo, steps=steps, seed=seed, out=out)
