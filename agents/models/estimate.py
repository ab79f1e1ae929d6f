"""How many tokens a call may take, before it is made: for reservations only, never for a record. Own design."""

from __future__ import annotations

import json
from collections.abc import Sequence

from conflictbench.types import Message, ToolSpec

# English runs at about 4 bytes a token, other scripts at 3 or fewer: 3 is high for the one and fair for the others.
_BYTES_PER_TOKEN = 3
_TOKENS_PER_MESSAGE = 8  # role and separators
# Providers count an image by its tiles or its area: a frame of 832x480 is 425 to 630 tokens with those we know.
_PIXELS_PER_TOKEN = 600
_TOKENS_PER_IMAGE = 85  # the least that is charged for one


def estimate_input_tokens(messages: Sequence[Message], tools: Sequence[ToolSpec] = ()) -> int:
    """An estimate on the high side; no tokenizer is loaded for it."""
    size = images = 0
    for message in messages:
        size += len(message.content.encode("utf-8", "replace"))
        size += sum(len(call.name) + len(call.arguments) for call in message.tool_calls)
        images += image_tokens(message)
    size += sum(len(tool.name) + len(tool.description) + len(json.dumps(dict(tool.parameters))) for tool in tools)
    return -(-size // _BYTES_PER_TOKEN) + _TOKENS_PER_MESSAGE * (len(messages) + len(tools)) + images


def image_tokens(message: Message) -> int:
    """An estimate for the images of a message, on the high side."""
    return sum(_TOKENS_PER_IMAGE + -(-image.width * image.height // _PIXELS_PER_TOKEN) for image in message.images)
