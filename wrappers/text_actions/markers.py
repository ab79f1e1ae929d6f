"""Recognises the lines that introduce an action, a thought or a message, in the shapes models give them. Own design.

`ACTION: x`, `**Action:** x`, `2. Final action - x`, `## Action` above x, `ACTION 1 (turn 2): x`; `THINK: x` and kin.
A marker opens its line; the one exception is an upper-case `ACTION:` behind the end of a sentence.
"""

from __future__ import annotations

import re

MARKUP = " \t*_#`~>"
_LEAD = MARKUP + "-+|\"'(["
_NUMBER = re.compile(r"\d{1,3}[.)]\s")
_RUN_ON = r"(?:\s?#?\d{1,3})?(?:\s?\([^()\n]{0,30}\))?"  # ` 2 (turn 3)`
_NAME = re.compile(
    rf"(?:(?:best|chosen|final|my|next|selected|the|your)\s{{1,3}}){{0,2}}(action|command){_RUN_ON}", re.IGNORECASE
)
_MESSAGE_NAME = re.compile(
    rf"(?:(?:final|my|next|public|the|your)\s{{1,3}}){{0,2}}(message)"
    rf"(?:\s(?:for|to)\s(?:the\s)?(?:incumbent|requester|other(?:\sparty)?))?{_RUN_ON}",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(r"[*_`\s]{0,20}:|[*_`]{0,9}\s{1,20}(?:-{1,2}>?|=>?)(?=\s)")
_THOUGHT = re.compile(
    r"(?:analysis|rationale|reasoning|think|thinking|thought|thoughts)[*_`\s]{0,20}:[*_`]{0,9}", re.IGNORECASE
)
# what else may open a thought: told apart where words would reach somebody else
_OF_THOUGHTS = (
    r"(?:(?:brief|chain|hidden|inner|internal|my|of|our|own|private|secret|step|the|your)[\s-]{1,3}){0,3}"
    r"(analysis|monologue|rationale|reasoning|reflections?|scratchpad|think|thinking|thoughts?)\b(?:\s(?:process|steps?))?"
)
_THOUGHT_NAME = re.compile(rf"{_OF_THOUGHTS}{_RUN_ON}", re.IGNORECASE)
_THOUGHT_INSIDE = re.compile(
    r"(?<![A-Za-z])(?:ANALYSIS|RATIONALE|REASONING|REFLECTION|SCRATCHPAD|THINK|THINKING|THOUGHTS?)"
    rf"{_RUN_ON}[*_`\s]{{0,5}}:"
    rf"|(?:\A\W{{0,6}}|[.!?;:][\"')\]]?\s{{1,4}}|[(\[{{]\s{{0,3}})[*_`]{{0,3}}(?i:{_OF_THOUGHTS}){_RUN_ON}[*_`\s]{{0,5}}:"
)
_CLOSING = re.compile(r"\A[*_`]{1,9}(?:\s+|\Z)")
_INLINE_MESSAGE = re.compile(r"[.!?][\"')\]]?\s{1,4}[*_`]{0,3}MESSAGE[*_`]{0,3}:[*_`]{0,3}")
_INLINE = re.compile(r"[.!?][\"')\]]?\s{1,4}[*_`]{0,3}ACTION[*_`]{0,3}:")


def action_value(line: str) -> str | None:
    """Return what the line gives as its action; "" if it only announces one; None if it is no such line."""
    return _value(line, _NAME)


def message_value(line: str) -> str | None:
    """As `action_value`, of a message to somebody else; without the markup that its mark was closed with."""
    value = _value(line, _MESSAGE_NAME)
    return None if value is None else _CLOSING.sub("", value)


def opens_thought(line: str) -> bool:
    """Whether a thought begins on the line, in any form: `thought_value`, those of an action, a heading in brackets."""
    return thought_value(line) is not None or _value(line, _THOUGHT_NAME, brackets=True) is not None


def thought_inside(words: str) -> bool:
    """Whether a mark of a thought stands at the start of the words or in the middle of them."""
    return _THOUGHT_INSIDE.search(words) is not None


def _value(line: str, names: re.Pattern[str], *, brackets: bool = False) -> str | None:
    opened = _opened(line)
    name = names.match(opened)
    if name is None:
        return None
    rest = opened[name.end() :]
    separator = _SEPARATOR.match(rest)
    if separator is not None:
        return rest[separator.end() :].strip()
    # a heading: nothing else on its line, and marked up or in capitals
    marked = name.group(1).isupper() or line.strip()[:1] in (*"#*_", *("[(<" if brackets else ""))
    return "" if marked and not rest.strip(MARKUP + (")]>" if brackets else "")) else None


def thought_value(line: str) -> str | None:
    """Return what follows THINK: (or one of its kin) on a line it opens, else None."""
    opened = _opened(line)
    marker = _THOUGHT.match(opened)
    return opened[marker.end() :].strip() if marker else None


def inline_action(line: str) -> tuple[str, str] | None:
    """Split a line of prose at an `ACTION:` behind the end of a sentence: (prose, value)."""
    marker = _INLINE.search(line)
    return (line[: marker.start() + 1], line[marker.end() :].strip()) if marker else None


def inline_message(line: str) -> tuple[str, str] | None:
    """As `inline_action`, of a `MESSAGE:`."""
    marker = _INLINE_MESSAGE.search(line)
    return (line[: marker.start() + 1], line[marker.end() :].strip()) if marker else None


def _opened(line: str) -> str:
    """The line without list numbers, bullets and markup before its first word."""
    line = line.lstrip(_LEAD)
    number = _NUMBER.match(line)
    return line[number.end() :].lstrip(_LEAD) if number else line
