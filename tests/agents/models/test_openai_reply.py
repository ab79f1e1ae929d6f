"""Answers read, as servers really send them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.agents.models.loopback import chat_completion

from conflictbench.agents.models.keys import Redactor, Secret
from conflictbench.agents.models.openai_reply import UnreadableAnswer, read_completion, unnamed_counts
from conflictbench.types import Completion, Reply, ToolCall, Usage


def reply(text: str | None = None, **message: Any) -> Reply:
    return read_completion(chat_completion(text, **message), calls=1).reply


def test_read_completion__a_plain_answer() -> None:
    assert read_completion(chat_completion("ACTION: look"), calls=2) == Completion(
        reply=Reply(text="ACTION: look", finish_reason="stop"),
        usage=Usage(calls=2, input_tokens=11, output_tokens=4),
        model="served-1",
    )


def test_read_completion__no_content_is_an_empty_text() -> None:
    assert reply(None) == Reply(text="", finish_reason="stop")


def test_read_completion__content_in_parts_is_joined() -> None:
    parts = [{"type": "text", "text": "ACTION: "}, {"type": "image_url", "image_url": {}}, "look", {"type": "refusal"}]
    assert reply(parts).text == "ACTION: look"  # type: ignore[arg-type]


def test_read_completion__thinking_in_parts_is_reasoning() -> None:
    parts = [
        {"type": "thinking", "thinking": [{"type": "text", "text": "Dark here."}]},
        {"type": "text", "text": "ACTION: look"},
    ]
    got = reply(parts)  # type: ignore[arg-type]
    assert (got.text, got.reasoning) == ("ACTION: look", "Dark here.")


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_read_completion__reasoning_of_the_providers_own_field(field: str) -> None:
    assert reply("x", **{field: "Because."}).reasoning == "Because."
    assert reply("x", **{field: ""}).reasoning is None
    assert reply("x", **{field: None}).reasoning is None


def test_read_completion__tool_calls_stay_as_they_came() -> None:
    calls = [
        {"id": "a", "type": "function", "function": {"name": "act", "arguments": '{"command": "look"}'}},
        {"id": "a", "type": "function", "function": {"name": "act", "arguments": '{}""'}},
        {"function": {"name": "act", "arguments": {"command": "look"}}},  # parsed already, as Ollama sends them
        {"id": 3, "function": {"name": None}},
        {"id": "b", "function": "act"},
        "act",
    ]
    assert reply(None, tool_calls=calls).tool_calls == (
        ToolCall(name="act", arguments='{"command": "look"}', id="a"),
        ToolCall(name="act", arguments='{}""', id="a"),
        ToolCall(name="act", arguments='{"command": "look"}', id=""),
        ToolCall(name="", arguments="", id="3"),
        ToolCall(name="", arguments='{"id": "b", "function": "act"}'),
        ToolCall(name="", arguments="act"),
    )


def test_read_completion__an_old_style_function_call_is_a_tool_call() -> None:
    got = reply(None, function_call={"name": "act", "arguments": "{}"})
    assert got.tool_calls == (ToolCall(name="act", arguments="{}"),)


def test_read_completion__a_refusal_is_a_reply() -> None:
    got = reply(None, refusal="I can't help with that.")
    assert got == Reply(text="I can't help with that.", finish_reason="content_filter")
    assert reply("So far.", refusal="No further.").text == "So far.\nNo further."


@pytest.mark.parametrize(
    "sent, read",
    [("length", "length"), ("MAX_TOKENS", "length"), ("eos", "stop"), ("SAFETY", "content_filter"), ("odd", "odd")],
)
def test_read_completion__finish_reasons_are_in_one_language(sent: str, read: str) -> None:
    answer = chat_completion("x")
    answer["choices"][0]["finish_reason"] = sent
    assert read_completion(answer, calls=1).reply.finish_reason == read


def test_read_completion__without_a_finish_reason_it_is_the_obvious_one() -> None:
    answer = chat_completion("x")
    del answer["choices"][0]["finish_reason"]
    assert read_completion(answer, calls=1).reply.finish_reason == "stop"
    answer["choices"][0]["message"]["tool_calls"] = [{"function": {"name": "act", "arguments": "{}"}}]
    assert read_completion(answer, calls=1).reply.finish_reason == "tool_calls"


@pytest.mark.parametrize(
    "usage",
    [None, [], {}, {"prompt_tokens": None}, {"prompt_tokens": -1}, {"prompt_tokens": "9"}, {"prompt_tokens": True}],
)
def test_read_completion__a_missing_count_is_zero_not_a_guess(usage: Any) -> None:
    assert read_completion({**chat_completion("x"), "usage": usage}, calls=1).usage == Usage(calls=1)


def test_read_completion__a_whole_number_written_as_a_fraction_is_a_count() -> None:
    usage = {"prompt_tokens": 100.0, "completion_tokens": 1.5}
    answer = {**chat_completion("x"), "usage": usage}
    assert read_completion(answer, calls=1).usage == Usage(calls=1, input_tokens=100)
    assert unnamed_counts(answer) == "count of output tokens"


def test_read_completion__a_model_id_is_short_and_printable() -> None:
    model = read_completion({**chat_completion("x"), "model": "m\x1b\n" + "1" * 5000}, calls=1).model
    assert (model[:3], len(model), model.isprintable()) == ("m 1", 200, True)


def test_read_completion__secrets_are_taken_out_everywhere() -> None:
    key = "canary-0123456789"
    call = {"id": key, "function": {"name": key, "arguments": f'{{"a": "{key}"}}'}}
    answer = chat_completion(f"Your key: {key}", tool_calls=[call], reasoning=key)
    answer["model"] = answer["choices"][0]["finish_reason"] = key
    assert key not in repr(read_completion(answer, calls=1, redactor=Redactor(Secret(key), {})))


@pytest.mark.parametrize(
    "answer",
    [
        None, 3, "x", [], {}, {"choices": None}, {"choices": []}, {"choices": {}}, {"choices": [None]},
        {"choices": [{}]}, {"choices": [{"message": None}]}, {"choices": [{"message": {"content": 3}}]},
        {"choices": [{"message": {"content": [3]}}]},
    ],
)  # fmt: skip
def test_read_completion__what_is_no_completion_says_so(answer: Any) -> None:
    with pytest.raises(UnreadableAnswer):
        read_completion(answer, calls=1)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec=None)),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)
FIELDS = ("content", "tool_calls", "function_call", "refusal", "reasoning", "reasoning_content", "role")
MESSAGE = st.fixed_dictionaries({}, optional=dict.fromkeys(FIELDS, JSON))
CHOICE = st.fixed_dictionaries({}, optional={"message": MESSAGE | JSON, "finish_reason": JSON})
ANSWER = JSON | st.fixed_dictionaries(
    {}, optional={"choices": st.lists(CHOICE | JSON, max_size=2) | JSON, "usage": JSON, "model": JSON}
)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(ANSWER)
def test_read_completion__any_json_is_a_completion_or_unreadable(answer: Any) -> None:
    try:
        completion = read_completion(answer, calls=1)
    except UnreadableAnswer:
        return
    repr(completion).encode("utf-8")
    assert completion.reply.finish_reason
    assert completion.usage.calls == 1
