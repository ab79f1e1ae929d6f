"""Write a report's files and print its table: what `conflictbench report` does. Own design."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b
from pathlib import Path

from rich.console import Console

from conflictbench.benchmarks.report.collect import collect, distinct, is_report
from conflictbench.benchmarks.report.markdown import to_markdown
from conflictbench.benchmarks.report.model import Report
from conflictbench.benchmarks.report.page import to_html
from conflictbench.benchmarks.report.pictures import write_pictures
from conflictbench.benchmarks.report.terminal import print_table
from conflictbench.benchmarks.report.terminal_overview import print_closing
from conflictbench.benchmarks.report.tidy import to_csv
from conflictbench.errors import RunError, UnknownName
from conflictbench.saying import say

FORMATS = ("table", "md", "csv", "html", "json")


@dataclass(frozen=True, kw_only=True)
class ReportPaths:
    """The files of a written report."""

    html: Path
    markdown: Path
    csv: Path


def write_report(run_dirs: Sequence[Path], out: Path | None = None, *, videos: bool = False) -> ReportPaths:
    """Write report.html, report.md and report.csv over one or several runs, and the pictures that they have shown.

    Args:
        run_dirs: run directories, finished or not.
        out: folder for the files, made if need be; by default the run's own, or one beside several.
    Raises:
        RunError: a directory is no run or `out` cannot be written; RunMismatch, BrokenRecord: a run cannot be read.
    """
    return write_files(collect(run_dirs), out or default_folder(run_dirs), videos=videos)


def write_files(report: Report, folder: Path, *, videos: bool = False) -> ReportPaths:
    """Write the three files of a report that was read already, each whole or not at all; pictures before them.

    Args:
        videos: whole clips too, where there are clips.
    """
    paths = ReportPaths(html=folder / "report.html", markdown=folder / "report.md", csv=folder / "report.csv")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _replace(paths.html, to_html(report, write_pictures(report.episodes, folder, videos=videos)))
        _replace(paths.markdown, to_markdown(report))
        _replace(paths.csv, to_csv(report))
    except OSError as error:
        raise RunError(f"the report cannot be written to {folder}: {error.strerror or error}") from error
    return paths


def report_command(
    run_dirs: Sequence[Path],
    *,
    out: Path | None = None,
    output_format: str | None = None,
    videos: bool = False,
    console: Console | None = None,
) -> ReportPaths | None:
    """Body of `conflictbench report RUN... [--out DIR] [--format table|md|csv|html|json]`.

    Args:
        out: folder for the files.
        output_format: print this one form to stdout and write no file; None prints the table and writes the files.
        videos: whole clips beside the page, not the kept frames alone.
        console: where the table goes; by default stdout, plain when it is not a terminal.
    Returns:
        The files written, or None where a format was asked for.
    Raises:
        UnknownName: not a format.  RunError, RunMismatch, BrokenRecord: as `write_report`.
    """
    if output_format is not None and output_format not in FORMATS:
        raise UnknownName("report format", output_format, FORMATS)
    if output_format is not None and out is not None:
        raise RunError("--format prints to the terminal and --out writes files: give one of the two")
    if output_format is not None and videos:
        raise RunError("--format prints to the terminal and --videos writes files: give one of the two")
    report = collect(run_dirs)
    for path in filter(is_report, run_dirs):
        say(f"{path}: a report, not a run; left out")
    console = console or plain_console()
    # Files first: whoever reads only the head of the table (`| head`) has them all the same.
    paths = write_files(report, out or default_folder(run_dirs), videos=videos) if output_format is None else None
    if output_format in (None, "table"):
        print_table(report, console)
    else:
        sys.stdout.write(_FORMATTERS[output_format](report))
    if paths is not None:
        print_closing(report, paths.html, console)
    return paths


def plain_console() -> Console:
    """A console on stdout: 80 columns and no colour unless it is a terminal, whatever the environment says."""
    if sys.stdout.isatty():
        return Console(highlight=False)
    return Console(highlight=False, width=80, force_terminal=False, color_system=None)


def to_json(report: Report) -> str:
    """Return runs, notes and every figure as JSON, without the transcripts."""
    value = {
        "runs": [asdict(run) for run in report.runs],
        "notes": report.notes,
        "summary": report.summary.model_dump(mode="json"),
    }
    return json.dumps(value, indent=2, ensure_ascii=True, allow_nan=False) + "\n"


def default_folder(run_dirs: Sequence[Path]) -> Path:
    """The run's own folder; for several runs `report-<8 hex of their names>` beside the first."""
    paths = distinct(run_dirs)
    if len(paths) == 1:
        return paths[0]
    names = "\n".join(sorted(path.resolve().name for path in paths))
    return paths[0].parent / f"report-{blake2b(names.encode(), digest_size=4).hexdigest()}"


def _replace(path: Path, text: str) -> None:
    fresh = path.with_name(path.name + ".new")
    fresh.write_text(text, encoding="utf-8", newline="\n")
    fresh.replace(path)


_FORMATTERS = {"md": to_markdown, "csv": to_csv, "html": to_html, "json": to_json}
