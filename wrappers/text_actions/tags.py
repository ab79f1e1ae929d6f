"""Takes reasoning that a model puts between tags, `<think>...</think>` and its kin, out of a reply. Own design."""

from __future__ import annotations

import re
from dataclasses import dataclass

from conflictbench.wrappers.text_actions.markers import action_value

_NAMES = "think|thinking|thought|thoughts|reasoning|reflection|analysis|scratchpad"
_TAG = re.compile(rf"<(?P<close>/?)(?:{_NAMES})\s{{0,8}}>|\[(?P<end>/?)(?P<name>{_NAMES})\s{{0,8}}\]", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Tagged:
    """A reply in two: what was said, and what was thought between tags."""

    answer: str
    reasoning: str
    unclosed: bool  # the reply ended inside a tag


def split_tags(text: str, *, cut: bool = False) -> Tagged:
    """Split at the tags, in one pass; nested tags count as one.

    A closing tag without an opening one ends reasoning that began with the reply: some chat templates write the
    opening tag themselves. The square form opens only where its own closing tag follows, for `[Analysis]` is a heading
    as well. A reply that its author ended (not `cut`) inside a tag, with a line that gives an action, has left the
    closing tag out: its answer begins with the first such line.

    Args:
        cut: the reply ended because it was cut off, so that a tag which never closes holds all the rest.
    """
    said: list[str] = []
    thought: list[str] = []
    depth, position = 0, 0
    tags = list(_TAG.finditer(text))
    headings = set() if cut else _headings(tags)
    for tag in tags:
        if tag.start() in headings:
            continue
        (thought if depth else said).append(text[position : tag.start()])
        position = tag.end()
        if not _closes(tag):
            depth += 1
        elif depth:
            depth -= 1
        else:
            thought.extend(said)
            said = []
    rest = text[position:]
    if depth and not cut:
        inside, answer = _forgotten_end(rest)
        thought.append(inside)
        said.append(answer)
    else:
        (thought if depth else said).append(rest)
    return Tagged(
        answer="\n".join(said),
        reasoning="\n".join(part.strip() for part in thought if part.strip()),
        unclosed=depth > 0,
    )


def _closes(tag: re.Match[str]) -> bool:
    return bool(tag["close"] or tag["end"])


def _headings(tags: list[re.Match[str]]) -> set[int]:
    """Where square opening tags stand that no closing tag of their name belongs to."""
    waiting: dict[str, list[int]] = {}
    for tag in tags:
        if tag["name"]:
            opened = waiting.setdefault(tag["name"].casefold(), [])
            if not _closes(tag):
                opened.append(tag.start())
            elif opened:
                opened.pop()
    return {start for starts in waiting.values() for start in starts}


def _forgotten_end(rest: str) -> tuple[str, str]:
    """What follows a tag that never closes, in two: the thought, and the answer if the last line gives an action."""
    lines = rest.split("\n")
    last = next((line for line in reversed(lines) if line.strip()), "")
    if not action_value(last):
        return rest, ""
    first = next(place for place, line in enumerate(lines) if action_value(line))
    return "\n".join(lines[:first]), "\n".join(lines[first:])
