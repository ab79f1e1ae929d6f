"""Body of `conflictbench run`: one run an agent, one report over them. Own design."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from conflictbench.agents import get_agent_entry
from conflictbench.agents.models import ModelOptions
from conflictbench.benchmarks.interrupts import Interrupts
from conflictbench.benchmarks.limits import NO_LIMITS, RunLimits, usage_words
from conflictbench.benchmarks.plan import plan_run
from conflictbench.benchmarks.report import collect, print_table, write_files
from conflictbench.benchmarks.report.write import default_folder, plain_console, to_json
from conflictbench.benchmarks.runner import RUNS, RunResult, run_suite, within
from conflictbench.errors import RunError

FINISHED, LEFT_OUT = 0, 3  # exit codes; 128 + the signal after one


def run_command(
    suite: str,
    agents: Sequence[str],
    *,
    variants: Sequence[str] = ("conflict",),
    seeds: int = 1,
    epochs: int = 1,
    concurrency: int | None = None,
    observation: str = "text",
    reward: str = "human",
    protocol: str | None = None,
    model: ModelOptions | None = None,
    limits: RunLimits = NO_LIMITS,
    out: Path | None = None,
    runs: Path = RUNS,
    fresh: bool = False,
    as_json: bool = False,
) -> int:
    """Run every agent on the suite, or go on where the same command stopped; then print and write the report.

    Args:
        suite, variants, seeds, epochs, concurrency, observation, limits, out, runs, fresh: as `run_suite`.
        agents: specs; one run directory each, so `out` goes with one agent only.
        protocol, model: as `run_suite`, for those of the agents that they can be for.
        reward: as typed: "human", "assigned", a number from 0 to 1, or a JSON object.
        as_json: print one JSON object instead of the table.
    Returns:
        Exit code: 0 finished; 3 finished or stopped by a limit, with episodes left out of n; 130 interrupted by
        Ctrl-C, 143 by SIGTERM.
    Raises:
        What `run_suite` raises, before any episode is played where a name or value is wrong.
    """
    names = tuple(dict.fromkeys(agents))
    if not names:
        raise RunError("no agent given; `conflictbench list agents` names them")
    if out is not None and len(names) > 1:
        raise RunError(f"--out names one run directory, and {len(names)} agents need one each: leave it out")
    common: dict[str, Any] = {
        "variants": variants,
        "seeds": seeds,
        "epochs": epochs,
        "observation": observation,
        "reward": parse_reward(reward),
    }
    arguments = {agent: common | of_model for agent, of_model in for_each(names, protocol, model, limits).items()}
    for agent in names:
        plan_run(suite, agent, **arguments[agent])
    settings: dict[str, Any] = {
        "concurrency": concurrency,
        "limits": limits,
        "out": out,
        "runs": runs,
        "fresh": fresh,
    }
    results = []
    with Interrupts() as interrupts:
        try:
            for agent in names:
                result = run_suite(suite, agent, **arguments[agent], **settings)
                _say(result, agent)
                if result.interrupted:
                    _say_how_to_go_on(result, fresh)
                    return 128 + result.signal
                results.append(result)
            _report([result.directory for result in results], as_json)
        except (KeyboardInterrupt, Exception) as error:
            if not (interrupts.requested or isinstance(error, KeyboardInterrupt)):
                raise
            print("interrupted; give the same command again to go on", file=sys.stderr)
            return 128 + (interrupts.signal or signal.SIGINT)
    for result in results:
        if result.stopped:
            _say_why_it_stopped(result, fresh)
    stopped = any(result.stopped for result in results)
    left_out = sum(result.excluded for result in results)
    if left_out and not stopped:
        print(f"{left_out} episodes are left out of the figures; the same command plays them again", file=sys.stderr)
    return LEFT_OUT if left_out or stopped else FINISHED


def for_each(
    agents: Sequence[str], protocol: str | None, model: ModelOptions | None, limits: RunLimits
) -> dict[str, dict[str, Any]]:
    """What concerns a model, for each agent that it concerns.

    Raises:
        RunError: it was given, and concerns none.
    """
    entries = {agent: get_agent_entry(agent) for agent in agents}
    chat = [agent for agent, entry in entries.items() if entry.observation == "chat"]
    asking = [agent for agent, entry in entries.items() if entry.model_factory is not None]
    if protocol is not None and not chat:
        raise RunError(f"no agent here is sent a conversation: leave the protocol {protocol!r} out")
    if model is not None and model != ModelOptions() and not asking:
        raise RunError("no agent here asks a language model: leave the options of a model out")
    return {
        agent: {
            "protocol": protocol if agent in chat else None,
            "model": within(limits, agent, model) if agent in asking else None,
        }
        for agent in agents
    }


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
    used = f"; {words}" if (words := usage_words(result.usage)) else ""
    print(
        f"{agent}: {result.finished} of {result.planned} episodes ({what}) in {result.directory}{used}",
        file=sys.stderr,
    )


def _say_why_it_stopped(result: RunResult, fresh: bool) -> None:
    how = f"with --out {result.directory} in place of --fresh, and" if fresh else "again with"
    missing = result.planned - result.finished
    print(
        f"stopped: {result.stopped}; {missing} of {result.planned} episodes are missing. To go on, give the command "
        f"{how} a higher limit",
        file=sys.stderr,
    )


def _say_how_to_go_on(result: RunResult, fresh: bool) -> None:
    how = f"with --out {result.directory} in place of --fresh" if fresh else "as it was"
    print(f"interrupted; nothing that was finished is lost. To go on, give the command again {how}", file=sys.stderr)
