"""An error answer of an OpenAI-compatible server, taken apart: the shapes of OpenAI, Azure and FastAPI. Own design."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True)
class ErrorBody:
    """What an error says."""

    message: str  # the server's own words, raw; the whole body where it has no message
    has_message: bool = False  # JSON with a message of its own: these words are about the call
    codes: frozenset[str] = frozenset()  # every code, type and status, lower case
    parameter: str = ""  # the one it names as wrong


def read_error_body(body: str) -> ErrorBody:
    """Take an error answer apart; any text will do."""
    try:
        answer: Any = json.loads(body)
    except (ValueError, RecursionError):
        return ErrorBody(message=body)
    error = (answer.get("error") or answer) if isinstance(answer, dict) else answer
    if isinstance(error, str):
        return ErrorBody(message=error, has_message=True)
    if not isinstance(error, dict):
        return ErrorBody(message=body)
    codes: set[str] = set()
    level: Any = error
    for _ in range(3):  # Azure puts the real code one or two levels down
        if not isinstance(level, dict):
            break
        codes |= {str(level[key]).lower() for key in ("code", "type", "status") if isinstance(level.get(key), str)}
        level = level.get("innererror")
    said = next((words for key in ("message", "detail", "msg") if (words := _words(error.get(key)))), "")
    parameter = error.get("param")
    return ErrorBody(
        message=said or body,
        has_message=bool(said),
        codes=frozenset(codes),
        parameter=parameter if isinstance(parameter, str) else "",
    )


def json_in(text: str) -> str:
    """The JSON object that stands in a client library's words round an error answer; the text itself if none does."""
    start = text.find("{")
    try:
        return text if start < 0 else text[start : json.JSONDecoder().raw_decode(text, start)[1]]
    except (ValueError, RecursionError):
        return text


def status_inside(error: Any) -> int:
    """The status that an error inside a 200 names as its code, as OpenRouter sends it; 500 if it names none."""
    code = error.get("code") if isinstance(error, dict) else None
    if isinstance(code, str) and code.isascii() and code.isdigit() and len(code) == 3:
        code = int(code)
    return code if type(code) is int and 400 <= code < 600 else 500


def _words(value: Any) -> str:
    """A message; of FastAPI's list of faults, each with its place."""
    if isinstance(value, str):
        return value
    if not isinstance(value, list):
        return ""
    faults = [fault for fault in value if isinstance(fault, dict) and isinstance(fault.get("msg"), str)]
    return "; ".join(f"{_place(fault.get('loc'))}: {fault['msg']}" for fault in faults)


def _place(loc: Any) -> str:
    return ".".join(str(part) for part in loc) if isinstance(loc, list) else str(loc)
