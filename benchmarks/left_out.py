"""Why episodes were left out of the figures, in one line for a terminal. Own design."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from conflictbench.benchmarks.summary import Summary

SHOWN = 3  # reasons
LONGEST = 160  # characters of each

_NUMBER = re.compile(r"\d+(?:\.\d+)?")


def why_left_out(summaries: Iterable[Summary]) -> str:
    """The commonest reasons with their counts: `2 x provider_error: ...; 1 x env_error: ...`; "" for none.

    Reasons that differ in their numbers alone (seconds waited, tokens used) are one, shown as the first of them.
    """
    counts: Counter[str] = Counter()
    first: dict[str, str] = {}
    for summary in summaries:
        for group in summary.scenarios:
            for reason, count in group.reasons.items():
                kind = _NUMBER.sub("#", reason)
                counts[kind] += count
                first.setdefault(kind, reason)
    words = [f"{count} x {_cut(first[kind])}" for kind, count in counts.most_common(SHOWN)]
    if others := len(counts) - len(words):
        words.append(f"and {others} more in the report")
    return "; ".join(words)


def _cut(reason: str) -> str:
    return reason if len(reason) <= LONGEST else reason[: LONGEST - 3].rstrip() + "..."
