"""Actions and messages given as data: JSON in the text, elements as `<action>`, tool calls' arguments. Own design.

Of an object only the top level counts: what a thought inside it mentions is a thought. A name given twice keeps both
values, where `json.loads` would silently take the last.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

ACTION_KEYS = frozenset({"action", "command"})
CALL_KEYS = frozenset({"arguments", "parameters", "input"})  # of a tool call written out as text
MESSAGE_KEYS = frozenset({"message"})  # to somebody else
THOUGHT_KEYS = frozenset({"analysis", "rationale", "reasoning", "think", "thinking", "thought", "thoughts"})
MAX_OBJECTS = 64  # in one reply; more is not an answer
MAX_BROKEN = 16  # each costs a pass over the rest of the reply

_START = re.compile(r"\{\s{0,200}[\"}]|<(?:action|command|message)>", re.IGNORECASE)
_ELEMENT = re.compile(r"<(?:(action|command)>([^<]{0,400})</\1>|(message)>([^<]{0,4000})</\3>)", re.IGNORECASE)


class _Pairs(list[tuple[str, Any]]):
    """A JSON object as its pairs."""


def _number(digits: str) -> None:
    """A number is no action; reading a million digits of it would only cost time."""


_DECODER = json.JSONDecoder(object_pairs_hook=_Pairs, strict=False, parse_int=_number, parse_float=_number)


@dataclass
class Given:
    """What one piece of data says."""

    actions: list[str] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)
    thoughts: list[str] = field(default_factory=list)
    malformed: bool = False  # not one object with one action in words


@dataclass(frozen=True, kw_only=True)
class Piece:
    """A piece of data found in a text, at text[start:end]."""

    start: int
    end: int
    given: Given


def pieces(text: str) -> Iterator[Piece | None]:
    """Find the outermost objects and elements, left to right; None at the end if there are too many to read."""
    position = found = broken = 0
    while start := _START.search(text, position):
        if found >= MAX_OBJECTS or broken >= MAX_BROKEN:
            yield None
            return
        piece = _piece(text, start.start())
        if piece is None:
            broken += 1
            position = start.end()
        else:
            found += 1
            position = piece.end
            yield piece


def tool_arguments(arguments: str) -> Given:
    """Read the arguments of a tool call as sent: usually one object; also sent twice, with a rest, or as a string."""
    given = Given()
    values, whole = _values(arguments)
    if len(values) == 1 and isinstance(values[0], str):
        given.malformed = True
        values, whole = _values(values[0])
    for value in values:
        if isinstance(value, _Pairs):
            _read(value, given)
    if not whole or len(values) != 1 or len(given.actions) != 1:
        given.malformed = True
    return given


def _piece(text: str, start: int) -> Piece | None:
    if text[start] == "<":
        element = _ELEMENT.match(text, start)
        if element is None:
            return None
        given = Given(messages=[element.group(4)]) if element.group(3) else Given(actions=[element.group(2)])
        return Piece(start=start, end=element.end(), given=given)
    try:
        value, end = _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    given = Given()
    _read(value, given)
    return Piece(start=start, end=end, given=given)


def _values(text: str) -> tuple[list[Any], bool]:
    """Read JSON values that follow each other; the flag says whether the text held nothing else."""
    values: list[Any] = []
    text = text.strip()
    position = 0
    while position < len(text):
        if len(values) >= MAX_OBJECTS:
            return values, False
        try:
            value, position = _DECODER.raw_decode(text, position)
        except (ValueError, RecursionError):
            return values, False
        values.append(value)
        while position < len(text) and text[position].isspace():
            position += 1
    return values, True


def _read(pairs: _Pairs, given: Given, *, inside_call: bool = False) -> None:
    for key, value in pairs:
        name = key.strip().casefold()
        if name in ACTION_KEYS:
            if isinstance(value, str):
                given.actions.append(value)
            else:
                given.malformed = True
        elif name in MESSAGE_KEYS and isinstance(value, str):
            given.messages.append(value)
        elif name in THOUGHT_KEYS and isinstance(value, str):
            given.thoughts.append(value)
        elif name in CALL_KEYS and isinstance(value, _Pairs) and not inside_call:
            _read(value, given, inside_call=True)
