"""Replies: what they accept, and that stored ones come back equal."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from conflictbench.types import Reply, ToolCall


def test_reply__none_is_nothing() -> None:
    given_as_none: dict[str, Any] = {"text": None, "tool_calls": None, "reasoning": None, "finish_reason": None}
    assert Reply(**given_as_none) == Reply(text="", tool_calls=(), reasoning=None, finish_reason="")


def test_reply__a_list_of_calls_is_a_tuple() -> None:
    calls: Any = [ToolCall(name="act", arguments="{}")]
    assert Reply(tool_calls=calls).tool_calls == (ToolCall(name="act", arguments="{}"),)


def test_tool_call__none_is_nothing_and_parsed_arguments_are_written_out() -> None:
    nothing: Any = None
    assert ToolCall(name=nothing, arguments=nothing, id=nothing) == ToolCall(name="", arguments="", id="")
    parsed: Any = {"action": "caf\u00e9", "n": [1, None]}
    assert ToolCall(name="act", arguments=parsed).arguments == '{"action": "caf\u00e9", "n": [1, null]}'


@pytest.mark.parametrize(
    "fields, said",
    [
        ({"text": ["ACTION: look"]}, r"Reply\.text must be a str, not \['ACTION: look'\]"),
        ({"text": b"x"}, r"Reply\.text must be a str"),
        ({"finish_reason": 1}, r"Reply\.finish_reason must be a str, not 1"),
        ({"reasoning": {}}, r"Reply\.reasoning must be a str, not \{\}"),
        ({"tool_calls": "act"}, r"Reply\.tool_calls must be a tuple of ToolCall, not 'act'"),
        ({"tool_calls": [{"name": "act"}]}, r"Reply\.tool_calls must be a tuple of ToolCall"),
    ],
    ids=str,
)
def test_reply__what_is_no_such_value_is_named(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(TypeError, match=said):
        Reply(**fields)


@pytest.mark.parametrize("name, value", [("name", 3), ("arguments", ["look"]), ("id", 7), ("arguments", {"a": {1}})])
def test_tool_call__what_is_no_such_value_is_named(name: str, value: Any) -> None:
    with pytest.raises(TypeError, match=rf"ToolCall\.{name} must be a str"):
        ToolCall(**({"name": "act", "arguments": "{}"} | {name: value}))


WORDS = st.text(st.characters(), max_size=20)  # lone surrogates included
CALLS = st.builds(ToolCall, name=WORDS, arguments=WORDS, id=WORDS)
REPLIES = st.builds(
    Reply,
    text=WORDS,
    tool_calls=st.lists(CALLS, max_size=2).map(tuple),
    reasoning=st.none() | WORDS,
    finish_reason=st.sampled_from(["stop", "length", "content_filter", "tool_calls", ""]),
)


@settings(deadline=None, derandomize=True, max_examples=300)
@given(reply=REPLIES | REPLIES.map(lambda reply: Reply(text=reply.stored())))
@example(reply=Reply(text=Reply(finish_reason="length").stored()))
@example(reply=Reply(text=Reply(text=Reply(finish_reason="length").stored()).stored()))
@example(reply=Reply(text='{"text": "a"}'))
@example(reply=Reply(text='{"text": "a", "tool_calls": [1], "reasoning": null, "finish_reason": "stop"}'))
@example(reply=Reply(text='{"text": ' + "[" * 10_000))
@example(reply=Reply(text="\ud800"))
def test_stored__comes_back_equal_and_can_be_written(reply: Reply) -> None:
    stored = reply.stored()
    assert stored.encode("utf-8").decode("utf-8") == stored
    # two lone surrogates side by side become the one character that they are in UTF-16
    assert as_utf16(Reply.from_stored(stored)) == as_utf16(reply)


def as_utf16(reply: Reply) -> list[bytes | None]:
    calls = [part for call in reply.tool_calls for part in (call.name, call.arguments, call.id)]
    parts = [reply.text, reply.reasoning, reply.finish_reason, *calls]
    return [None if part is None else part.encode("utf-16", "surrogatepass") for part in parts]


def test_stored__plain_words_stay_as_they_are() -> None:
    for words in ("", "ACTION: look", '{"action": "look"}', "line\nline", "caf\u00e9", "[]", '{"text": "so"}'):
        assert Reply(text=words).stored() == words


def test_stored__every_other_reply_is_its_fields_as_json() -> None:
    reply = Reply(text="a", reasoning="b", tool_calls=(ToolCall(name="c", arguments="{", id="d"),), finish_reason="e")
    assert json.loads(reply.stored()) == {
        "text": "a",
        "tool_calls": [{"name": "c", "arguments": "{", "id": "d"}],
        "reasoning": "b",
        "finish_reason": "e",
    }
