"""`conflictbench list`: the scenarios, agents and suites there are. Own design."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from conflictbench.commands.naming import category_called
from conflictbench.commands.output import columns, print_json

KINDS = ("scenarios", "agents", "suites")


def add_to(app: typer.Typer) -> None:
    """Join the command to the command line."""
    app.command("list", epilog="Example:  conflictbench list scenarios --category EP2")(list_names)


def list_names(
    kind: Annotated[str, typer.Argument(metavar="KIND", help="scenarios, agents or suites.")] = "scenarios",
    category: Annotated[str | None, typer.Option(metavar="FAMILY", help="Scenarios of EP1, EP2 or EP3 only.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """List scenarios, agents or suites, one a line."""
    if kind not in KINDS:
        from conflictbench.errors import UnknownName

        raise UnknownName("kind of list", kind, KINDS)
    if category is not None and kind != "scenarios":
        raise typer.BadParameter(f"only scenarios have a family, not {kind}", param_hint="--category")
    rows = {"scenarios": lambda: _scenarios(category), "agents": _agents, "suites": _suites}[kind]()
    if as_json:
        print_json(rows)
    else:
        head = list(rows[0]) if rows else []
        typer.echo(columns([name.upper() for name in head], [[str(row[name]) for name in head] for row in rows]))


def _scenarios(category: str | None) -> list[dict[str, Any]]:
    from conflictbench.scenario_specs import get_scenario, scenario_ids

    ids = scenario_ids(category=None if category is None else category_called(category))
    specs = [get_scenario(scenario_id).spec for scenario_id in ids]
    return [
        {
            "id": spec.id,
            "window": spec.window,
            "actions": len(spec.actions),
            "title": spec.title,
            "domain": spec.setting.domain,
        }
        for spec in specs
    ]


def _agents() -> list[dict[str, Any]]:
    from conflictbench.agents.registry import AGENTS

    return [{"name": name, "summary": AGENTS[name].summary} for name in sorted(AGENTS)]


def _suites() -> list[dict[str, Any]]:
    from conflictbench.benchmarks.suites import SUITES

    return [{"name": name, "summary": SUITES[name].summary} for name in sorted(SUITES)]
