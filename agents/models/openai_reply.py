"""An answer of `/chat/completions` read into a `Completion`, whatever a server makes of the format.

Source: OpenAI API reference, "The chat completion object"; reasoning fields after the documentation of DeepSeek
(`reasoning_content`), OpenRouter (`reasoning`) and Mistral (thinking parts).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from conflictbench.agents.models.keys import Redactor
from conflictbench.types import Completion, Reply, ToolCall, Usage

_LARGEST_COUNT = 2**53
# Words of other APIs behind compatible servers, in ours.
_FINISH_REASONS = {
    "max_tokens": "length",
    "model_length": "length",
    "max_output_tokens": "length",
    "eos": "stop",
    "eos_token": "stop",
    "end_turn": "stop",
    "stop_sequence": "stop",
    "safety": "content_filter",
    "refusal": "content_filter",
    "sensitive": "content_filter",
    "content_filtered": "content_filter",
    "function_call": "tool_calls",
    "tool_use": "tool_calls",
}


# Reasons for which no model ends its reply: the server broke off, and what stands there is not what was being said.
_BROKEN_OFF = {
    "abort", "aborted", "cancelled", "canceled", "error", "insufficient_system_resource", "network_error", "timeout",
}  # fmt: skip
_LONGEST_NAME = 200  # characters kept of a model id


class UnreadableAnswer(ValueError):
    """The server's answer is not a chat completion."""


class ErrorInside(UnreadableAnswer):
    """It says of itself that it failed; `error` is what it says, as `read_error_body` reads it."""

    def __init__(self, error: Any) -> None:
        self.error = error
        super().__init__("an error")


def read_completion(answer: Any, *, calls: int, redactor: Redactor | None = None) -> Completion:
    """Read a parsed JSON answer.

    Raises:
        ErrorInside: it holds an error, whatever stands beside that.
        UnreadableAnswer: it has no choice with a message, or a part of it is of the wrong kind.
    """
    redactor = redactor if redactor is not None else Redactor()
    kept = redactor.clean
    if not isinstance(answer, dict):
        raise UnreadableAnswer(f"a JSON {type(answer).__name__} where an object belongs")
    if (error := _error_inside(answer)) is not None:
        raise ErrorInside(error)
    choices = answer.get("choices")
    if not isinstance(choices, list) or not choices:
        raise UnreadableAnswer("no choices" if not choices else "choices is no list")
    choice = choices[0]
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(message, dict):
        raise UnreadableAnswer("the first choice has no message")
    text, thinking = _content(message.get("content"))
    calls_made = _tool_calls(message, kept)
    reason = _finish_reason(choice.get("finish_reason"), bool(calls_made))
    refusal = message.get("refusal")
    if isinstance(refusal, str) and refusal:
        text, reason = "\n".join(filter(None, [text, refusal])), "content_filter"
    reply = Reply(
        text=kept(text),
        tool_calls=calls_made,
        reasoning=_reasoning(message, thinking, kept),
        finish_reason=redactor.one_line(reason, limit=_LONGEST_NAME),
    )
    model = answer.get("model")
    return Completion(
        reply=reply,
        usage=_usage(answer.get("usage"), calls),
        model=redactor.one_line(model, limit=_LONGEST_NAME) if isinstance(model, str) else "",
    )


def unnamed_counts(answer: Any) -> str:
    """Which token counts an answer does not name, in words; "" if it names both."""
    usage = answer.get("usage") if isinstance(answer, dict) else None
    missing = [kind for kind, name in _COUNTS.items() if _count(usage, name) is None]
    return "token counts" if len(missing) == len(_COUNTS) else "".join(f"count of {kind} tokens" for kind in missing)


def _error_inside(answer: Mapping[str, Any]) -> Any:
    """The error of an answer or of its first choice; None if there is none."""
    if error := answer.get("error"):
        return error
    choices = answer.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(choice, dict):
        return None
    if error := choice.get("error"):
        return error
    reason = choice.get("finish_reason")
    if isinstance(reason, str) and reason.lower() in _BROKEN_OFF:
        return {"message": f"the reply was broken off ({reason.lower()})"}
    return None


def _content(content: Any) -> tuple[str, str]:
    """The text and the thinking of a content: a string, nothing, or a list of parts."""
    if content is None:
        return "", ""
    if isinstance(content, str):
        return content, ""
    if not isinstance(content, list):
        raise UnreadableAnswer(f"a content of kind {type(content).__name__}")
    said: list[str] = []
    thought: list[str] = []
    for part in content:
        if isinstance(part, str):
            said.append(part)
        elif not isinstance(part, dict):
            raise UnreadableAnswer(f"a content part of kind {type(part).__name__}")
        elif isinstance(thinking := part.get("thinking"), str | list):
            thought.append(_content(thinking)[0])
        elif isinstance(words := part.get("text", part.get("refusal")), str):
            said.append(words)
    return "".join(said), "".join(thought)


def _reasoning(message: Mapping[str, Any], thinking: str, kept: Callable[[str], str]) -> str | None:
    for field in ("reasoning_content", "reasoning"):
        value = message.get(field)
        if isinstance(value, str) and value:
            return kept(value)
    return kept(thinking) or None


def _tool_calls(message: Mapping[str, Any], kept: Callable[[str], str]) -> tuple[ToolCall, ...]:
    """Every call as it came, malformed ones too: what they are worth is for the reader of the reply to say."""
    listed = message.get("tool_calls") or []
    calls = list(listed) if isinstance(listed, list) else [listed]
    if isinstance(old_style := message.get("function_call"), dict):
        calls.append({"function": old_style})
    return tuple(_tool_call(call, kept) for call in calls)


def _tool_call(call: Any, kept: Callable[[str], str]) -> ToolCall:
    function = call.get("function") if isinstance(call, dict) else None
    if not isinstance(function, dict):
        return ToolCall(name="", arguments=kept(_as_text(call)))
    name, call_id = function.get("name"), call.get("id")
    return ToolCall(
        name=kept(_as_text(name)),
        arguments=kept(_as_text(function.get("arguments"))),
        id=kept(_as_text(call_id)),
    )


def _as_text(value: Any) -> str:
    """A string as it is, nothing as "", anything else (some servers send arguments parsed) as JSON."""
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False)


def _finish_reason(reason: Any, has_tool_calls: bool) -> str:
    if not isinstance(reason, str) or not reason:
        return "tool_calls" if has_tool_calls else "stop"
    word: str = reason.lower()
    return _FINISH_REASONS.get(word, word)


_COUNTS = {"input": "prompt_tokens", "output": "completion_tokens"}


def _usage(usage: Any, calls: int) -> Usage:
    """Token counts as returned; a count that is missing or no count is 0, never an estimate."""
    counts = {f"{kind}_tokens": _count(usage, name) or 0 for kind, name in _COUNTS.items()}
    return Usage(calls=calls, **counts)


def _count(usage: Any, name: str) -> int | None:
    value = usage.get(name) if isinstance(usage, dict) else None
    if isinstance(value, float) and value.is_integer():  # 100.0, of a language that knows one kind of number
        value = int(value)
    return value if type(value) is int and 0 <= value < _LARGEST_COUNT else None
