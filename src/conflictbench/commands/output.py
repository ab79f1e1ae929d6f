"""How the commands print: plain text that is right at 80 columns, the same in a terminal and in a pipe. Own design."""

from __future__ import annotations

import json
import shutil
import sys
import textwrap
from collections.abc import Sequence
from typing import Any

import typer

from conflictbench.saying import WIDTH

TYPED = "conflictbench.typed"  # place in a context's `meta`: the words behind the program's name and its own options


def print_json(value: Any) -> None:
    """Print a plain value as JSON, indented, keys in the order given."""
    typer.echo(json.dumps(value, indent=2, ensure_ascii=True))


def label_words(label: str) -> str:
    """An outcome's label with its meaning: "by choice: the agent kept what it had"."""
    from conflictbench.types import Label

    return f"{Label(label).words}: {Label(label).meaning}"


def wrapped(text: str, indent: str = "") -> str:
    """Text with each of its lines wrapped to WIDTH; blank lines stay, and a line that begins with "- " hangs."""
    return "\n".join(
        textwrap.fill(
            line, WIDTH, initial_indent=indent, subsequent_indent=indent + ("  " if line.startswith("- ") else "")
        )
        for line in text.split("\n")
    )


def entry(name: str, text: str, *, column: int = 28) -> str:
    """`name`, then `text` wrapped in a column of its own; a long name has a line to itself."""
    margin = " " * column
    body = textwrap.fill(text, WIDTH, initial_indent=margin, subsequent_indent=margin)
    lead = f"  {name}"
    return lead + body[len(lead) :] if len(lead) < column - 1 else f"{lead}\n{body}"


def columns(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of short cells. In a terminal a line is cut to its width; in a pipe it is whole, one line a row."""
    widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in (head, *rows)]
    limit = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    return "\n".join(_cut(line.rstrip(), limit) for line in lines)


def _cut(line: str, limit: int | None) -> str:
    return line if limit is None or len(line) <= limit else line[: limit - 3].rstrip() + "..."
