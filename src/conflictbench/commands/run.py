"""`conflictbench run`: evaluate agents on a suite, or go on where the same command stopped. Own design."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def add_to(app: typer.Typer) -> None:
    """Join the command to the command line."""
    app.command("run", epilog="Example:  conflictbench run --suite quick --agent random --variant all")(run)


def run(
    agent: Annotated[
        list[str], typer.Option(metavar="NAME", help="Of `conflictbench list agents`, or module:Class; repeatable.")
    ],
    suite: Annotated[str, typer.Option(metavar="NAME", help="Of `conflictbench list suites`.")] = "quick",
    variant: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="conflict, stake_only, task_only, control or all; repeatable."),
    ] = None,
    seeds: Annotated[int, typer.Option(metavar="N", help="Episodes a scenario and variant, seeded 0, 1, ...")] = 1,
    epochs: Annotated[int, typer.Option(metavar="N", help="Repetitions of each seed.")] = 1,
    concurrency: Annotated[int, typer.Option(metavar="N", help="Episodes played at the same time.")] = 1,
    observation: Annotated[str, typer.Option(metavar="NAME", help="What agents see: text or features.")] = "text",
    reward: Annotated[str, typer.Option(metavar="VALUE", help="human, assigned, or a number from 0 to 1.")] = "human",
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Run directory (one agent only); default: below runs/.")
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Start another run beside one that is there.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of the table.")] = False,
) -> None:
    """Evaluate agents on a suite.

    Prints the table and the path of the report. The same command goes on where it was stopped; when it is finished it
    prints its table again. Exit code 3: some
    episodes were left out of the figures; the table says how many and why.
    """
    from conflictbench.benchmarks.run_command import run_command

    code = run_command(
        suite,
        agent,
        variants=variant or ["conflict"],
        seeds=seeds,
        epochs=epochs,
        concurrency=concurrency,
        observation=observation,
        reward=reward,
        out=out,
        fresh=fresh,
        as_json=as_json,
    )
    raise typer.Exit(code)
