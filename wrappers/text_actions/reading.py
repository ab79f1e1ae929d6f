"""Reads a whole reply, text and tool calls, into what it gives, says and thinks; judges nothing. Own design.

The parser decides by it, and a conversation repeats by it: so both call the same words a thought.
"""

from __future__ import annotations

from dataclasses import dataclass

from conflictbench.types import Reply
from conflictbench.wrappers.text_actions.cleaning import clean
from conflictbench.wrappers.text_actions.refusal import PROVIDER_REASONS
from conflictbench.wrappers.text_actions.scan import Scan, scan
from conflictbench.wrappers.text_actions.structured import tool_arguments
from conflictbench.wrappers.text_actions.tags import Tagged, split_tags


@dataclass(frozen=True, kw_only=True)
class Reading:
    """What a reply holds."""

    tagged: Tagged  # what was said, and what was thought between tags
    found: Scan  # of what was said; its actions and malformed pieces include those of the tool calls
    cut: bool  # the provider says that the reply was cut off


def read(reply: Reply) -> Reading:
    """Read a reply; never raises, and takes time linear in its length."""
    cut = reply.finish_reason == "length"
    tagged = split_tags(clean(reply.text), cut=cut or reply.finish_reason in PROVIDER_REASONS)
    found = scan(tagged.answer)
    for call in reply.tool_calls:
        arguments = tool_arguments(call.arguments)
        found.actions += arguments.actions
        found.malformed += arguments.malformed
    return Reading(tagged=tagged, found=found, cut=cut)
