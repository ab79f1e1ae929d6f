"""Body of `conflictbench crossplay`: run it, print the matrices, write the page. Own design."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from pathlib import Path

from conflictbench.agents.models import ModelOptions
from conflictbench.benchmarks.command_line import shown_path
from conflictbench.benchmarks.crossplay.last_words import last_words
from conflictbench.benchmarks.crossplay.page import write_page
from conflictbench.benchmarks.crossplay.plain import as_plain
from conflictbench.benchmarks.crossplay.plan import Conditions
from conflictbench.benchmarks.crossplay.runner import CrossplayResult, run_crossplay
from conflictbench.benchmarks.crossplay.terminal import as_lines
from conflictbench.benchmarks.crossplay.transcript import write_transcripts
from conflictbench.benchmarks.run_command import FINISHED, LEFT_OUT
from conflictbench.counting import counted
from conflictbench.saying import say


def crossplay_command(
    agents: Sequence[str],
    *,
    scenarios: Sequence[str] = (),
    conditions: Conditions,
    model: ModelOptions | None = None,
    concurrency: int | None = None,
    out: Path | None = None,
    fresh: bool = False,
    as_json: bool = False,
    command: str = "",
) -> int:
    """Run cross-play, or go on where the same command stopped; then print, and write the page where a run is kept.

    Returns:
        Exit code: 0 finished; 3 with plays left out; 128 + the signal after one.
    Raises:
        What `run_crossplay` raises.
    """
    result = run_crossplay(
        agents,
        scenarios=scenarios,
        conditions=conditions,
        model=model,
        concurrency=concurrency,
        out=out,
        fresh=fresh,
        command=command,
    )
    if result.signal:
        say(
            f"interrupted; nothing that was finished is lost ({result.finished} of {counted(result.planned, 'play')}). "
            f"To go on, give the command again{_in_its_place(result, fresh)}{_shown_so_far(result)}"
        )
        return 128 + result.signal
    plays = None if result.directory is None else write_transcripts(result.directory)  # first: the page has a link
    page = None if result.directory is None else write_page(result.found, result.directory)
    if as_json:
        print(json.dumps(as_plain(result.found), indent=2, allow_nan=False))
    else:
        print("\n".join(as_lines(result.found)))
    _say(result, page, plays)
    return LEFT_OUT if result.left_out else FINISHED


def _say(result: CrossplayResult, page: Path | None, plays: Path | None) -> None:
    for what, path in (("page", page), ("plays", plays)):
        if path is not None:
            say(f"{what}: {shown_path(path)}")
    if result.directory is not None and result.planned:
        say(
            f"{result.finished} of {counted(result.planned, 'play')} ({result.played} played now) in "
            f"{shown_path(result.directory)}"
        )
    if result.stopped:
        say(f"stopped: every call would fail ({result.stopped}). Once that is mended, give the command again")
    for line in last_words(result):
        say(line)


def _shown_so_far(result: CrossplayResult) -> str:
    """The command that shows what there is."""
    if result.directory is None or not result.finished:
        return ""
    return f"; `conflictbench report {shlex.quote(str(result.directory))}` shows what there is"


def _in_its_place(result: CrossplayResult, fresh: bool) -> str:
    """`--fresh` would start another one."""
    if not fresh or result.directory is None:
        return " as it was"
    return f" with --out {shlex.quote(str(result.directory))} in place of --fresh"
