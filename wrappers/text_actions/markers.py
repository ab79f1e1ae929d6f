"""Recognises the lines that introduce an action or a thought, in the shapes models give them. Own design.

`ACTION: x`, `**Action:** x`, `2. Final action - x`, `## Action` above x, `ACTION 1 (turn 2): x`; `THINK: x` and kin.
A marker opens its line; the one exception is an upper-case `ACTION:` behind the end of a sentence.
"""

from __future__ import annotations

import re

MARKUP = " \t*_#`~>"
_LEAD = MARKUP + "-+|\"'(["
_NUMBER = re.compile(r"\d{1,3}[.)]\s")
_NAME = re.compile(
    r"(?:(?:best|chosen|final|my|next|selected|the|your)\s{1,3}){0,2}(action|command)(?:\s?#?\d{1,3})?(?:\s?\([^()\n]{0,30}\))?",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(r"[*_`\s]{0,20}:|[*_`]{0,9}\s{1,20}(?:-{1,2}>?|=>?)(?=\s)")
_THOUGHT = re.compile(
    r"(?:analysis|rationale|reasoning|think|thinking|thought|thoughts)[*_`\s]{0,20}:[*_`]{0,9}", re.IGNORECASE
)
_INLINE = re.compile(r"[.!?][\"')\]]?\s{1,4}[*_`]{0,3}ACTION[*_`]{0,3}:")


def action_value(line: str) -> str | None:
    """Return what the line gives as its action; "" if it only announces one; None if it is no such line."""
    opened = _opened(line)
    name = _NAME.match(opened)
    if name is None:
        return None
    rest = opened[name.end() :]
    separator = _SEPARATOR.match(rest)
    if separator is not None:
        return rest[separator.end() :].strip()
    # a heading: nothing else on its line, and marked up or in capitals
    marked = name.group(1).isupper() or line.strip()[:1] in ("#", "*", "_")
    return "" if marked and not rest.strip(MARKUP) else None


def thought_value(line: str) -> str | None:
    """Return what follows THINK: (or one of its kin) on a line it opens, else None."""
    opened = _opened(line)
    marker = _THOUGHT.match(opened)
    return opened[marker.end() :].strip() if marker else None


def inline_action(line: str) -> tuple[str, str] | None:
    """Split a line of prose at an `ACTION:` behind the end of a sentence: (prose, value)."""
    marker = _INLINE.search(line)
    return (line[: marker.start() + 1], line[marker.end() :].strip()) if marker else None


def _opened(line: str) -> str:
    """The line without list numbers, bullets and markup before its first word."""
    line = line.lstrip(_LEAD)
    number = _NUMBER.match(line)
    return line[number.end() :].lstrip(_LEAD) if number else line
