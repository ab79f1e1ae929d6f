"""What the rest of a run would take, judged by the episodes that were played. Own design."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from conflictbench.benchmarks.limits import tokens_of
from conflictbench.types import EpisodeRecord, Usage

Number = TypeVar("Number", int, float)


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """Means of the episodes played, times the number that is missing; calls and tokens rounded."""

    missing: int  # episodes
    judged_by: int  # episodes
    calls_each: tuple[int, int]  # least and most calls of one of those
    tokens_each: tuple[int, int]  # the same of its tokens, read and written
    cost_each: tuple[float, float]  # the same of its cost
    calls: int  # of the missing ones together, as all that follows
    input_tokens: int
    output_tokens: int
    cost_usd: float | None  # None: the price is not known
    hours: float | None  # None: no times were given


def estimate(
    records: Sequence[EpisodeRecord],
    missing: int,
    *,
    concurrency: int,
    price_known: bool,
    seconds: Sequence[float] = (),
    requests_per_minute: int | None = None,
    tokens_per_minute: int | None = None,
) -> Estimate:
    """Work the figures out.

    Args:
        records: final attempts that count, one at least.
        missing: episodes still to be played, `concurrency` at a time.
        seconds: wall times of episodes.
        requests_per_minute, tokens_per_minute: rates that cannot be passed, whatever the concurrency.
    """
    used = sum((record.usage for record in records), Usage())
    share = missing / len(records)
    minutes = []
    if seconds:
        minutes.append(missing * sum(seconds) / len(seconds) / max(1, min(concurrency, missing)) / 60)
        if requests_per_minute is not None:
            minutes.append(used.calls * share / requests_per_minute)
        if tokens_per_minute is not None:
            minutes.append(tokens_of(used) * share / tokens_per_minute)
    each = [record.usage for record in records]
    return Estimate(
        missing=missing,
        judged_by=len(records),
        calls_each=_ends([usage.calls for usage in each]),
        tokens_each=_ends([tokens_of(usage) for usage in each]),
        cost_each=_ends([usage.cost_usd for usage in each]),
        calls=round(used.calls * share),
        input_tokens=round(used.input_tokens * share),
        output_tokens=round(used.output_tokens * share),
        cost_usd=used.cost_usd * share if price_known or used.cost_usd else None,
        hours=max(minutes) / 60 if minutes else None,
    )


def _ends(values: Sequence[Number]) -> tuple[Number, Number]:
    return min(values), max(values)
