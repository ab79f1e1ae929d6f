"""`episodes.jsonl`: one finished attempt a line, written once, never changed. Own design.

A whole line that cannot be read is an error: nothing else writes this file, so something is wrong that must not be
papered over.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any, Generic, Protocol, Self, TypeVar

from pydantic import ValidationError

from conflictbench.benchmarks.json_lines import JsonLines
from conflictbench.benchmarks.read_errors import check_schema, first_fault
from conflictbench.errors import BrokenRecord
from conflictbench.types import RECORD_SCHEMA_VERSION, EpisodeKey, EpisodeRecord, Status

FILE_NAME = "episodes.jsonl"
_WAYS_ON = "nothing was changed. Mend or remove that line, or start another run with --fresh"


class Attempted(Protocol):
    """A pydantic record of one attempt at something that has a key: an episode, or a play of two parties."""

    @property
    def schema_version(self) -> int: ...
    @property
    def key(self) -> Any: ...
    @property
    def attempt(self) -> int: ...
    @property
    def status(self) -> Status: ...
    def model_dump_json(self) -> str: ...
    @classmethod
    def model_validate_json(cls, json_data: str | bytes | bytearray) -> Self: ...


RecordT = TypeVar("RecordT", bound=Attempted)


class LogContents(Generic[RecordT]):
    """What was read: the attempts in file order, and how the file ends."""

    def __init__(self, lines: JsonLines) -> None:
        self.records: list[RecordT] = []
        self.lines = lines

    @property
    def note(self) -> str:
        """What a reader should be told about the end of the file, or ""."""
        return self.lines.note("its episode runs again")


def without_steps(record: EpisodeRecord) -> EpisodeRecord:
    """The record's figures alone: all that metrics and resuming need, a hundredth of the memory."""
    return record.model_copy(update={"steps": (), "opening": ""})


def to_line(record: Attempted) -> bytes:
    """The record as one JSON line with its newline.

    Raises:
        ValueError: what would be written could not be read back (a lone surrogate, an infinite reward).
    """
    try:
        text = record.model_dump_json()
        type(record).model_validate_json(text)
        return text.encode("utf-8") + b"\n"
    except ValidationError as error:
        raise ValueError(f"not writable as a record: {first_fault(error)}") from error
    except ValueError as error:  # pydantic's serialisation error, UnicodeEncodeError
        raise ValueError(f"not writable as a record: {str(error).splitlines()[0]}") from error


def read_log(
    path: Path,
    keys: Collection[EpisodeKey],
    keep: Callable[[EpisodeRecord], EpisodeRecord] = lambda record: record,
) -> LogContents[EpisodeRecord]:
    """As `read_attempts`, of episodes; `keep` may be `without_steps`, for a large run."""
    return read_attempts(path, keys, EpisodeRecord, keep)


def read_attempts(
    path: Path,
    keys: Collection[Any],
    kind: type[RecordT],
    keep: Callable[[RecordT], RecordT] = lambda record: record,
    fault: Callable[[RecordT], str] = lambda record: "",
) -> LogContents[RecordT]:
    """Read every attempt, checked line by line and against each other.

    Args:
        path: the file; one that does not exist holds nothing.
        keys: the episodes of the run (a set, or anything with a fast `in`).
        kind: of record.
        keep: applied to each record before it is kept.
        fault: what is wrong with a record beyond its form, "" for nothing.
    Raises:
        BrokenRecord: a whole line is not a record, has a fault, belongs to no episode of the run, or repeats a final
            attempt.
        RunMismatch: a line was written under another record schema.
    """
    contents: LogContents[RecordT] = LogContents(JsonLines(path))
    attempts: dict[Any, tuple[int, bool, int]] = {}  # key -> last attempt, whether it counts, its line
    for number, line in contents.lines:
        record = _parse(line, kind, f"{path}:{number}")
        _check_place(record, attempts, keys, f"{path}:{number}", number)
        if wrong := fault(record):
            raise BrokenRecord(f"{path}:{number}: {wrong}; {_WAYS_ON}")
        contents.records.append(keep(record))
    return contents


def _parse(line: bytes, kind: type[RecordT], place: str) -> RecordT:
    try:
        record = kind.model_validate_json(line)
    except ValidationError as error:
        check_schema(line, place)
        raise BrokenRecord(f"{place}: not an episode record: {first_fault(error)}; {_WAYS_ON}") from error
    if record.schema_version != RECORD_SCHEMA_VERSION:
        check_schema(line, place)
    return record


def _check_place(
    record: Attempted,
    attempts: dict[Any, tuple[int, bool, int]],
    keys: Collection[Any],
    place: str,
    number: int,
) -> None:
    key = record.key
    if key not in keys:
        raise BrokenRecord(f"{place}: no episode of this run has the key {key.model_dump_json()}; {_WAYS_ON}")
    attempt, counts, line = attempts.get(key, (0, False, 0))
    if counts:
        raise BrokenRecord(
            f"{place}: attempt {record.attempt} at an episode that line {line} already finished "
            f"({key.model_dump_json()}); {_WAYS_ON}"
        )
    if record.attempt != attempt + 1:
        raise BrokenRecord(
            f"{place}: attempt {record.attempt} where attempt {attempt + 1} should stand "
            f"({key.model_dump_json()}); {_WAYS_ON}"
        )
    attempts[key] = (record.attempt, record.status.counts, number)
