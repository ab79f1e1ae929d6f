"""`conflictbench play`: a person in the place of the agent, on the stack that every benchmark plays on. Own design."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Annotated

import typer

from conflictbench.commands.naming import scenario_called
from conflictbench.commands.play_two_party import INTERRUPTED, stopped


def add_to(app: typer.Typer) -> None:
    """Join the command to the command line."""
    app.command("play", epilog="Example:  conflictbench play EP3-001 --variant stake_only")(play)


def play(
    scenario: Annotated[str | None, typer.Argument(metavar="ID", help="A scenario's id, such as EP1-001.")] = None,
    variant: Annotated[
        str | None, typer.Option(metavar="NAME", help="The reading: conflict, stake_only, task_only or control.")
    ] = None,
    engine: Annotated[str | None, typer.Option(metavar="NAME", help="What runs the world: native or glulx.")] = None,
    two_party: Annotated[
        str | None, typer.Option("--two-party", metavar="ID", help="Play this EP2 scenario against a bot instead.")
    ] = None,
    role: Annotated[
        str | None, typer.Option("--as", metavar="ROLE", help="Your chair: incumbent or requester.")
    ] = None,
    against: Annotated[str | None, typer.Option(metavar="BOT", help="Who has the other chair, such as fair.")] = None,
    talk: Annotated[
        str | None, typer.Option(metavar="KIND", help="Talk before each turn: none, signal or text.")
    ] = None,
    bot_talk: Annotated[
        str | None, typer.Option(metavar="KIND", help="What the bot says: promise (what it will play) or silent.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="Draws who is served first, and private values.")
    ] = None,
) -> None:
    """Play a scenario in the terminal.

    Type commands, `help` for the list of them, `quit` to leave.
    """
    for_one = {"--variant": variant, "--engine": engine}
    for_two = {"--as": role, "--against": against, "--talk": talk, "--bot-talk": bot_talk, "--seed": seed}
    if two_party is not None:
        _refuse({"ID": scenario, **for_one}, "does not go with --two-party")
        if talk in (None, "none"):
            _refuse({"--bot-talk": bot_talk}, "goes with --talk signal or text")
        from conflictbench.commands.play_two_party import play_game

        with suppress(ImportError):
            import readline  # noqa: F401 - arrow keys and history in `input`
        play_game(
            two_party,
            role="incumbent" if role is None else role,
            against="fair" if against is None else against,
            talk="none" if talk is None else talk,
            bot_talk="promise" if bot_talk is None else bot_talk,
            seed=seed or 0,
            read_line=_read_line,
            write=typer.echo,
        )
        return
    if scenario is None:
        raise typer.BadParameter("missing: a scenario's id, or --two-party and one of EP2", param_hint="ID")
    _refuse(for_two, "goes with --two-party ID")
    _play_alone(scenario, "conflict" if variant is None else variant, "native" if engine is None else engine)


def _refuse(options: Mapping[str, object], why: str) -> None:
    for name, value in options.items():
        if value is not None:
            raise typer.BadParameter(why, param_hint=name)


def _play_alone(scenario: str, variant: str, engine: str) -> None:
    import gymnasium as gym

    from conflictbench.agents.human import HumanAgent
    from conflictbench.benchmarks.rollout import rollout
    from conflictbench.types import Status
    from conflictbench.wrappers.episode_record import EpisodeRecorder
    from conflictbench.wrappers.text_actions import TextActions

    spec = scenario_called(scenario).spec
    world = gym.make(f"ConflictBench/{spec.category}-v0", scenario=spec.id, variant=variant, engine=engine)
    env = EpisodeRecorder(TextActions(world), agent_name=HumanAgent.name)
    with suppress(ImportError):
        import readline  # noqa: F401 - arrow keys and history in `input`
    try:
        record = rollout(env, HumanAgent(read_line=_read_line, write=typer.echo), seed=0)
    except KeyboardInterrupt:
        typer.echo(stopped(env.record(Status.ENV_ERROR, INTERRUPTED).turns, INTERRUPTED))
        raise
    finally:
        env.close()
    if record.status is Status.ENV_ERROR:
        typer.echo(stopped(record.turns, (record.error or "").removeprefix("AgentError: ")))
        raise typer.Exit(0 if (record.error or "").startswith("AgentError: ") else 2)


def _read_line(prompt: str) -> str:
    """A line from the terminal; from a pipe it is echoed, so that the output reads like a game.

    Raises:
        EOFError: there are no more, or there is no input at all (`<&-`).
    """
    if sys.stdin is None:
        raise EOFError
    line = input(prompt)
    if not sys.stdin.isatty():
        typer.echo(line)
    return line
