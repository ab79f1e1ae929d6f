"""What `crossplay` says last: plays that are left out and why, and choices of models that were none. Own design.

In the words of `run`, where the same has happened to an episode.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from conflictbench.benchmarks.crossplay.play_record import PlayRecord
from conflictbench.benchmarks.crossplay.runner import CrossplayResult
from conflictbench.benchmarks.crossplay.transcript import PAGE
from conflictbench.benchmarks.left_out import commonest, remedies_for
from conflictbench.benchmarks.unusable import unusable_words
from conflictbench.counting import counted
from conflictbench.scenario_specs.parties.block import ROLES
from conflictbench.types import Status


def last_words(result: CrossplayResult) -> Iterator[str]:
    """One line each; none where all went well."""
    reasons = Counter(_reason(record) for record in result.records if not record.status.counts)
    if result.left_out:
        never = result.left_out - reasons.total()  # not begun, since every call would fail
        again = "" if result.stopped or not reasons else f"; {remedies_for(reasons)}"
        yield f"{counted(result.left_out, 'play')} left out of the figures{again}"
        not_played = f"{never} not begun" if never else ""
        yield "left out: " + "; ".join(filter(None, (commonest(reasons, page=PAGE), not_played)))
    if words := not_chosen(result.records):
        yield words


def not_chosen(records: Iterable[PlayRecord]) -> str:
    """Such as "24 of 36 choices of models (llm:x) were none, ... (24 unparsed): ..."; "" for none."""
    counts: Counter[Status] = Counter()
    asked = 0
    names: dict[str, None] = {}
    for record in records:
        for role in ROLES:
            name = getattr(record.key, role)
            if record.outcome is None or not name.startswith("llm:"):
                continue
            asked += len(record.moves) * (1 if record.talk == "none" else 2)
            flagged = getattr(record.outcome, role).flagged
            counts.update({Status(status): count for status, count in flagged.items()})
            names.update({name: None} if flagged else {})
    ended = f"{counted(asked, 'choice')} of models ({', '.join(names)}) were none, and became a hold or silence"
    return unusable_words(counts, ended, page=PAGE)


def _reason(record: PlayRecord) -> str:
    return f"{record.status.value}: {record.error or 'no reason was given'}"
