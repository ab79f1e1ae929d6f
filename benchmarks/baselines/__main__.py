"""`python -m conflictbench.benchmarks.baselines FOLDER`: train what is missing, write the page. Own design."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from conflictbench.benchmarks.baselines.figures import family_figures
from conflictbench.benchmarks.baselines.page import write_page
from conflictbench.benchmarks.baselines.sweep import RUNS, SEEDS, Sweep, run_sweep
from conflictbench.benchmarks.interrupts import Interrupts
from conflictbench.errors import ConflictBenchError
from conflictbench.types import CATEGORIES


def main(arguments: list[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    parser = argparse.ArgumentParser(prog="python -m conflictbench.benchmarks.baselines", description=__doc__)
    parser.add_argument("folder", type=Path, help="where baselines.md and images/ go: docs")
    parser.add_argument("--family", action="append", choices=CATEGORIES, help="this one alone; repeatable")
    parser.add_argument("--seeds", type=int, default=SEEDS, help="trainings of each reward (default: %(default)s)")
    parser.add_argument("--steps", type=int, help="of each training (default: the family's settings)")
    parser.add_argument("--jobs", type=int, default=2, help="trainings at a time (default: %(default)s)")
    parser.add_argument("--runs", type=Path, default=RUNS, help="where the trainings are kept (default: %(default)s)")
    given = parser.parse_args(arguments)
    sweep = Sweep(families=tuple(given.family or CATEGORIES), seeds=given.seeds, steps=given.steps)
    with Interrupts() as interrupts:
        try:
            for path in write_page(family_figures(run_sweep(sweep, runs=given.runs, jobs=given.jobs)), given.folder):
                print(path)
        except KeyboardInterrupt:
            print("interrupted; give the same command again to go on", file=sys.stderr)
            return 128 + (interrupts.signal or 2)
        except (ConflictBenchError, OSError) as error:
            print(f"Error: {error}", file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
