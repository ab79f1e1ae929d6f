"""How many tokens a call may take, before it is made: for reservations only, never for a record. Own design."""

from __future__ import annotations

import json
from collections.abc import Sequence

from conflictbench.types import Message, ToolSpec

# English runs at about 4 bytes a token, other scripts at 3 or fewer: 3 is high for the one and fair for the others.
_BYTES_PER_TOKEN = 3
_TOKENS_PER_MESSAGE = 8  # role and separators


def estimate_input_tokens(messages: Sequence[Message], tools: Sequence[ToolSpec] = ()) -> int:
    """An estimate on the high side; no tokenizer is loaded for it."""
    size = 0
    for message in messages:
        size += len(message.content.encode("utf-8", "replace"))
        size += sum(len(call.name) + len(call.arguments) for call in message.tool_calls)
    size += sum(len(tool.name) + len(tool.description) + len(json.dumps(dict(tool.parameters))) for tool in tools)
    return -(-size // _BYTES_PER_TOKEN) + _TOKENS_PER_MESSAGE * (len(messages) + len(tools))
