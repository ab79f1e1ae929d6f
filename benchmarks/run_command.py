"""Body of `conflictbench run`: one run an agent, one report over them. Own design."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from conflictbench.benchmarks.interrupts import Interrupts
from conflictbench.benchmarks.plan import plan_run
from conflictbench.benchmarks.report import collect, print_table, write_files
from conflictbench.benchmarks.report.write import default_folder, plain_console, to_json
from conflictbench.benchmarks.runner import RUNS, RunResult, run_suite
from conflictbench.errors import RunError

FINISHED, LEFT_OUT, INTERRUPTED = 0, 3, 130  # exit codes


def run_command(
    suite: str,
    agents: Sequence[str],
    *,
    variants: Sequence[str] = ("conflict",),
    seeds: int = 1,
    epochs: int = 1,
    concurrency: int = 1,
    observation: str = "text",
    reward: str = "human",
    out: Path | None = None,
    runs: Path = RUNS,
    fresh: bool = False,
    as_json: bool = False,
) -> int:
    """Run every agent on the suite, or go on where the same command stopped; then print and write the report.

    Args:
        suite, variants, seeds, epochs, concurrency, observation, out, runs, fresh: as `run_suite`.
        agents: specs; one run directory each, so `out` goes with one agent only.
        reward: as typed: "human", "assigned", a number from 0 to 1, or a JSON object.
        as_json: print one JSON object instead of the table.
    Returns:
        Exit code: 0 finished; 3 finished, with episodes left out of n; 130 interrupted.
    Raises:
        What `run_suite` raises, before any episode is played where a name or value is wrong.
    """
    names = tuple(dict.fromkeys(agents))
    if not names:
        raise RunError("no agent given; `conflictbench list agents` names them")
    if out is not None and len(names) > 1:
        raise RunError(f"--out names one run directory, and {len(names)} agents need one each: leave it out")
    arguments: dict[str, Any] = {
        "variants": variants,
        "seeds": seeds,
        "epochs": epochs,
        "observation": observation,
        "reward": parse_reward(reward),
    }
    for agent in names:
        plan_run(suite, agent, **arguments)
    results = []
    with Interrupts() as interrupts:
        try:
            for agent in names:
                result = run_suite(suite, agent, **arguments, concurrency=concurrency, out=out, runs=runs, fresh=fresh)
                _say(result, agent)
                if result.interrupted:
                    _say_how_to_go_on(result, fresh)
                    return INTERRUPTED
                results.append(result)
            _report([result.directory for result in results], as_json)
        except (KeyboardInterrupt, Exception) as error:
            if not (interrupts.requested or isinstance(error, KeyboardInterrupt)):
                raise
            print("interrupted; give the same command again to go on", file=sys.stderr)
            return INTERRUPTED
    left_out = sum(result.excluded for result in results)
    if left_out:
        print(f"{left_out} episodes are left out of the figures; the same command plays them again", file=sys.stderr)
    return LEFT_OUT if left_out else FINISHED


def parse_reward(text: str) -> Any:
    """A reward as typed on a command line: a name stays a name, a number or an object is read as JSON."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _report(directories: list[Path], as_json: bool) -> None:
    report = collect(directories)
    paths = write_files(report, default_folder(directories))
    if as_json:
        places = {"directories": [str(path) for path in directories], "report": str(paths.html)}
        print(json.dumps(places | json.loads(to_json(report)), indent=2))
        return
    console = plain_console()
    print_table(report, console)
    console.print(f"\nreport: {paths.html}", markup=False, highlight=False, soft_wrap=True)


def _say(result: RunResult, agent: str) -> None:
    if result.found == result.planned:
        what = "finished already"
    else:
        before = f", {result.found} found" if result.found else ""
        what = f"{result.played} played{before}"
    print(f"{agent}: {result.finished} of {result.planned} episodes ({what}) in {result.directory}", file=sys.stderr)


def _say_how_to_go_on(result: RunResult, fresh: bool) -> None:
    how = f"with --out {result.directory} in place of --fresh" if fresh else "as it was"
    print(f"interrupted; nothing that was finished is lost. To go on, give the command again {how}", file=sys.stderr)
