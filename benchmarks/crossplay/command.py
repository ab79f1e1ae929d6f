"""Body of `conflictbench crossplay`: run it, print the matrices, write the page. Own design."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from conflictbench.agents.models import ModelOptions
from conflictbench.benchmarks.command_line import shown_path
from conflictbench.benchmarks.crossplay.page import write_page
from conflictbench.benchmarks.crossplay.plain import as_plain
from conflictbench.benchmarks.crossplay.plan import Conditions
from conflictbench.benchmarks.crossplay.runner import CrossplayResult, run_crossplay
from conflictbench.benchmarks.crossplay.terminal import as_lines
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
            "To go on, give the command again as it was"
        )
        return 128 + result.signal
    page = None if result.directory is None else write_page(result.found, result.directory)
    if as_json:
        print(json.dumps(as_plain(result.found), indent=2, allow_nan=False))
    else:
        print("\n".join(as_lines(result.found)))
    _say(result, page)
    return LEFT_OUT if result.left_out else FINISHED


def _say(result: CrossplayResult, page: Path | None) -> None:
    if page is not None:
        say(f"page: {shown_path(page)}")
    if result.directory is not None and result.planned:
        say(
            f"{result.finished} of {counted(result.planned, 'play')} ({result.played} played now) in "
            f"{shown_path(result.directory)}"
        )
    if result.stopped:
        say(f"stopped: every call would fail ({result.stopped}). Once that is mended, give the command again")
    elif result.left_out:
        say(f"left out: {counted(result.left_out, 'play')} without a result; give the command again to play them anew")
