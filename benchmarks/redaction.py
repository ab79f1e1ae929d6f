"""Secrets are taken out once more where a record is written. Own design.

The adapters clean what a provider sends; but an agent's own model may not, and what a reader makes of a reply (escapes
decoded, colours taken out) may show what was hidden in it.
"""

from __future__ import annotations

from typing import Any, Protocol, Self, TypeVar

from conflictbench.agents.models.keys import Redactor


class Keyed(Protocol):
    """A pydantic record with a key."""

    @property
    def key(self) -> Any: ...
    def model_dump(self, *, mode: str = ..., exclude: Any = ...) -> dict[str, Any]: ...
    @classmethod
    def model_validate(cls, obj: Any) -> Self: ...


RecordT = TypeVar("RecordT", bound=Keyed)


def without_secrets(record: RecordT, redactor: Redactor) -> RecordT:
    """The record with every secret of the environment taken out of its texts; its key is left as it is."""
    kept = record.model_dump(mode="python", exclude={"key"})
    cleaned = _cleaned(kept, redactor)
    return record if cleaned == kept else type(record).model_validate({**cleaned, "key": record.key})


def _cleaned(value: Any, redactor: Redactor) -> Any:
    if type(value) is str:  # not an enum's member: those are our own words
        return redactor.clean(value) if value.isascii() or _is_utf8(value) else value
    if isinstance(value, dict):
        return {name: _cleaned(one, redactor) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return tuple(_cleaned(one, redactor) for one in value)
    return value


def _is_utf8(text: str) -> bool:
    """False for half characters: whoever writes the record says what is wrong with them."""
    return not any("\ud800" <= char <= "\udfff" for char in text)
