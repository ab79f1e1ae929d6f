"""What `calls.jsonl` says: every request to a language model that was answered, one a line, and their sums. Own design.

`call_ledger.py` writes it. It holds nothing of what was said, and is added up line by line, never held whole.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

from pydantic import BaseModel, ConfigDict, NonNegativeFloat, NonNegativeInt, ValidationError

from conflictbench.benchmarks.json_lines import JsonLines
from conflictbench.benchmarks.read_errors import first_fault
from conflictbench.benchmarks.units import episode_marker
from conflictbench.counting import counted
from conflictbench.errors import BrokenRecord
from conflictbench.types import Usage

FILE_NAME = "calls.jsonl"
LOST = "its request is not counted"  # what becomes of a line that is cut off
Play = tuple[str, int]  # episode marker, attempt


class Telling(Protocol):
    """A record that tells of calls: of an episode, or of a play of two parties."""

    @property
    def key(self) -> BaseModel: ...
    @property
    def attempt(self) -> int: ...
    @property
    def usage(self) -> Usage: ...
    @property
    def models(self) -> tuple[str, ...]: ...


class CallLine(BaseModel):
    """One line. See `PaidCall`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    session: NonNegativeInt  # of the processes that wrote this file: 1, 2, ...; 0 for what older records told
    episode: str  # `episode_marker` of its key
    attempt: NonNegativeInt
    requests: NonNegativeInt
    input_tokens: NonNegativeInt
    output_tokens: NonNegativeInt
    cost_usd: NonNegativeFloat
    model: str
    outcome: str


class CallSums:
    """Sums over lines. A play that was killed shares episode and attempt with the one that followed: hence sessions."""

    def __init__(self) -> None:
        self.sessions = 0  # the last one's number
        self._requests, self._read, self._written, self._cost_usd = 0, 0, 0, 0.0
        self._models: set[str] = set()
        self._last: dict[Play, tuple[int, int, int, int]] = {}  # session, and its counts: of the last session of each

    @property
    def total(self) -> Usage:
        """All of it."""
        return Usage(
            calls=self._requests, input_tokens=self._read, output_tokens=self._written, cost_usd=self._cost_usd
        )

    @property
    def models(self) -> tuple[str, ...]:
        """Ids that providers returned, sorted."""
        return tuple(sorted(self._models))

    def add(self, line: CallLine) -> None:
        """Count a line."""
        requests, read, written = line.requests, line.input_tokens, line.output_tokens
        self.sessions = max(self.sessions, line.session)
        self._requests += requests
        self._read += read
        self._written += written
        self._cost_usd += line.cost_usd
        self._models |= {line.model} if line.model else set()
        play = (line.episode, line.attempt)
        before = self._last.get(play)
        if before is not None and before[0] == line.session:
            requests, read, written = before[1] + requests, before[2] + read, before[3] + written
        self._last[play] = (line.session, requests, read, written)

    def dropped(self, records: Iterable[Telling]) -> Usage:
        """What no record tells of: calls for episodes that a stop of the run dropped, or that are not over."""
        total, told = self.total, sum((record.usage for record in records), Usage())
        return Usage(
            calls=max(0, total.calls - told.calls),
            input_tokens=max(0, total.input_tokens - told.input_tokens),
            output_tokens=max(0, total.output_tokens - told.output_tokens),
            cost_usd=max(0.0, round(total.cost_usd - told.cost_usd, 9)),  # sums of fractions leave dust
        )

    def fault(self, records: Iterable[Telling]) -> str:
        """What records tell of and the lines do not, in words; "" where every attempt is covered."""
        short = [record for record in records if record.usage.calls and not self._covers(record)]
        if not short:
            return ""
        return (
            f"{FILE_NAME} lacks calls of {counted(len(short), 'attempt')} kept in the run, the first of them at "
            f"{short[0].key.model_dump_json()}: more was spent than it says"
        )

    def _covers(self, record: Telling) -> bool:
        _, *counts = self._last.get((episode_marker(record.key), record.attempt), (0, 0, 0, 0))
        told = (record.usage.calls, record.usage.input_tokens, record.usage.output_tokens)
        return all(count >= least for count, least in zip(counts, told, strict=True))


def read_calls(path: Path) -> tuple[CallSums, JsonLines]:
    """Add up a file, and say how it ends. Raises BrokenRecord for a whole line that cannot be read."""
    sums, lines = CallSums(), JsonLines(path)
    for number, line in lines:
        try:
            sums.add(CallLine.model_validate_json(line))
        except ValidationError as error:
            raise BrokenRecord(
                f"{path}:{number}: not the line of a call: {first_fault(error)}; nothing was changed. Mend or remove "
                "that line, or start another run with --fresh"
            ) from error
    return sums, lines
