"""Kills runs with SIGKILL at every system call that touches their directory. Started by test_killed_run.py.

    python killed_runs.py FOLDER [TWICE]

One process imports everything once and forks a child a point: the child counts its calls of write, fsync, ftruncate and
replace, and at the point's call does half of it (a write: half of the bytes) and kills itself. Prints the number of
points; FOLDER/<point> is what was left behind. With TWICE, each is run again and killed again at its first such call.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import Any

from conflictbench.benchmarks.runner import run_suite
from conflictbench.benchmarks.suites import get_suite
from conflictbench.scenario_specs import get_scenario

SUITE, AGENT, SEEDS = "quick", "random", 2
CALLS = ("write", "fsync", "ftruncate", "replace")


def kill_at(point: int) -> None:
    """Let the `point`-th call (from 0) be this process's last."""
    calls = -1

    def killing(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            nonlocal calls
            calls += 1
            if calls == point:
                if real.__name__ == "write":
                    real(arguments[0], arguments[1][: len(arguments[1]) // 2])
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*arguments)

        return call

    for name in CALLS:
        setattr(os, name, killing(getattr(os, name)))


def run_and_die(out: Path, point: int) -> bool:
    """Run in a child that dies at `point`; False if it came to its end before."""
    child = os.fork()
    if child == 0:
        kill_at(point)
        run_suite(SUITE, AGENT, seeds=SEEDS, out=out)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
        return True
    if status != 0:
        raise RuntimeError(f"the run failed instead of being killed: wait status {status}")
    return False


def main(folder: Path, twice: bool) -> int:
    """Kill at point 0, 1, 2, ... until a run comes to its end; return the number of kills."""
    for scenario in chain(*get_suite(SUITE).scenarios().values()):
        get_scenario(scenario).tables  # noqa: B018 - compiled here once, so that children write to their run alone
    point = 0
    while run_and_die(folder / str(point), point):
        if twice:
            run_and_die(folder / str(point), 0)
        point += 1
    return point


if __name__ == "__main__":
    print(main(Path(sys.argv[1]), twice=len(sys.argv) > 2))
