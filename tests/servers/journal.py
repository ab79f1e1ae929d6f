"""What a server saw, one JSON line a fact, on disk before the request is answered. Own design.

`received` stands for a request that arrived whole, `answered` for a response whose last byte was handed over.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any


class Journal:
    """The writing side; a line is one `write`, so that a killed server leaves whole lines."""

    def __init__(self, path: Path) -> None:
        self._fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)

    def add(self, event: str, **facts: Any) -> None:
        """Append one fact."""
        os.write(self._fd, json.dumps({"event": event, **facts}).encode() + b"\n")


@dataclass(frozen=True, kw_only=True)
class Seen:
    """One request, and what became of it."""

    number: int  # from 1, in order of arrival
    caller: str  # what follows the last "-" of its key: one process of the client
    episode: str  # header X-Conflictbench-Episode
    attempt: int
    place: int  # messages it held
    parts: list[
        list[str]
    ]  # of each message: its role, then "text", or "image:" with 16 hex digits of its bytes' sha256
    kind: str  # of the answer: a name of `faults.py`, or "action"
    answered_at: int  # line of the journal that says it was answered, from 1; 0 if it was not
    input_tokens: int  # of the usage in the answer; 0 in one without
    output_tokens: int

    @property
    def answered(self) -> bool:
        """True if the last byte of its response was handed over."""
        return self.answered_at > 0


def read_journal(path: Path) -> list[Seen]:
    """Every request in order of arrival."""
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    answers = {
        line["number"]: line | {"at": at} for at, line in enumerate(lines, start=1) if line["event"] == "answered"
    }
    return [
        Seen(
            **{name: value for name, value in line.items() if name != "event"},
            answered_at=answers.get(line["number"], {}).get("at", 0),
            input_tokens=answers.get(line["number"], {}).get("input_tokens", 0),
            output_tokens=answers.get(line["number"], {}).get("output_tokens", 0),
        )
        for line in lines
        if line["event"] == "received"
    ]


def by_play(seen: Iterable[Seen]) -> dict[tuple[str, int], dict[str, list[Seen]]]:
    """(episode, attempt) -> caller -> its requests; callers in order of arrival: the last one kept the record."""
    plays: dict[tuple[str, int], dict[str, list[Seen]]] = {}
    for one in seen:
        plays.setdefault((one.episode, one.attempt), {}).setdefault(one.caller, []).append(one)
    return plays
