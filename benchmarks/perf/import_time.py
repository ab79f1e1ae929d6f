"""How long `import conflictbench` takes beside `import gymnasium`, each in a process of its own. Own design.

python -m conflictbench.benchmarks.perf.import_time
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator

from conflictbench.benchmarks.perf.interleaved import Goal, Measured, measure

ROUNDS = 11
GOALS = (Goal(case="conflictbench", anchor="gymnasium", ratio=1.5, at_most=True),)
_CODE = "from time import process_time as t; a = t(); import {module}; print(t() - a)"


def import_seconds(module: str) -> Callable[[], float]:
    """A case: CPU seconds of importing `module` in a fresh interpreter, without the interpreter's own start."""

    def case() -> float:
        command = [sys.executable, "-c", _CODE.format(module=module)]
        return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)

    return case


def measured() -> Iterator[Measured]:
    """The one table."""
    figures = measure({name: import_seconds(name) for name in ("gymnasium", "conflictbench")}, ROUNDS)
    yield Measured(title="import", figures=figures, unit="CPU s", goals=GOALS)


def main() -> None:
    """Print the table."""
    for one in measured():
        print(one.text())


if __name__ == "__main__":
    main()
