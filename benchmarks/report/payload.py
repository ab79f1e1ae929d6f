"""Pack every transcript of a report into one small JSON value for the page. Own design.

Thousands of episodes repeat the same openings, answers and whole steps, so every string and every step is stored
once and named by its place; 1,000 random episodes of one scenario take about as much room as its tables of text.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from conflictbench.benchmarks.report.model import Episode
from conflictbench.benchmarks.report.told import Asked, Told, asked_by

EPISODE_FIELDS = (
    "agent", "family", "scenario", "variant", "ending", "status", "outcome", "error", "opening", "env",
    "protocol", "models", "instructions", "help", "tools", "seed", "epoch", "attempt", "counted", "turns",
    "interactions", "rejected", "unknown", "free", "reasks", "malformed", "reward", "value", "calls",
    "input_tokens", "output_tokens", "cost_usd", "steps",
)  # fmt: skip
STEP_FIELDS = ("command", "action", "event", "verdict", "turn", "text", "reply", "reasoning", "source")
_TEXT_FIELDS = frozenset(EPISODE_FIELDS[:15]) | (frozenset(STEP_FIELDS) - {"turn"})
_SCRIPT_ESCAPES = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})


class _Pool:
    """Distinct values in order of first use."""

    def __init__(self) -> None:
        self.places: dict[Any, int] = {}

    def place(self, value: Any) -> int:
        return self.places.setdefault(value, len(self.places))

    def text(self, value: str | None) -> int:
        return -1 if value is None else self.place(value)


def pack(
    episodes: Sequence[Episode],
    unpriced: frozenset[str] = frozenset(),
    told: Mapping[Asked, Told] = MappingProxyType({}),
) -> dict[str, Any]:
    """Return the page's data: strings, steps (indices into strings), episodes (indices into both).

    `text_fields` says which fields hold a place in `strings`; -1 stands for "none given".

    Args:
        unpriced: agents whose costs of 0 stand for what nobody knows; they become null.
        told: what models were told beside the openings, where it is known.
    """
    strings, steps = _Pool(), _Pool()
    rows = []
    for episode in episodes:
        record, key = episode.record, episode.record.key
        numbers = [
            steps.place(
                (
                    strings.text(step.command),
                    strings.text(step.action),
                    strings.text(step.event),
                    strings.text(step.verdict),
                    step.turn,
                    strings.text(step.text),
                    strings.text(step.reply),
                    strings.text(step.reasoning or None),
                    strings.text(step.reasoning_source or None),
                )
            )
            for step in record.steps
        ]
        texts = (episode.agent, episode.family, key.scenario, key.variant, episode.ending, record.status)
        asked = (record.protocol or None, ", then ".join(record.models) or None)
        said = (record.outcome, record.error, record.opening, record.env_id)
        words = told.get(asked_by(record))
        before = (None, None, None) if words is None else (words.instructions, words.help_page, words.tools)
        places = [strings.text(text) for text in (*texts, *said, *asked, *before)]
        counts = [record.turns, record.interactions, record.rejected, record.unknown, record.free]
        replies = [record.reasks, record.malformed]
        used = record.usage
        cost = None if episode.agent in unpriced and not used.cost_usd else used.cost_usd
        usage = [used.calls, used.input_tokens, used.output_tokens, cost]
        identity = [key.seed, key.epoch, record.attempt, int(episode.counted)]
        worth = [record.total_reward, record.assigned_value]
        rows.append([*places, *identity, *counts, *replies, *worth, *usage, numbers])
    return {
        "episode_fields": EPISODE_FIELDS,
        "step_fields": STEP_FIELDS,
        "text_fields": sorted(_TEXT_FIELDS),
        "strings": list(strings.places),
        "steps": list(steps.places),
        "episodes": rows,
    }


def script_json(value: object) -> str:
    """Return JSON that can stand inside a script element: ASCII only, with no `<`, `>` or `&` in it.

    Inside JSON these three occur in strings only, so the escapes are read back as the characters themselves.
    """
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"), allow_nan=False).translate(_SCRIPT_ESCAPES)
