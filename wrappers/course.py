"""What makes two episodes the same trajectory: their commands, and what was said for them. Own design."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from hashlib import blake2b

from conflictbench.types import Reply, StepRecord


def course_of(steps: Sequence[StepRecord]) -> str:
    """16 hex digits over commands and replies, as they are kept, in their order; "" for no steps.

    Left out are the ids of tool calls, which a provider draws anew for the same answer.
    """
    if not steps:
        return ""
    content = json.dumps([[step.command, _said(step)] for step in steps], separators=(",", ":"))
    return blake2b(content.encode("ascii"), digest_size=8).hexdigest()


def _said(step: StepRecord) -> object:
    if step.reply is None:
        return None
    reply = Reply.from_stored(step.reply)
    if step.reasoning_source == "provider":  # is kept beside the reply
        reply = replace(reply, reasoning=step.reasoning)
    if not reply.tool_calls:
        return reply.stored()
    calls = [[call.name, call.arguments] for call in reply.tool_calls]
    return [reply.text, calls, reply.reasoning, reply.finish_reason]
