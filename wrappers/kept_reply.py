"""What of a reply goes into a record: all of it, unless it is longer than anybody reads. Own design.

What was read and what a model is shown again is never this: a record is made of it afterwards.
"""

from __future__ import annotations

from dataclasses import replace

from conflictbench.types import Reply

MOST = 65_536  # characters of a text
_HEAD = MOST * 3 // 4  # of one that is cut; the rest is its end, where the action mostly stands
_MOST_CALLS = 64


def kept_text(text: str) -> str:
    """The text, or its beginning and its end with the number of characters between them that were cut."""
    cut = len(text) - MOST
    if cut <= 0:
        return text
    return f"{text[:_HEAD]}\n[... {cut} characters were not kept ...]\n{text[_HEAD + cut :]}"


def kept_reply(reply: Reply, reasoning: str) -> tuple[str, str]:
    """A reply as it is stored, and the reasoning beside it.

    Args:
        reasoning: what was taken for it. Where that is the provider's own field, it is kept here and not in the reply.
    Returns:
        What `Reply.from_stored` reads, and the reasoning; each text, and each call's arguments, at most `MOST`
        characters and what says how many were cut.
    """
    own = None if reply.reasoning is None or reply.reasoning == reasoning else kept_text(reply.reasoning)
    calls = tuple(replace(call, arguments=kept_text(call.arguments)) for call in reply.tool_calls[:_MOST_CALLS])
    return replace(reply, text=kept_text(reply.text), reasoning=own, tool_calls=calls).stored(), kept_text(reasoning)
