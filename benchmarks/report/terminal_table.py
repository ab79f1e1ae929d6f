"""How tables look in a terminal. Own design, drawn with rich."""

from __future__ import annotations

from rich import box
from rich.console import JustifyMethod
from rich.table import Table
from rich.text import Text

from conflictbench.benchmarks.report.visible import visible

RIGHT: JustifyMethod = "right"


def light_table(*columns: tuple[str, JustifyMethod]) -> Table:
    """A light table; a column is a title and how it is set."""
    shown = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
    for title, justify in columns:
        shown.add_column(title, justify=justify, vertical="bottom", no_wrap=True)
    return shown


def plain(text: str) -> Text:
    """Text as it is: rich reads square brackets in a plain string as markup."""
    return Text(visible(text))
