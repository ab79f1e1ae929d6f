"""A command whose `--help` shows options under headings, in the plain layout of all others. Own design."""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand


class GroupedHelp(TyperCommand):
    """Shows arguments, then options; one with a `rich_help_panel` under that name, in order of appearance."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments, then the options, those without a heading first."""
        groups: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None:
                kind = "Arguments" if parameter.param_type_name == "argument" else "Options"
                heading = getattr(parameter, "rich_help_panel", None) or kind
                groups.setdefault(heading, []).append(record)
        for heading, records in groups.items():
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)
