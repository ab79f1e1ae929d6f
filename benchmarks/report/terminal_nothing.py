"""An agent of whose episodes none counts: the reason in place of tables of `n = 0`. Own design."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from conflictbench.benchmarks.left_out import why_left_out
from conflictbench.benchmarks.report.visible import visible
from conflictbench.benchmarks.summary import Summary


def nothing_counted(summary: Summary, agent: str) -> bool:
    """True if the agent has episodes, and all of them were left out."""
    groups = [group for group in summary.scenarios if group.agent == agent]
    return bool(groups) and not any(group.n for group in groups)


def print_why(summary: Summary, agent: str, console: Console) -> None:
    """Print the reasons, the commonest first."""
    own = [group for group in summary.scenarios if group.agent == agent]
    why = why_left_out([summary.model_copy(update={"scenarios": own})])
    console.print(Text(f"  No episode counted: {visible(why)}"))
