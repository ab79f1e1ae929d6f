"""Body of `conflictbench plan`: play a probe of two episodes, and say what the rest would take. Own design."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Unpack

from conflictbench.agents.models import ModelOptions
from conflictbench.benchmarks.cast import Cast
from conflictbench.benchmarks.command_line import shown_path
from conflictbench.benchmarks.estimate import Estimate, estimate
from conflictbench.benchmarks.left_out import why_left_out
from conflictbench.benchmarks.loading import load_records
from conflictbench.benchmarks.metrics import final_attempts
from conflictbench.benchmarks.progress import duration
from conflictbench.benchmarks.run_command import FINISHED, LEFT_OUT, for_each
from conflictbench.benchmarks.run_options import RunOptions
from conflictbench.benchmarks.run_words import say_it_was_interrupted
from conflictbench.benchmarks.runner import RunResult, run_suite
from conflictbench.counting import counted
from conflictbench.saying import say
from conflictbench.types import EpisodeRecord

PROBE = 2  # episodes
TIMES = "probe.json"  # in the run directory: how long the probe's episodes took, which no record says


def plan_command(suite: str, agent: str, *, as_json: bool = False, **options: Unpack[RunOptions]) -> int:
    """Play up to two episodes of the run, unless it has that many, and print what the others would take.

    The probe is kept in the run's directory: `conflictbench run` with the same options goes on behind it.

    Args:
        As `run_command`, for one agent.
    Returns:
        Exit code: 0; 3 where the probe gave no result to judge by; 130 or 143 interrupted.
    """
    own = for_each([agent], options)[agent]
    cast = Cast(agent, own["model"])
    together = own.get("concurrency") or cast.default_concurrency
    result = run_suite(suite, agent, most=0, **own)
    most = min(PROBE, result.planned) - result.finished
    if most > 0:
        own["concurrency"] = min(together, most)
        result = run_suite(suite, agent, most=most, **own)
        _keep_times(result)
    if result.interrupted:
        say_it_was_interrupted(result, fresh=False)
        return 128 + result.signal
    records = [record for record in final_attempts(load_records(result.directory)) if record.status.counts]
    if not records:
        why = why_left_out([result.summary]) or result.stopped
        say(f"no estimate: the probe gave no result ({why})")
        return LEFT_OUT
    asked = own["model"] or ModelOptions()
    judged = [record for record in records if cast.model is None or _all_asked(record)]
    if not judged and result.finished < result.planned:
        say("no estimate: the probe was answered from the cache, which tells nothing of the others")
        return LEFT_OUT
    figures = estimate(
        judged or records,
        result.planned - result.finished,
        concurrency=together,
        price_known=cast.model is None or cast.model.price is not None,
        seconds=_kept_times(result.directory) if len(judged) == len(records) else (),
        requests_per_minute=asked.requests_per_minute,
        tokens_per_minute=asked.tokens_per_minute,
    )
    if as_json:
        head = {
            "suite": suite,
            "agent": agent,
            "directory": str(result.directory),
            "episodes": result.planned,
            "concurrency": together,
        }
        print(json.dumps(head | asdict(figures), indent=2))
    else:
        print("\n".join(_lines(suite, agent, result, together, figures)))
    return FINISHED


def _all_asked(record: EpisodeRecord) -> bool:
    """False where a cache gave one of its replies: what that took then tells nothing about the others."""
    return all(step.usage.calls for step in record.steps if step.reply is not None)


def _lines(suite: str, agent: str, result: RunResult, concurrency: int, figures: Estimate) -> list[str]:
    planned = counted(result.planned, "episode")
    head = f"{suite}, {agent}: {planned}, {result.finished} played, in {shown_path(result.directory)}"
    if not figures.missing:
        return [head, "nothing is left to play"]
    fewest, most = figures.calls_each
    calls = f"{fewest} an episode so far"
    tokens, money = "", ""
    if fewest != most:
        calls = f"{_range(figures.calls_each, figures)}: {fewest} to {most} an episode so far"
    if len(set(figures.tokens_each)) > 1:
        tokens = f" ({_range(figures.tokens_each, figures)} in all)"
    if len(set(figures.cost_each)) > 1:
        money = " (${:.4f} to ${:.4f})".format(*(cost * figures.missing for cost in figures.cost_each))
    total = "unknown: give --price-in and --price-out" if figures.cost_usd is None else f"${figures.cost_usd:.4f}"
    time = "not measured" if figures.hours is None else f"{duration(figures.hours * 3600)}, {concurrency} at a time"
    return [
        head,
        f"the other {figures.missing:,}, judged by {figures.judged_by}:",
        f"  calls   {figures.calls:,} ({calls})",
        f"  tokens  {figures.input_tokens:,} read, {figures.output_tokens:,} written{tokens}",
        f"  money   {total}{money}",
        f"  time    {time}",
        "`conflictbench run` with the same options plays them.",
    ]


def _range(each: tuple[int, int], figures: Estimate) -> str:
    """What all the missing ones would take if each took the least, or the most, that one has taken."""
    return " to ".join(f"{number * figures.missing:,}" for number in each)


def _keep_times(result: RunResult) -> None:
    """Keep them, if there are any. A probe without its times is a probe all the same, so failing is no fault."""
    if result.seconds:
        fresh = result.directory / f"{TIMES}.new"
        with suppress(OSError):
            fresh.write_text(json.dumps({"seconds": [round(value, 3) for value in result.seconds]}) + "\n", "utf-8")
            os.replace(fresh, result.directory / TIMES)


def _kept_times(directory: Path) -> list[float]:
    with suppress(OSError, ValueError, KeyError, TypeError):
        return [float(value) for value in json.loads((directory / TIMES).read_text("utf-8"))["seconds"]]
    return []
