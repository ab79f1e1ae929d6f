"""A reply without its thoughts, for the conversation that repeats it to its model. Own design."""

from __future__ import annotations

import json
import re

from conflictbench.types import Reply
from conflictbench.wrappers.text_actions.reading import read
from conflictbench.wrappers.text_actions.structured import THOUGHT_KEYS

_NAMES = "|".join(sorted(THOUGHT_KEYS))
_KEY = re.compile(rf'(?<=[{{,])\s{{0,200}}"\s{{0,8}}(?:{_NAMES})\s{{0,8}}"\s{{0,200}}:\s{{0,200}}', re.IGNORECASE)
_COMMA = re.compile(r"\s{0,200},")
_END = re.compile(r"\s{0,200}(?:[,}]|\Z)")
_DECODER = json.JSONDecoder(strict=False, parse_int=str, parse_float=str)  # as words: a long number costs no time


def without_thoughts(reply: Reply) -> str:
    """The words of a reply that are no thought, cleaned; "" if no letter or digit is left.

    Left out is what the parser calls a thought: what stands between tags, behind THINK: and in a thought's place of a
    JSON object, and, where the reply gives an action, the prose round it as well.
    """
    found = read(reply).found
    words = _without_members("\n".join(found.given if found.actions else found.said)).strip()
    return words if any(char.isalnum() for char in words) else ""


def _without_members(text: str) -> str:
    """The text without members of JSON objects that hold a thought; without the rest, where one does not close."""
    kept: list[str] = []
    position, is_first = 0, False  # is_first: what is kept ends where the first member of an object stands
    while key := _KEY.search(text, position):
        piece = text[position : key.start()]
        kept.append((piece.lstrip() if is_first else piece).removesuffix(","))
        is_first = piece.endswith("{") or (is_first and not piece)
        try:
            _, position = _DECODER.raw_decode(text, key.end())
        except (ValueError, RecursionError):
            return "".join(kept)
        if not _END.match(text, position):  # closed by a quote that opens something else
            return "".join(kept)
        if is_first and (comma := _COMMA.match(text, position)):
            position = comma.end()
    rest = text[position:]
    return "".join([*kept, rest.lstrip() if is_first else rest])
