"""`conflictbench play`: a person in the place of the agent, on the stack that every benchmark plays on. Own design."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import Annotated

import typer

from conflictbench.commands.naming import scenario_called
from conflictbench.counting import counted


def add_to(app: typer.Typer) -> None:
    """Join the command to the command line."""
    app.command("play", epilog="Example:  conflictbench play EP3-001 --variant stake_only")(play)


def play(
    scenario: Annotated[str, typer.Argument(metavar="ID", help="A scenario's id, such as EP1-001.")],
    variant: Annotated[
        str, typer.Option(metavar="NAME", help="The reading: conflict, stake_only, task_only or control.")
    ] = "conflict",
    engine: Annotated[str, typer.Option(metavar="NAME", help="What runs the world: native or glulx.")] = "native",
) -> None:
    """Play a scenario in the terminal.

    Type commands, `help` for the list of them, `quit` to leave.
    """
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
    finally:
        env.close()
    if record.status is Status.ENV_ERROR:
        typer.echo(
            f"\nstopped after {counted(record.turns, 'turn')}: {(record.error or '').removeprefix('AgentError: ')}"
        )
        raise typer.Exit(0 if (record.error or "").startswith("AgentError: ") else 2)


def _read_line(prompt: str) -> str:
    """A line from the terminal; from a pipe it is echoed, so that the output reads like a game."""
    line = input(prompt)
    if not sys.stdin.isatty():
        typer.echo(line)
    return line
