"""`conflictbench crossplay`: every incumbent against every requester, over every start. Own design."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from conflictbench.commands.grouped_help import GroupedHelp
from conflictbench.commands.output import TYPED
from conflictbench.commands.run_options import MODEL_OPTIONS, RunOptions, with_run_options


def add_to(app: typer.Typer) -> None:
    """Join the command to the command line."""
    app.command(
        "crossplay",
        cls=GroupedHelp,
        epilog="Example:  conflictbench crossplay --agents fair keep block persist grab random",
    )(with_run_options(crossplay, MODEL_OPTIONS))


def crossplay(
    context: typer.Context,
    options: RunOptions,
    more: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME", help="Agents behind the first one of --agents, or all of them."),
    ] = None,
    agents: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME...",
            help="Bots: fair, cautious, random; keep, yielder, block; persist, grab. sb3:PATH, llm:PROVIDER/MODEL.",
        ),
    ] = None,
    scenario: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="This two-party game alone; repeatable.")
    ] = None,
    talk: Annotated[str, typer.Option(metavar="NAME", help="Before each move: none, signal or text.")] = "none",
    seeds: Annotated[int, typer.Option(metavar="N", help="Plays of each start, of pairs that are played.")] = 1,
    solo: Annotated[
        bool, typer.Option("--solo", help="Each model in both chairs at once, told what both are.")
    ] = False,
    concurrency: Annotated[
        int | None, typer.Option(metavar="N", help="Plays at the same time: 16 with models, else 1.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Keep plays and page there; default where any is played: below runs/."),
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Start another run beside one that is there.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of the matrices.")] = False,
) -> None:
    """Let the parties of two-party games meet, every pair of them.

    Everybody plays every chair there is for it, from every start. Pairs of bots are worked out exactly; pairs with a
    policy or a model are played, and kept in a directory: the same command goes on where it was stopped.
    Exit code 3: some plays were left out of the figures.
    """
    from conflictbench.benchmarks.command_line import going_on
    from conflictbench.benchmarks.crossplay.command import crossplay_command
    from conflictbench.benchmarks.crossplay.plan import Conditions

    raise typer.Exit(
        crossplay_command(
            [*(agents or ()), *(more or ())],  # `--agents` takes one word, those behind it are arguments
            scenarios=scenario or (),
            conditions=Conditions(talk=talk, solo=solo, seeds=seeds),  # type: ignore[arg-type]  # checked there
            model=options.model(),
            concurrency=concurrency,
            out=out,
            fresh=fresh,
            as_json=as_json,
            command=going_on(context.meta[TYPED]),
        )
    )
