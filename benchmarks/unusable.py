"""Episodes that ended because no reply could be used: how many, and what helps, in one line. Own design.

They count as failures of the agent, so a setting of the user's own (a limit on tokens too low, say) can look like one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from conflictbench.benchmarks.summary import Summary
from conflictbench.counting import counted
from conflictbench.types import Status

_WORDS: dict[Status, tuple[str, str]] = {  # what it is called, what helps
    Status.CUT_OFF: ("cut off", "raise --max-tokens"),
    Status.UNPARSED: ("unparsed", "see `whole reply` in {page}"),
    Status.REFUSED: ("refused", "{page} has the words of the refusal"),
    Status.CONTEXT_OVERFLOW: ("context overflow", "the conversation needs a model with a longer context"),
}


def why_unusable(summaries: Iterable[Summary]) -> str:
    """Such as "3 of 3 episodes ended because no command could be read (3 cut off): raise --max-tokens"; "" for none."""
    counts: Counter[Status] = Counter()
    n = 0
    for summary in summaries:
        for group in summary.scenarios:
            n += group.n
            counts.update({status: group.statuses.get(status, 0) for status in _WORDS})
    ended = f"{counted(n, 'episode')} ended because no command could be read"
    return unusable_words(counts, ended, page="the report")


def unusable_words(counts: Mapping[Status, int], ended: str, *, page: str) -> str:
    """How many of what ended how, and what helps; "" for none.

    Args:
        ended: such as "3 episodes ended because no command could be read".
        page: where a reader finds the replies.
    """
    found = [status for status in _WORDS if counts.get(status)]
    if not found:
        return ""
    k = sum(counts[status] for status in found)
    parts = ", ".join(f"{counts[status]} {_WORDS[status][0]}" for status in found)
    remedies = "; ".join(dict.fromkeys(_WORDS[status][1].format(page=page) for status in found))
    return f"{k} of {ended} ({parts}): {remedies}"
