"""What a run and each of its episodes may take, and what it has taken so far. Own design.

A limit ends an episode as `budget`: no result, and played again when the run goes on with a higher one. So none of
this is part of what makes the run.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, fields

from conflictbench.counting import counted
from conflictbench.errors import BudgetExceeded, RunError
from conflictbench.types import Usage

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
    ) -> None:
        """Begin to count.

        Args:
            used: what earlier calls of the same run took.
            by_call: `add` is told of every call to the model; else the decisions of the episodes are all there is.
        """
        self.by_call = by_call
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
        """Which of the run's limits is reached, in words; "" while none is."""
        limits, tokens = self.limits, tokens_of(self.used)
        if limits.max_cost_usd is not None and self.used.cost_usd >= limits.max_cost_usd:
            return f"the run's {limits.max_cost_usd:g} USD are spent ({self.used.cost_usd:.4f} USD used)"
        if limits.max_total_tokens is not None and tokens >= limits.max_total_tokens:
            return f"{_all('run', limits.max_total_tokens, 'token')} spent ({tokens} used)"
        if limits.max_hours is not None and self._deadline is not None and self.clock() >= self._deadline:
            return f"{_all('run', limits.max_hours, 'hour')} over"
        return self._closed

    def words(self) -> str:
        """What was used so far, for a line of progress."""
        return usage_words(self.used)

    def seconds_left(self) -> float | None:
        """Wall time that this call of the run has left; None without a limit."""
        return None if self._deadline is None else max(0.0, self._deadline - self.clock())

    def begin_episode(self) -> EpisodeMeter:
        """A meter for an episode that begins now."""
        return EpisodeMeter(self)


class EpisodeMeter:
    """One episode's share in the spending, and its own limits."""

    def __init__(self, spending: Spending) -> None:
        self._spending = spending
        self._limits = spending.limits
        self._used = Usage()
        self._start = spending.clock()
        minutes = self._limits.episode_minutes
        self._deadline = None if minutes is None else self._start + minutes * 60
        self.ended_it = False  # `check` has raised, or the time was found to be over

    def add(self, usage: Usage) -> None:
        """Count what one decision took."""
        self._used += usage
        if not self._spending.by_call:
            self._spending.add(usage)

    def check(self) -> None:
        """Raise BudgetExceeded if a limit of the episode or of the run is reached."""
        limits, tokens = self._limits, tokens_of(self._used)
        why = self._spending.spent or self._over_time()
        if not why and limits.episode_tokens is not None and tokens >= limits.episode_tokens:
            why = f"{_all('episode', limits.episode_tokens, 'token')} spent ({tokens} used)"
        if why:
            self.ended_it = True
            raise BudgetExceeded(why)

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
        self.ended_it = True
        return self._over_time() or self._spending.spent

    def _over_time(self) -> str:
        minutes = self._limits.episode_minutes
        if minutes is not None and self._deadline is not None and self._spending.clock() >= self._deadline:
            return f"{_all('episode', minutes, 'minute')} over"
        return ""


def tokens_of(usage: Usage) -> int:
    """Input and output together."""
    return usage.input_tokens + usage.output_tokens


def usage_words(usage: Usage) -> str:
    """`34,120 tokens, $0.0123`; without the money where it is 0, and "" where no model was asked."""
    if not usage.calls:
        return ""
    return counted(tokens_of(usage), "token") + (f", ${usage.cost_usd:.4f}" if usage.cost_usd else "")


def _all(whose: str, number: float, unit: str) -> str:
    """A limit as the subject of a sentence: "the run's 2 hours are", "the episode's 1 minute is"."""
    return f"the {whose}'s {counted(number, unit)} {'is' if number == 1 else 'are'}"
