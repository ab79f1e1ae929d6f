"""The command line: one command a file in `commands/`, one way for errors to reach a person. Own design.

Nothing heavy is imported until a command needs it, so that `--help` answers at once. Exit codes: 0 all well, 1 faults
found by `verify`, 2 wrong use or bad input, 3 a run with episodes left out, 130 interrupted.
"""

from __future__ import annotations

import os
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from conflictbench import __version__
from conflictbench.commands import (
    clips,
    crossplay,
    listing,
    plan,
    play,
    render,
    report,
    run,
    show,
    show_prompt,
    train,
    verify,
)
from conflictbench.commands.given_once import refuse_repeated
from conflictbench.commands.output import TYPED
from conflictbench.commands.run_options import in_option_names
from conflictbench.commands.tracebacks import tracebacks_shown
from conflictbench.commands.wrong_use import in_own_words
from conflictbench.errors import ConflictBenchError
from conflictbench.saying import say

DEBUG_VARIABLE = "CONFLICTBENCH_DEBUG"


class _Commands(TyperGroup):
    """Turns what the package raises on purpose into one message, without a traceback unless asked for."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        ctx.meta[TYPED] = tuple(refuse_repeated(self, ctx, args))
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        try:
            with tracebacks_shown(ctx.params["debug"]):
                return super().invoke(ctx)
        except typer.BadParameter as error:
            error.message = in_own_words(error)
            raise
        except BrokenPipeError:
            raise  # the reader of our output has left: typer ends quietly
        except (ConflictBenchError, OSError) as error:
            if ctx.params["debug"]:
                raise
            say(f"Error: {in_option_names(str(error))}")
            raise typer.Exit(2) from error


app = typer.Typer(
    cls=_Commands,
    name="conflictbench",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # the same plain help in a terminal, in a pipe and in a file
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Example:  conflictbench play EP1-001",
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"conflictbench {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and leave.")
    ] = False,
    debug: Annotated[
        bool, typer.Option("--debug", envvar=DEBUG_VARIABLE, help="Show tracebacks, also of errors in an agent.")
    ] = False,
) -> None:
    """Small worlds in which what an agent was told, or the agent itself, stands against people."""


for command in (listing, show, show_prompt, play, render, verify, plan, run, report, crossplay, clips, train):
    command.add_to(app)


def main() -> None:
    """Run the command line of this process, and leave with its exit code."""
    try:
        app(prog_name=app.info.name)
    finally:
        try:
            sys.stdout.flush()
        except BrokenPipeError:  # `conflictbench list | head -1`: nobody is left to be told
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
