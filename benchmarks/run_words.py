"""What `run` and `plan` say on stderr of a run that is over or was stopped: what it holds, what is lost, the way on.

Own design. A remedy is named only where it is one: what would end the same again is not recommended.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence

from conflictbench.benchmarks.command_line import shown_path
from conflictbench.benchmarks.left_out import how_to_play_again, why_left_out
from conflictbench.benchmarks.limits import tokens_of, usage_words
from conflictbench.benchmarks.runner import RunResult
from conflictbench.benchmarks.unusable import why_unusable
from conflictbench.counting import counted
from conflictbench.saying import say


def say_what_it_holds(result: RunResult, agent: str) -> None:
    """Episodes played and found, where they are, and what was used."""
    if result.found == result.planned:
        what = "finished already"
    else:
        before = f", {result.found} found" if result.found else ""
        what = f"{result.played} played{before}"
    told = (usage_words(result.usage), result.from_cache)
    used = "".join(f"; {words}" for words in told if words)
    say(
        f"{agent}: {result.finished} of {counted(result.planned, 'episode')} ({what}) in "
        f"{shown_path(result.directory)}{used}"
    )


def say_why_it_stopped(result: RunResult, *, fresh: bool) -> None:
    """Why a run ended early, what that cost, and when it can go on."""
    missing = result.planned - result.finished
    cost = f"; {words}" if (words := _cut_off(result)) else ""
    say(
        f"stopped: {result.stopped}{cost}; {missing} of {counted(result.planned, 'episode')} "
        f"{_is(missing)} missing. To go on, give the command again{_in_its_place(result, fresh)} {result.how_to_go_on}"
    )


def say_it_was_interrupted(result: RunResult, *, fresh: bool) -> None:
    """What a signal cost, and how to go on."""
    episodes, calls = result.dropped
    lost = ""
    if episodes:
        paid = f" ({counted(calls, 'call')})" if calls else ""
        they = "it is" if episodes == 1 else "they are"
        kept = f" ({_answers(result)})" if calls else ""
        lost = f" {counted(episodes, 'episode')} in flight {_was(episodes)} dropped{paid}; {they} played again{kept}."
    how = _in_its_place(result, fresh) or " as it was"
    say(f"interrupted; nothing that was finished is lost.{lost} To go on, give the command again{how.rstrip(',')}")


def say_what_is_left_out(results: Sequence[RunResult]) -> None:
    """How many, and why; and how they can be had, where that has not been said with why a run stopped."""
    number = sum(result.excluded for result in results)
    if number:
        summaries = [result.summary for result in results]
        again = "" if any(result.stopped for result in results) else f"; {how_to_play_again(summaries)}"
        say(f"{counted(number, 'episode')} {_is(number)} left out of the figures{again}")
        say(f"left out: {why_left_out(summaries)}")


def say_what_was_unusable(results: Iterable[RunResult]) -> None:
    """How many episodes ended for want of a reply that could be used, and what helps; nothing where none did."""
    if words := why_unusable(result.summary for result in results):
        say(words)


def _cut_off(result: RunResult) -> str:
    episodes, used = result.cut_off
    if not episodes:
        return ""
    tokens = f" ({counted(tokens_of(used), 'token')}; {_answers(result)})" if tokens_of(used) else ""
    return f"{counted(episodes, 'episode')} {_was(episodes)} cut off in the middle{tokens}"


def _answers(result: RunResult) -> str:
    return "their answers are in the cache" if result.keeps_answers else "with --cache DIR their answers are kept"


def _in_its_place(result: RunResult, fresh: bool) -> str:
    """For a run that `--fresh` began: the option that names it."""
    return f" with --out {shlex.quote(str(result.directory))} in place of --fresh," if fresh else ""


def _is(number: int) -> str:
    return "is" if number == 1 else "are"


def _was(number: int) -> str:
    return "was" if number == 1 else "were"
