"""Replies as an OpenAI-compatible server sends them. Source: OpenAI API reference, "The chat completion object"."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from conflictbench.types import Reply, ToolCall


def act(command: str, *, in_tools: bool, times: int = 1) -> Reply:
    """The reply that gives a command, as a call of `act` or as text; or as several, all the same."""
    if in_tools:
        arguments = json.dumps({"command": command})
        calls = (ToolCall(name="act", arguments=arguments, id=f"call_{n}") for n in range(times))
        return Reply(tool_calls=tuple(calls), finish_reason="tool_calls")
    return Reply(text="THINK: this is the next step." + times * f"\nACTION: {command}")


def _tokens(message: Mapping[str, Any]) -> int:
    """Words, and a thousand for an image."""
    content = message["content"] or ""
    if isinstance(content, str):
        return len(content.split())
    return sum(1000 if part["type"] == "image_url" else len(part["text"].split()) for part in content)


def completion(reply: Reply, messages: Sequence[Mapping[str, Any]], model: str) -> dict[str, Any]:
    """The answer; a word is a token, and so is a call; an image is a thousand.

    Args:
        messages: of the request.  model: the id returned.
    """
    message: dict[str, Any] = {"role": "assistant", "content": reply.text}
    if reply.tool_calls:
        message["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in reply.tool_calls
        ]
    if reply.reasoning is not None:
        message["reasoning_content"] = reply.reasoning
    read = sum(map(_tokens, messages))
    written = len(reply.text.split()) + len(reply.tool_calls)
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": reply.finish_reason}],
        "usage": {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written},
    }
