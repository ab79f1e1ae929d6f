"""`conflictbench plan`: what a run would take, from a probe of two episodes. Own design."""

from __future__ import annotations

from typing import Annotated

import typer

from conflictbench.commands.grouped_help import GroupedHelp
from conflictbench.commands.output import TYPED
from conflictbench.commands.run_options import RunOptions, with_run_options


def add_to(app: typer.Typer) -> None:
    """Join the command to the command line."""
    app.command(
        "plan", cls=GroupedHelp, epilog="Example:  conflictbench plan --suite ep --agent llm:fake/look --seeds 5"
    )(with_run_options(plan))


def plan(
    context: typer.Context,
    agent: Annotated[str, typer.Option(metavar="NAME", help="Of `conflictbench list agents`, or module:Class.")],
    options: RunOptions,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """Say what a run would take: calls, tokens, money and time.

    Plays two of its episodes and keeps them in the run's directory, so that they are not paid for twice; the others
    are worked out from those. Takes the options of `conflictbench run`, which then plays the rest.
    """
    from conflictbench.benchmarks.plan_command import plan_command

    keywords = options.keywords()
    keywords["command"] = context.meta[TYPED]
    raise typer.Exit(plan_command(options.suite, agent, as_json=as_json, **keywords))
