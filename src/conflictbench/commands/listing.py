"""`conflictbench list`: the scenarios, agents and suites there are. Own design."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

import typer

from conflictbench.commands.output import columns, print_json


class Kind(StrEnum):
    """What can be listed."""

    SCENARIOS = "scenarios"
    AGENTS = "agents"
    SUITES = "suites"


def add_to(app: typer.Typer) -> None:
    """Join the command to the command line."""
    app.command("list", epilog="Example:  conflictbench list scenarios --category EP2")(list_names)


def list_names(
    kind: Annotated[Kind, typer.Argument(metavar="KIND", help="scenarios, agents or suites.")] = Kind.SCENARIOS,
    category: Annotated[str | None, typer.Option(metavar="FAMILY", help="Scenarios of EP1, EP2 or EP3 only.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """List scenarios, agents or suites, one a line."""
    if category is not None and kind is not Kind.SCENARIOS:
        raise typer.BadParameter(f"only scenarios have a family, not {kind.value}", param_hint="--category")
    rows = {Kind.SCENARIOS: lambda: _scenarios(category), Kind.AGENTS: _agents, Kind.SUITES: _suites}[kind]()
    if as_json:
        print_json(rows)
    else:
        head = list(rows[0]) if rows else []
        typer.echo(columns([name.upper() for name in head], [[str(row[name]) for name in head] for row in rows]))


def _scenarios(category: str | None) -> list[dict[str, Any]]:
    from conflictbench.errors import UnknownName
    from conflictbench.scenario_specs import get_scenario, scenario_ids
    from conflictbench.types import CATEGORIES

    if category is not None and category not in CATEGORIES:
        raise UnknownName("category", category, CATEGORIES)
    specs = [get_scenario(scenario_id).spec for scenario_id in scenario_ids(category=category)]
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
