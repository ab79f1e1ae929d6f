"""Takes reasoning that a model puts between tags, `<think>...</think>` and its kin, out of a reply. Own design."""

from __future__ import annotations

import re
from dataclasses import dataclass

_TAG = re.compile(
    r"[<\[](/?)(?:think|thinking|thought|thoughts|reasoning|reflection|analysis|scratchpad)\s{0,8}[>\]]",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class Tagged:
    """A reply in two: what was said, and what was thought between tags."""

    answer: str
    reasoning: str
    unclosed: bool  # the reply ended inside a tag


def split_tags(text: str) -> Tagged:
    """Split at the tags, in one pass; nested tags count as one.

    A closing tag without an opening one ends reasoning that began with the reply: some chat templates write the
    opening tag themselves.
    """
    said: list[str] = []
    thought: list[str] = []
    depth, position = 0, 0
    for tag in _TAG.finditer(text):
        (thought if depth else said).append(text[position : tag.start()])
        position = tag.end()
        if not tag.group(1):
            depth += 1
        elif depth:
            depth -= 1
        else:
            thought.extend(said)
            said = []
    (thought if depth else said).append(text[position:])
    return Tagged(
        answer="\n".join(said),
        reasoning="\n".join(part.strip() for part in thought if part.strip()),
        unclosed=depth > 0,
    )
