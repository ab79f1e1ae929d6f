"""The body that is sent."""

from __future__ import annotations

import json

import pytest

from conflictbench.agents.models.openai_request import Dialect, encode_body, request_body
from conflictbench.types import Limits, Message, ToolCall, ToolSpec

LIMITS = Limits(max_tokens=64, temperature=0.0, seed=7)


def test_request_body__holds_what_was_asked_and_no_more() -> None:
    body = request_body("m", [Message(role="user", content="Where am I?")], (), LIMITS, Dialect())
    assert body == {
        "model": "m",
        "messages": [{"role": "user", "content": "Where am I?"}],
        "max_tokens": 64,
        "temperature": 0.0,
        "seed": 7,
    }


def test_request_body__without_a_seed_names_none() -> None:
    assert "seed" not in request_body("m", [], (), Limits(), Dialect())


def test_request_body__a_tool_call_goes_back_as_it_came() -> None:
    call = ToolCall(name="act", arguments='{}""', id="c1")
    messages = [
        Message(role="assistant", content="", tool_calls=(call,)),
        Message(role="tool", content="Unreadable.", tool_call_id="c1"),
    ]
    assert request_body("m", messages, (), LIMITS, Dialect())["messages"] == [
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "act", "arguments": '{}""'}}],
        },
        {"role": "tool", "content": "Unreadable.", "tool_call_id": "c1"},
    ]


def test_request_body__describes_tools() -> None:
    tool = ToolSpec(name="act", description="Do it.", parameters={"type": "object"})
    assert request_body("m", [], [tool], LIMITS, Dialect())["tools"] == [
        {"type": "function", "function": {"name": "act", "description": "Do it.", "parameters": {"type": "object"}}}
    ]


def test_dialect__leaves_out_each_refused_parameter_once() -> None:
    dialect = Dialect()
    for parameter in ("max_tokens", "temperature", "seed"):
        adjusted = dialect.without(parameter)
        assert adjusted is not None
        assert adjusted.without(parameter) is None
        dialect = adjusted
    assert request_body("m", [], (), LIMITS, dialect) == {"model": "m", "messages": [], "max_completion_tokens": 64}
    assert dialect.without("top_p") is None


@pytest.mark.parametrize("text", ["plain", 'quote " and \\ and \n', "\u00e9 \u2603 \U0001f600", "\x00\x1f\x7f", ""])
def test_encode_body__is_the_same_json_value_in_utf_8(text: str) -> None:
    body = {"model": text, "messages": [{"role": "user", "content": text, "none": None}], "temperature": 1e-7, "n": 3}

    assert json.loads(encode_body(body).decode("utf-8")) == body


def test_encode_body__half_a_character_goes_back_as_a_question_mark() -> None:
    assert encode_body({"content": "a\ud800b"}) == b'{"content":"a?b"}'
