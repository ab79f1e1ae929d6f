"""What a run and each of its episodes may take, and what it has taken so far. Own design.

A limit ends an episode as `budget`: no result, and played again when the run goes on with a higher one. So none of
this is part of what makes the run.
"""

from __future__ import annotations

import math
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, fields

from conflictbench.benchmarks.room import Room
from conflictbench.counting import counted
from conflictbench.errors import BudgetExceeded, RunError
from conflictbench.types import EpisodeRecord, Usage

Clock = Callable[[], float]  # seconds, from an arbitrary start


@dataclass(frozen=True, kw_only=True)
class RunLimits:
    """Upper ends; None is without end. Raises RunError for one that is not above 0."""

    episode_tokens: int | None = None  # input and output together
    episode_minutes: float | None = None  # wall time
    max_cost_usd: float | None = None  # of the run, what earlier calls of it spent included
    max_total_tokens: int | None = None  # the same
    max_hours: float | None = None  # wall time of this call

    def __post_init__(self) -> None:
        for name in (field.name for field in fields(self)):
            value = getattr(self, name)
            if value is not None and not (math.isfinite(value) and value > 0):
                raise RunError(f"{name} must be above 0, not {value!r}")


NO_LIMITS = RunLimits()


class Spending:
    """What a run has used, held against its limits. Safe to use from several threads."""

    def __init__(
        self,
        limits: RunLimits,
        used: Usage | None = None,
        clock: Clock = time.monotonic,
        *,
        by_call: bool = False,
        room: Room | None = None,
    ) -> None:
        """Begin to count.

        Args:
            used: what earlier calls of the same run took.
            by_call: `add` is told of every call to the model; else the decisions of the episodes are all there is.
            room: what it knows of earlier episodes, to judge whether another one can be finished.
        """
        self.by_call = by_call
        self._room = room if room is not None else Room()
        self._open: dict[EpisodeMeter, None] = {}  # of the episodes in flight
        self._expected: list[str] = []  # scenarios of those about to begin
        self.limits, self.used, self.clock = limits, used if used is not None else Usage(), clock
        self._deadline = None if limits.max_hours is None else clock() + limits.max_hours * 3600
        self._lock = threading.Lock()
        self._closed = ""

    def add(self, usage: Usage) -> None:
        """Count what was used."""
        with self._lock:
            self.used += usage

    def close(self, why: str) -> None:
        """Take the run's budget for spent, on somebody else's word."""
        self._closed = self._closed or why

    @property
    def spent(self) -> str:
        """Why no other episode is begun, in words: a limit is reached, or somebody else took it for reached.

        Episodes in flight still have what is left: a call smaller than the one that was refused may be made.
        """
        return self.reached or self._closed

    @property
    def reached(self) -> str:
        """Which of the run's limits is reached, in words; "" while none is."""
        limits, tokens = self.limits, tokens_of(self.used)
        if limits.max_cost_usd is not None and self.used.cost_usd >= limits.max_cost_usd:
            return f"the run's {limits.max_cost_usd:g} USD are spent ({self.used.cost_usd:.4f} USD used)"
        if limits.max_total_tokens is not None and tokens >= limits.max_total_tokens:
            return f"{_all('run', limits.max_total_tokens, 'token')} spent ({tokens} used)"
        if limits.max_hours is not None and self._deadline is not None and self.clock() >= self._deadline:
            return f"{_all('run', limits.max_hours, 'hour')} over"
        return ""

    def words(self) -> str:
        """What was used so far, for a line of progress: moves with every call, long before an episode ends."""
        if self.used.calls:
            return f"{counted(self.used.calls, 'call')}, {usage_words(self.used)}"
        return "no answer yet" if self.by_call and self._open else ""

    def seconds_left(self) -> float | None:
        """Wall time that this call of the run has left; None without a limit."""
        return None if self._deadline is None else max(0.0, self._deadline - self.clock())

    def expect(self, scenario: str) -> None:
        """Count on an episode that is about to begin, on a thread of its own perhaps."""
        with self._lock:
            self._expected.append(scenario)

    def begin_episode(self, scenario: str) -> EpisodeMeter:
        """A meter for an episode that begins now."""
        meter = EpisodeMeter(self, scenario)
        with self._lock:
            if scenario in self._expected:
                self._expected.remove(scenario)
            self._open[meter] = None
        return meter

    def end_episode(self, meter: EpisodeMeter, record: EpisodeRecord) -> None:
        """Learn from an episode what one takes."""
        with self._lock:
            self._open.pop(meter, None)
            self._room.learn(record)

    def too_little(self, scenario: str) -> str:
        """Why the rest of the run's budget would not finish an episode of a scenario beside those in flight.

        "" if it would, as far as the finished ones tell. Before there are any, a few are begun, and others wait.
        """
        tokens, usd = self.limits.max_total_tokens, self.limits.max_cost_usd
        if (tokens, usd) == (None, None):
            return ""
        with self._lock:
            in_flight = [(meter.scenario, meter.used) for meter in self._open]
            in_flight += [(one, Usage()) for one in self._expected]
            if self._room.has_to_wait(scenario, [name for name, _ in in_flight]):
                return "none is finished yet to judge by"
            each, need = self._room.estimate(scenario), self._room.needed(scenario, in_flight)
            aside, used = self._room.set_aside, self.used
        if tokens is not None and tokens_of(used + need) > tokens:
            left = f"the {max(0, tokens - tokens_of(used)):,} left of the run's {counted(tokens, 'token')}"
            free = f", and {tokens_of(aside):,} are set aside for its last call" if tokens_of(aside) else ""
            return f"{left} would not finish an episode of {scenario} (it may take {tokens_of(each):,}{free})"
        if usd is not None and (used + need).cost_usd > usd:
            left = f"the {max(0.0, usd - used.cost_usd):.4f} left of the run's {usd:g} USD"
            free = f", and {aside.cost_usd:.4f} are set aside for its last call" if aside.cost_usd else ""
            return f"{left} would not finish an episode of {scenario} (it may cost {each.cost_usd:.4f}{free})"
        return ""


class EpisodeMeter:
    """One episode's share in the spending, and its own limits."""

    def __init__(self, spending: Spending, scenario: str) -> None:
        self.scenario = scenario
        self._spending = spending
        self._limits = spending.limits
        self._used = Usage()
        self._start = spending.clock()
        minutes = self._limits.episode_minutes
        self._deadline = None if minutes is None else self._start + minutes * 60
        self.ended_it = False  # `check` has raised, or the time was found to be over
        self.by_own_limit = False  # and it was a limit of the episode, not of the run

    @property
    def used(self) -> Usage:
        """What its decisions took so far."""
        return self._used

    def add(self, usage: Usage) -> None:
        """Count what one decision took."""
        self._used += usage
        if not self._spending.by_call:
            self._spending.add(usage)

    def check(self) -> None:
        """Raise BudgetExceeded if a limit of the episode or of the run is reached."""
        limits, tokens = self._limits, tokens_of(self._used)
        of_the_run, own = self._spending.reached, self._over_time()
        if not own and limits.episode_tokens is not None and tokens >= limits.episode_tokens:
            own = f"{_all('episode', limits.episode_tokens, 'token')} spent ({tokens} used)"
        if of_the_run or own:
            self.ended_it, self.by_own_limit = True, not of_the_run
            raise BudgetExceeded(of_the_run or own)

    def seconds(self) -> float:
        """Wall time since it began."""
        return self._spending.clock() - self._start

    def seconds_left(self) -> float | None:
        """Wall time until the episode has to end; None without a limit."""
        own = None if self._deadline is None else max(0.0, self._deadline - self._spending.clock())
        run = self._spending.seconds_left()
        return min((seconds for seconds in (own, run) if seconds is not None), default=None)

    def time_is_over(self) -> str:
        """Why the episode is ended from outside, in words."""
        own = self._over_time()
        self.ended_it, self.by_own_limit = True, bool(own)
        return own or self._spending.reached

    def _over_time(self) -> str:
        minutes = self._limits.episode_minutes
        if minutes is not None and self._deadline is not None and self._spending.clock() >= self._deadline:
            return f"{_all('episode', minutes, 'minute')} over"
        return ""


def tokens_of(usage: Usage) -> int:
    """Input and output together."""
    return usage.input_tokens + usage.output_tokens


def option_of(limit: str) -> str:
    """The option that sets a limit of the run, by the unit in the words for it; "limit" where it says none."""
    units = {r"\btokens?\b": "--max-tokens-total", r"\bUSD\b": "--max-cost", r"\bhours?\b": "--max-hours"}
    return next((option for unit, option in units.items() if re.search(unit, limit)), "limit")


def usage_words(usage: Usage) -> str:
    """`34,120 tokens, $0.0123`; without the money where it is 0, and "" where no model was asked."""
    if not usage.calls:
        return ""
    return counted(tokens_of(usage), "token") + (f", ${usage.cost_usd:.4f}" if usage.cost_usd else "")


def _all(whose: str, number: float, unit: str) -> str:
    """A limit as the subject of a sentence: "the run's 2 hours are", "the episode's 1 minute is"."""
    return f"the {whose}'s {counted(number, unit)} {'is' if number == 1 else 'are'}"
