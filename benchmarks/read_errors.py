"""What is wrong with a file of a run, said in one line. Own design."""

from __future__ import annotations

from pydantic import ValidationError
from pydantic_core import from_json

from conflictbench.errors import RunMismatch
from conflictbench.types import RECORD_SCHEMA_VERSION


def first_fault(error: ValidationError) -> str:
    """The first fault of a validation error, as "field: message", and how many there are beside it."""
    fault = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(str(part) for part in fault["loc"])
    more = f" (and {error.error_count() - 1} more)" if error.error_count() > 1 else ""
    return f"{where}: {fault['msg']}{more}" if where else f"{fault['msg']}{more}"


def is_json(data: bytes) -> bool:
    """True if `data` is one JSON value. A record is an object, so a proper prefix of one never is."""
    try:
        from_json(data)
    except ValueError:
        return False
    return True


def check_schema(data: bytes, place: str) -> None:
    """Refuse JSON that another version wrote: its fields mean something else, however well they fit.

    Raises:
        RunMismatch: `schema_version` is given and is not ours.
    """
    if not is_json(data):
        return
    value = from_json(data)
    version = value.get("schema_version") if isinstance(value, dict) else None
    if version is not None and version != RECORD_SCHEMA_VERSION:
        raise RunMismatch(
            f"{place}: record schema {version!r}, this version reads {RECORD_SCHEMA_VERSION}; use the version of "
            "conflictbench that wrote it, or start another run with --fresh or another --out"
        )
