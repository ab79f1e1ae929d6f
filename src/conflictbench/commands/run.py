"""`conflictbench run`: evaluate agents on a suite, or go on where the same command stopped. Own design."""

from __future__ import annotations

from typing import Annotated

import typer

from conflictbench.commands.grouped_help import GroupedHelp
from conflictbench.commands.output import TYPED
from conflictbench.commands.run_options import RunOptions, with_run_options


def add_to(app: typer.Typer) -> None:
    """Join the command to the command line."""
    app.command(
        "run", cls=GroupedHelp, epilog="Example:  conflictbench run --suite quick --agent random --variant all"
    )(with_run_options(run))


def run(
    context: typer.Context,
    agent: Annotated[
        list[str], typer.Option(metavar="NAME", help="Of `conflictbench list agents`, or module:Class; repeatable.")
    ],
    options: RunOptions,
    fresh: Annotated[bool, typer.Option("--fresh", help="Start another run beside one that is there.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of the table.")] = False,
) -> None:
    """Evaluate agents on a suite.

    Prints the table and the path of the report. The same command goes on where it was stopped; when it is finished it
    prints its table again. A key for a model comes from the environment: OPENAI_API_KEY for llm:openai/..., and so on;
    CONFLICTBENCH_API_KEY for a server that --base-url names.
    Exit code 3: some episodes were left out of the figures; the table says how many and why.
    """
    from conflictbench.benchmarks.run_command import run_command

    keywords = options.keywords()
    keywords["fresh"] = fresh
    keywords["command"] = context.meta[TYPED]
    raise typer.Exit(run_command(options.suite, agent, as_json=as_json, **keywords))
