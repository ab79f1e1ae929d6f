"""Goals 1, 2, 6 and 7 in one run, each beside its anchor, and the sizes of the tables. Own design.

    python -m conflictbench.benchmarks.perf [PAGE]

With the page, docs/performance.md, the rows of its table are made anew. Needs the extra `rl`.
"""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from conflictbench.benchmarks.perf import import_time, sb3, scalar_env, sizes, vector_env
from conflictbench.benchmarks.perf.interleaved import Measured

BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
HEAD = ("| goal | in | case | anchor | ratio | wanted | |", "|---|---|---|---|---|---|---|")
GOALS: tuple[tuple[int, str, Callable[[], Iterator[Measured]]], ...] = (
    # the scalar env first: what the vector env leaves in memory slows its look-ups by a tenth
    (2, "scalar env", scalar_env.measured),
    (1, "vector env", vector_env.measured),
    (6, "Stable-Baselines3", sb3.measured),
    (7, "import", import_time.measured),
)


def machine() -> str:
    """What it was measured on, and how busy that was."""
    load = os.getloadavg()[0]
    return f"{os.cpu_count()} cores, load {load:.1f}; Python {platform.python_version()}, NumPy {np.__version__}"


def replaced(page: str, lines: Sequence[str]) -> str:
    """The page with other lines between its two marks.

    Raises:
        ValueError: the marks are not there once each, in this order.
    """
    if page.count(BEGIN) != 1 or page.count(END) != 1 or page.index(BEGIN) > page.index(END):
        raise ValueError(f"the page must hold {BEGIN} and behind it {END}, once each")
    before, _, rest = page.partition(BEGIN)
    return "\n".join((before + BEGIN, *lines, END + rest.partition(END)[2]))


def main(page: Path | None) -> None:
    """Print every table, then write the rows of the page."""
    if page is not None:
        replaced(page.read_text(encoding="utf-8"), ())  # a page without marks is refused now, not in two minutes
    found = f"Measured on {machine()}."
    print(found)
    rows: list[str] = []
    for number, name, measured in GOALS:
        print(f"\ngoal {number}: {name}\n", flush=True)
        for one in measured():
            print(one.text(), flush=True)
            rows += [f"| {number} {row}" for row in one.rows()]
    print("tables\n")
    sizes.main()
    if page is not None:
        rows.sort(key=lambda row: row.split()[1])  # by goal
        text = replaced(page.read_text(encoding="utf-8"), (found, "", *HEAD, *rows))
        page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) > 2:
        sys.exit("usage: python -m conflictbench.benchmarks.perf [PAGE]")
    main(Path(sys.argv[1]) if len(sys.argv) == 2 else None)
