"""The body of a `/chat/completions` request. Source: OpenAI API reference, "Create chat completion"."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic_core import PydanticSerializationError, to_json

from conflictbench.types import Limits, Message, ToolSpec


@dataclass(frozen=True, kw_only=True)
class Dialect:
    """What one server and model take, found out from its refusals: the adapter starts with the default."""

    max_tokens_name: str = "max_tokens"  # else "max_completion_tokens"
    temperature: bool = True  # a reasoning model may insist on its own
    seed: bool = True

    def without(self, parameter: str) -> Dialect | None:
        """The dialect after a refusal of `max_tokens`, `temperature` or `seed`; None if it is out already."""
        if parameter == "max_tokens" and self.max_tokens_name == "max_tokens":
            return replace(self, max_tokens_name="max_completion_tokens")
        if parameter == "temperature" and self.temperature:
            return replace(self, temperature=False)
        if parameter == "seed" and self.seed:
            return replace(self, seed=False)
        return None


def request_body(
    model: str, messages: Sequence[Message], tools: Sequence[ToolSpec], limits: Limits, dialect: Dialect
) -> dict[str, Any]:
    """Build the JSON object; no streaming."""
    body: dict[str, Any] = {"model": model, "messages": wire_messages(messages)}
    if tools:
        body["tools"] = wire_tools(tools)
    body[dialect.max_tokens_name] = limits.max_tokens
    if dialect.temperature:
        body["temperature"] = limits.temperature
    if dialect.seed and limits.seed is not None:
        body["seed"] = limits.seed
    return body


def encode_body(body: Mapping[str, Any]) -> bytes:
    """The body as UTF-8 JSON without blanks; half characters, which a model may have sent, go back as `?`."""
    try:
        return to_json(body)  # a history of 30 messages a call: half the time of `json`
    except PydanticSerializationError:
        return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def wire_messages(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Messages as the API has them; argument strings of tool calls go back as they came."""
    return [_message(message) for message in messages]


def wire_tools(tools: Sequence[ToolSpec]) -> list[dict[str, Any]]:
    """Tool specifications as the API has them."""
    return [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description,
                "parameters": dict(tool.parameters),
            },
        }
        for tool in tools
    ]


def _message(message: Message) -> dict[str, Any]:
    sent: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.images:
        pictures = [{"type": "image_url", "image_url": {"url": image.data_uri}} for image in message.images]
        sent["content"] = [*pictures, {"type": "text", "text": message.content}]
    if message.tool_calls:
        sent["content"] = message.content or None
        sent["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.tool_calls
        ]
    if message.role == "tool":
        sent["tool_call_id"] = message.tool_call_id
    return sent
