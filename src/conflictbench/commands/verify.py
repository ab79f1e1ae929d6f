"""`conflictbench verify`: prove scenario files, one line a fault. Own design."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from conflictbench.commands.output import print_json
from conflictbench.counting import counted

if TYPE_CHECKING:
    from conflictbench.scenario_specs.verifier import FileReport


def add_to(app: typer.Typer) -> None:
    """Join the command to the command line."""
    app.command("verify", epilog="Example:  conflictbench verify my_scenarios/ --report proofs.md")(verify)


def verify(
    paths: Annotated[
        list[Path] | None, typer.Argument(metavar="PATH", help="Scenario files or folders of them; default: all.")
    ] = None,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write what was proved to a Markdown file.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON: files with their faults and facts.")] = False,
) -> None:
    """Prove scenario files.

    Both sides can be reached, chance seldom wins, every text is printed somewhere, every choice is one. One line a
    file, and one a fault: file, key, rule, value, nearest fix. Exit code 1 when there is an error among them; warnings
    alone leave it 0.
    """
    from conflictbench.scenario_specs.verifier import render_report, verify_file, verify_suite
    from conflictbench.scenario_specs.verifier.report import SUMMARY_KEY, summary

    reports = []
    for path in _files(paths or []):
        reports.append(verify_file(path))
        if not as_json:  # said at once: a folder of files takes a while
            for line in (*reports[-1].faults, summary(reports[-1])):
                typer.echo(line)
    suite = verify_suite(reports)
    faults = [*(fault for item in reports for fault in item.faults), *suite]
    errors = sum(fault.severity == "error" for fault in faults)
    if as_json:
        print_json({"files": [_plain(item) for item in reports], "suite": [asdict(fault) for fault in suite]})
    else:
        figures = (len(reports), "file"), (errors, "error"), (len(faults) - errors, "warning")
        key = [SUMMARY_KEY] if any(item.facts for item in reports) else []
        for line in (*suite, *key, ", ".join(counted(number, thing) for number, thing in figures)):
            typer.echo(line)
    if report is not None:
        report.write_text(render_report(reports, suite), "utf-8")
    raise typer.Exit(1 if errors else 0)


def _files(paths: list[Path]) -> list[Path]:
    """The files meant, sorted within each folder; a folder is searched to the bottom."""
    from conflictbench.scenario_specs import PACKS

    files: list[Path] = []
    for path in paths or [_from_here(PACKS["core"].folder.resolve())]:
        if not path.exists():
            raise typer.BadParameter(f"no such file or folder: {path}", param_hint="PATH")
        found = sorted(path.rglob("*.yaml")) if path.is_dir() else [path]
        if not found:
            raise typer.BadParameter(f"no .yaml file in {path}", param_hint="PATH")
        files.extend(found)
    return list(dict.fromkeys(files))


def _from_here(path: Path) -> Path:
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def _plain(report: FileReport) -> dict[str, Any]:
    """A report as plain values, without what differs between two calls and without the prose."""
    from pydantic import TypeAdapter

    value: dict[str, Any] = TypeAdapter(type(report)).dump_python(report, mode="json")
    for name in ("seconds", "opening"):
        if value["facts"] is not None:
            del value["facts"][name]
    return value
