"""`conflictbench report`: tables and one HTML page over finished or unfinished runs. Own design."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def add_to(app: typer.Typer) -> None:
    """Join the command to the command line."""
    app.command("report", epilog="Example:  conflictbench report runs/ep-* --out comparison")(report)


def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN", help="Run directories, as `run` prints them.")],
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder for the files; default: the run's own.")
    ] = None,
    output_format: Annotated[
        str | None,
        typer.Option(
            "--format", metavar="NAME", help="Print this one to stdout, write no file: table, md, csv, html or json."
        ),
    ] = None,
    videos: Annotated[
        bool, typer.Option("--videos", help="Beside the page whole clips, of runs with pictures; a second's work each.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
) -> None:
    """Show runs side by side.

    Prints the table and writes report.html, report.md and report.csv. Of a run of `crossplay`, whose pages are others,
    it prints the matrices and writes crossplay.html and plays.html anew.
    """
    from conflictbench.benchmarks.crossplay.again import is_crossplay, report_crossplay
    from conflictbench.benchmarks.report import report_command

    if as_json and output_format not in (None, "json"):
        raise typer.BadParameter(f"--json and --format {output_format} ask for two formats", param_hint="--format")
    plays = [folder for folder in runs if is_crossplay(folder)]
    if plays:
        if len(plays) < len(runs):
            raise typer.BadParameter(
                f"{plays[0]} is a run of cross-play: report it apart from others", param_hint="RUN"
            )
        if out is not None or videos:
            raise typer.BadParameter(
                "not for a run of cross-play: its pages stand in its own folder, and it has no pictures",
                param_hint="--out, --videos",
            )
        report_crossplay(plays, output_format="json" if as_json else output_format)
        return
    report_command(runs, out=out, output_format="json" if as_json else output_format, videos=videos)
