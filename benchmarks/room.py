"""Whether the rest of a budget would finish another episode, judged by those that are finished. Own design.

An episode that a limit cuts off in the middle is paid for and is no result: near its end a budget is better kept.
Scenarios differ in length by a factor of ten, and short episodes are finished first: so each is judged by its like.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from conflictbench.types import EpisodeRecord, Usage

LastCall = Callable[[int], Usage]  # tokens read by a call -> what a budget sets aside for one
_NOTHING = Usage()
FIRST = 2  # episodes of unknown length at a time


class Room:
    """Means of the finished episodes by scenario, and what one more would need.

    Args:
        last_call: what the model's own budget sets aside before each call; None where nothing does. The last call of
            an episode is not made without it, however little it then takes.
    """

    def __init__(self, finished: Iterable[EpisodeRecord] = (), last_call: LastCall | None = None) -> None:
        self._last_call = last_call
        self._sums: dict[str, tuple[int, Usage]] = {}  # by scenario
        for record in finished:
            self.learn(record)

    def learn(self, record: EpisodeRecord) -> None:
        """Count an episode, if it is a result, and paid for: what a cache answered tells nothing of the others."""
        if record.status.counts and not record.usage.cached:
            n, used = self._sums.get(record.key.scenario, (0, _NOTHING))
            self._sums[record.key.scenario] = (n + 1, used + record.usage)

    def estimate(self, scenario: str, used: Usage = _NOTHING) -> Usage:
        """What a whole episode takes: the mean of its scenario; where none is finished, the largest of the others.

        Or four times what it has `used`, if that is more: of an unknown length it is taken to be half-way, and since a
        call reads all that was said before, half of a conversation takes a quarter of its tokens.
        """
        if scenario in self._sums:
            return _mean(*self._sums[scenario])
        if not self._sums:
            return _NOTHING
        return _largest([*(_mean(n, total) for n, total in self._sums.values()), used + used + used + used])

    def has_to_wait(self, scenario: str, in_flight: Sequence[str]) -> bool:
        """True where FIRST episodes are being played to judge by: of this scenario, or the very first of the run."""
        if not self._sums:
            return len(in_flight) >= FIRST
        return scenario not in self._sums and in_flight.count(scenario) >= FIRST

    def needed(self, scenario: str, in_flight: Sequence[tuple[str, Usage]] = ()) -> Usage:
        """What an episode would take beside the rest of those in flight; nothing before the first one is finished.

        Args:
            in_flight: the scenario of each, and what it has used so far.
        """
        if not self._sums:
            return _NOTHING
        need = self.estimate(scenario) + self.set_aside
        return sum((_rest(self.estimate(name, used), used) for name, used in in_flight), need)

    @property
    def set_aside(self) -> Usage:
        """What has to be free for a last call, whatever that then takes."""
        if self._last_call is None:
            return _NOTHING
        total = sum((used for _, used in self._sums.values()), _NOTHING)
        return self._last_call(round(total.input_tokens / max(1, total.calls)))


def _mean(n: int, total: Usage) -> Usage:
    return Usage(
        input_tokens=round(total.input_tokens / n),
        output_tokens=round(total.output_tokens / n),
        cost_usd=total.cost_usd / n,
    )


def _largest(each: Sequence[Usage]) -> Usage:
    return Usage(
        input_tokens=max(one.input_tokens for one in each),
        output_tokens=max(one.output_tokens for one in each),
        cost_usd=max(one.cost_usd for one in each),
    )


def _rest(whole: Usage, used: Usage) -> Usage:
    return Usage(
        input_tokens=max(0, whole.input_tokens - used.input_tokens),
        output_tokens=max(0, whole.output_tokens - used.output_tokens),
        cost_usd=max(0.0, whole.cost_usd - used.cost_usd),
    )
