"""Body of `conflictbench run`: one run an agent, one report over them. Own design."""

from __future__ import annotations

import json
import signal
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

from conflictbench.agents import get_agent_entry
from conflictbench.agents.models import ModelOptions
from conflictbench.benchmarks.interrupts import Interrupts
from conflictbench.benchmarks.limits import NO_LIMITS
from conflictbench.benchmarks.plan import plan_run
from conflictbench.benchmarks.report import collect, print_closing, print_table, write_files
from conflictbench.benchmarks.report.write import default_folder, plain_console, to_json
from conflictbench.benchmarks.run_options import RunOptions, of_the_plan
from conflictbench.benchmarks.run_words import (
    say_it_was_interrupted,
    say_what_is_left_out,
    say_what_it_holds,
    say_what_was_unusable,
    say_why_it_stopped,
)
from conflictbench.benchmarks.runner import check_concurrency, run_suite, within
from conflictbench.errors import RunError
from conflictbench.saying import say

FINISHED, LEFT_OUT = 0, 3  # exit codes; 128 + the signal after one


def run_command(suite: str, agents: Sequence[str], *, as_json: bool = False, **options: Unpack[RunOptions]) -> int:
    """Run every agent on the suite, or go on where the same command stopped; then print and write the report.

    Args:
        suite: as `run_suite`.
        agents: specs; one run directory each, so `out` goes with one agent only.
        as_json: print one JSON object instead of the table.
        options: as `run_suite`, but: `reward` as typed ("human", "assigned", a number from 0 to 1, or a JSON object);
            `protocol` and `model` for those of the agents that they can be for.
    Returns:
        Exit code: 0 finished; 3 finished or stopped early, with episodes left out of n; 130 interrupted by Ctrl-C, 143
        by SIGTERM.
    Raises:
        What `run_suite` raises, before any episode is played where a name or value is wrong.
    """
    names = tuple(dict.fromkeys(agents))
    if not names:
        raise RunError("no agent given; `conflictbench list agents` names them")
    if options.get("out") is not None and len(names) > 1:
        raise RunError(f"--out names one run directory, and {len(names)} agents need one each: leave it out")
    each = for_each(names, options)
    for agent, own in each.items():
        plan_run(suite, agent, **of_the_plan(own))
    results = []
    fresh = options.get("fresh", False)
    with Interrupts() as interrupts:
        try:
            for agent, own in each.items():
                result = run_suite(suite, agent, **own)
                say_what_it_holds(result, agent)
                if result.interrupted:
                    say_it_was_interrupted(result, fresh=fresh)
                    return 128 + result.signal
                results.append(result)
            _report([result.directory for result in results], as_json, said={one for r in results for one in r.said})
        except (KeyboardInterrupt, Exception) as error:
            if not (interrupts.requested or isinstance(error, KeyboardInterrupt)):
                raise
            say("interrupted; give the same command again to go on")
            return 128 + (interrupts.signal or signal.SIGINT)
    for result in results:
        if result.stopped:
            say_why_it_stopped(result, fresh=fresh)
    say_what_is_left_out(results)
    say_what_was_unusable(results)
    return LEFT_OUT if any(result.stopped or result.excluded for result in results) else FINISHED


def for_each(agents: Sequence[str], options: RunOptions) -> dict[str, RunOptions]:
    """The options as each of the agents takes them: the reward read, what concerns a model only where it does.

    Raises:
        RunError: one that concerns none of them was given, or one of them cannot be played like that.
    """
    entries = {agent: get_agent_entry(agent) for agent in agents}
    chat = [agent for agent, entry in entries.items() if entry.observation == "chat"]
    asking = [agent for agent, entry in entries.items() if entry.model_factory is not None]
    protocol, model = options.get("protocol"), options.get("model")
    if protocol is not None and not chat:
        raise RunError(f"no agent here is sent a conversation: leave the protocol {protocol!r} out")
    if model is not None and model != ModelOptions() and not asking:
        raise RunError("no agent here asks a language model: leave the options of a model out")
    shown = options.get("pictures")
    if not chat and shown is not None and shown.keep_clips is not None:
        raise RunError("no agent here is sent a conversation: leave --keep-clips out")
    for entry in entries.values():
        check_concurrency(entry, options.get("concurrency"))
    limits = options.get("limits", NO_LIMITS)
    each: dict[str, RunOptions] = {}
    for agent in agents:
        own = options.copy()
        own["reward"] = parse_reward(options.get("reward", "human"))
        own["protocol"] = protocol if agent in chat else None
        if shown is not None and agent not in chat:
            own["pictures"] = replace(shown, keep_clips=None)  # which concerns conversations alone
        own["model"] = within(limits, agent, model) if agent in asking else None
        each[agent] = own
    return each


def parse_reward(text: str) -> Any:
    """A reward as typed on a command line: a name stays a name, a number or an object is read as JSON."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _report(directories: list[Path], as_json: bool, said: Collection[str] = ()) -> None:
    """Write the report and print its table, without the notes that were on the screen a moment ago."""
    report = collect(directories)
    paths = write_files(report, default_folder(directories))
    if as_json:
        places = {"directories": [str(path) for path in directories], "report": str(paths.html.absolute())}
        print(json.dumps(places | json.loads(to_json(report)), indent=2))
        return
    console = plain_console()
    heads = (replace(run, notes=tuple(note for note in run.notes if note not in said)) for run in report.runs)
    print_table(replace(report, runs=tuple(heads)), console)
    print_closing(report, paths.html, console)
