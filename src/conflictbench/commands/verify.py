"""`conflictbench verify`: prove scenario files, one line a fault. Own design."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from conflictbench.commands.naming import scenario_called
from conflictbench.commands.output import print_json
from conflictbench.commands.verify_parties import verify_games
from conflictbench.counting import counted

if TYPE_CHECKING:
    from conflictbench.scenario_specs.verifier import FileReport


def add_to(app: typer.Typer) -> None:
    """Join the command to the command line."""
    app.command("verify", epilog="Example:  conflictbench verify my_scenarios/ --report proofs.md")(verify)


def verify(
    paths: Annotated[
        list[Path] | None, typer.Argument(metavar="PATH", help="Scenario files, folders of them, or ids; default: all.")
    ] = None,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write what was proved to a Markdown file.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON: files with their faults and facts.")] = False,
    parties: Annotated[bool, typer.Option("--parties", help="Prove the two-party games of EP2 files instead.")] = False,
    full: Annotated[bool, typer.Option("--full", help="With --parties: correlated equilibria too.")] = False,
) -> None:
    """Prove scenario files.

    Both sides can be reached, chance seldom wins, every text is printed somewhere, every choice is one, and the
    pictures can be drawn and show what they should (this needs the extra `visual`). One line a file, and one a fault:
    file, key, rule, value, nearest fix. Exit code 1 when there is an error among them; warnings alone leave it 0.
    """
    if full and not parties:
        raise typer.BadParameter("goes with --parties", param_hint="--full")
    if parties:
        if report is not None:
            raise typer.BadParameter("there is no report of games; take --json", param_hint="--report")
        raise typer.Exit(verify_games(_files(paths or []), full=full, as_json=as_json))
    from conflictbench.scenario_specs.verifier import render_report, verify_suite
    from conflictbench.scenario_specs.verifier.report import SUMMARY_KEY, summary

    reports, unlooked = [], ""
    for path in _files(paths or []):
        item, why = _proved(path)
        reports.append(item)
        unlooked = unlooked or why
        if not as_json:  # said at once: a folder of files takes a while
            for line in (*reports[-1].faults, summary(reports[-1])):
                typer.echo(line)
    suite = verify_suite(reports)
    faults = [*(fault for item in reports for fault in item.faults), *suite]
    errors = sum(fault.severity == "error" for fault in faults)
    if as_json:
        plain = {"files": [_plain(item) for item in reports], "suite": [asdict(fault) for fault in suite]}
        print_json({**plain, "pictures": unlooked or "checked"})
    else:
        figures = (len(reports), "file"), (errors, "error"), (len(faults) - errors, "warning")
        key = [SUMMARY_KEY] if any(item.facts for item in reports) else []
        notes = [*key, unlooked] if unlooked else key
        for line in (*suite, *notes, ", ".join(counted(number, thing) for number, thing in figures)):
            typer.echo(line)
    if report is not None:
        report.write_text(render_report(reports, suite), "utf-8")
    raise typer.Exit(1 if errors else 0)


def _proved(path: Path) -> tuple[FileReport, str]:
    """The proof of one file, with what is wrong with its pictures: those are drawn by a layer above the verifier's.

    The second part says why its pictures were not looked at, "" where they were, or where they cannot be drawn.
    """
    from conflictbench.envs.visual.check import check_block
    from conflictbench.envs.visual.lint.keeping import picture_faults
    from conflictbench.errors import NotYetAvailable, SpecError
    from conflictbench.scenario_specs import load_scenario
    from conflictbench.scenario_specs.verifier import verify_file
    from conflictbench.scenario_specs.verifier.file import verify_scenario

    try:
        loaded = load_scenario(path)
    except SpecError:
        return verify_file(path), ""  # which makes a report of it
    report = verify_scenario(loaded)
    found, unlooked = check_block(loaded), ""
    if not found and report.facts is not None:
        try:
            found = picture_faults(loaded)
        except NotYetAvailable as error:
            unlooked = f"pictures not checked: {error}"
    return replace(report, faults=(*report.faults, *found)), unlooked


def _files(paths: list[Path]) -> list[Path]:
    """The files meant, sorted within each folder; a folder is searched to the bottom.

    What is no path may be the id of a scenario of the core pack, in any case.
    """
    from conflictbench.scenario_specs import PACKS

    files: list[Path] = []
    for given in paths or [_from_here(PACKS["core"].folder.resolve())]:
        path = given if given.exists() else _called(given)
        found = sorted(path.rglob("*.yaml")) if path.is_dir() else [path]
        if not found:
            raise typer.BadParameter(f"no .yaml file in {path}", param_hint="PATH")
        files.extend(found)
    return list(dict.fromkeys(files))


def _called(name: Path) -> Path:
    """The file of the scenario with this id."""
    from conflictbench.errors import UnknownName

    try:
        return _from_here(Path(scenario_called(str(name)).path).resolve())
    except UnknownName:
        message = f"no such file, folder or scenario of the core pack: {name}"
        raise typer.BadParameter(message, param_hint="PATH") from None


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
