"""What a terminal shows first and last: agents side by side, and where to look. Own design, drawn with rich."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from conflictbench.benchmarks.command_line import shown_path
from conflictbench.benchmarks.report import numbers
from conflictbench.benchmarks.report.model import Report
from conflictbench.benchmarks.report.overview import Overview, overviews
from conflictbench.benchmarks.report.terminal_table import light_table, plain
from conflictbench.benchmarks.report.visible import visible
from conflictbench.benchmarks.summary import Rate
from conflictbench.counting import counted

AT_THE_END = 3  # agents; where there are more, the first table has them all


def print_overview(report: Report, console: Console) -> None:
    """Print each measure as one table of agents by variant; nothing for one agent alone."""
    for overview in overviews(report):
        if len(overview.agents) > 1 and overview.has_figures:
            console.print()
            console.print(Text(f"{overview.title}, k/n with 95 % interval", style="bold"))
            console.print(_side_by_side(overview))


def print_closing(report: Report, page: Path, console: Console) -> None:
    """Print a blank line, then at most six: the rates in short, and where everything can be read."""
    console.print()
    for line in _in_short(report, console.width):
        console.print(Text(line), no_wrap=True)
    console.print(Text("To read: every episode in report.html, the tables in report.md and report.csv."))
    console.print(f"report: {shown_path(page)}", markup=False, highlight=False, soft_wrap=True)


def _side_by_side(overview: Overview) -> Table:
    shown = light_table(("agent", "left"), *((variant, "left") for variant in overview.variants))
    for column in shown.columns:
        column.vertical = "top"
    shown.columns[0].no_wrap, shown.columns[0].overflow = False, "fold"  # a long name goes on in the next line
    for agent in overview.agents:
        shown.add_row(plain(agent), *(_cell(overview.rates.get((agent, variant))) for variant in overview.variants))
    return shown


def _cell(value: Rate | None) -> Text:
    """The rate, and its interval below it."""
    if value is None:
        return Text("not run")
    count, share, bracket = numbers.rate_parts(value)
    return Text(f"{count} {share}\n{bracket}" if share else count)


def _in_short(report: Report, width: int) -> list[str]:
    """The first measure that has a figure: what it is, and one line an agent; none where nothing has one."""
    for overview in overviews(report):
        if overview.has_figures:
            agents = overview.agents[:AT_THE_END]
            rates = [_two_rates(overview, agent) for agent in agents]
            names = [_cut(visible(agent), width - max(map(len, rates)) - 4) for agent in agents]
            column = max(map(len, names))
            more = len(overview.agents) - len(agents)
            others = f" ({counted(more, 'more agent')} in the first table)" if more else ""
            lines = [f"  {name:<{column}}  {rate}" for name, rate in zip(names, rates, strict=True)]
            return [f"In short: {overview.title}{others}", *lines]
    return []


def _two_rates(overview: Overview, agent: str) -> str:
    """The rate under the conflict, and under the control it is to be held against."""
    first, *others = overview.variants
    rate = overview.rates.get((agent, first))
    words = f"{first} {'not run' if rate is None else numbers.aligned_rates([rate])[0]}"
    if "control" not in others:
        return words
    control = overview.rates.get((agent, "control"))
    return f"{words}; control {'not run' if control is None else numbers.short_rate(control)}"


def _cut(name: str, width: int) -> str:
    """A name that fits; the tables have it whole."""
    return name if len(name) <= width else f"{name[: max(1, width - 3)]}..."
