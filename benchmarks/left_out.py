"""Why episodes were left out of the figures, in one line for a terminal. Own design."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from conflictbench.benchmarks.faults import MAX_REASON
from conflictbench.benchmarks.summary import Summary

SHOWN = 3  # reasons
LONGEST = MAX_REASON + 20  # characters of each, with its status: whole, since a cause stands at the end as a rule

_REMEDIES = tuple(
    (re.compile(pattern), remedy)
    for pattern, remedy in (
        (r"^budget: .*the episode's .* tokens? (is|are) spent", "with a higher --episode-tokens"),
        (r"^budget: .*the episode's .* minutes? (is|are) over", "with a higher --episode-minutes"),
        (r"^provider_error: .*(did not answer within|was not done)", "with a higher --timeout"),
        (r"^provider_error: .*leaves no room for a prompt", "with a lower --max-tokens"),
        (r"^(env|sandbox)_error: ", "when what raised the error is mended"),
    )
)
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


def why_left_out(summaries: Iterable[Summary]) -> str:
    """The commonest reasons with their counts: `2 x provider_error: ...; 1 x env_error: ...`; "" for none.

    Reasons that differ in their numbers alone (seconds waited, tokens used) are one, shown as the first of them.
    """
    return commonest(_reasons(summaries))


def commonest(reasons: Mapping[str, int], *, page: str = "the report") -> str:
    """`why_left_out` of reasons with their counts; `page` is where a reader finds all of them."""
    counts: Counter[str] = Counter()
    first: dict[str, str] = {}
    for reason, count in reasons.items():
        kind = _NUMBER.sub("#", reason)
        counts[kind] += count
        first.setdefault(kind, reason)
    words = [f"{count} x {_cut(first[kind])}" for kind, count in counts.most_common(SHOWN)]
    if others := len(counts) - len(words):
        words.append(f"and {others} more in {page}")
    return "; ".join(words)


def how_to_play_again(summaries: Iterable[Summary]) -> str:
    """What plays the left-out episodes again: the same command, or one that mends what would end them the same way."""
    return remedies_for(_reasons(summaries))


def remedies_for(reasons: Mapping[str, int]) -> str:
    """`how_to_play_again` of reasons with their counts."""
    remedies: Counter[str] = Counter()
    for reason, count in reasons.items():
        remedies[_remedy(reason)] += count
    needed = [remedy for remedy in (*(remedy for _, remedy in _REMEDIES), "") if remedies[remedy]]
    mended = " and ".join(filter(None, needed))
    them = "it" if remedies.total() == 1 else "them"
    if "" in needed and mended:
        would = remedies.total() - remedies[""]
        return f"the same command plays {them} again, but {would} would end as before: give it {mended}"
    return f"to play {them}, give the command again {mended}" if mended else f"the same command plays {them} again"


def _reasons(summaries: Iterable[Summary]) -> Counter[str]:
    return sum((Counter(group.reasons) for summary in summaries for group in summary.scenarios), Counter[str]())


def _remedy(reason: str) -> str:
    """What has to change before the same episode can end otherwise; "" where the fault may have passed by itself."""
    return next((remedy for pattern, remedy in _REMEDIES if pattern.search(reason)), "")


def _cut(reason: str) -> str:
    return reason if len(reason) <= LONGEST else reason[: LONGEST - 3].rstrip() + "..."
