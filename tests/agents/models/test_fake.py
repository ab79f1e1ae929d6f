"""The scripted model."""

from __future__ import annotations

import asyncio

import pytest

from conflictbench.agents.models import ScriptedModel, by_turn
from conflictbench.agents.models.fake import Call, make_fake
from conflictbench.errors import ProviderError, TransientError, UnknownName
from conflictbench.types import Completion, Limits, Message, Reply, ToolSpec, Usage

ASK = (Message(role="user", content="one two three"),)


def test_scripted__answers_in_order_and_keeps_its_calls() -> None:
    whole = Completion(reply=Reply(text="c"), usage=Usage(calls=7), model="other")
    model = ScriptedModel(["a b", Reply(text="", finish_reason="length"), whole])
    tool, limits = ToolSpec(name="act", description="", parameters={}), Limits(max_tokens=5)

    async def main() -> list[Completion]:
        return [await model.complete(list(ASK), [tool], limits) for _ in range(3)]

    assert asyncio.run(main()) == [
        Completion(reply=Reply(text="a b"), usage=Usage(calls=1, input_tokens=3, output_tokens=2), model="fake"),
        Completion(reply=Reply(finish_reason="length"), usage=Usage(calls=1, input_tokens=3), model="fake"),
        whole,
    ]
    assert model.calls == [Call(messages=ASK, tools=(tool,), limits=limits)] * 3


def test_scripted__raises_what_it_is_told_and_when_it_is_used_up() -> None:
    model = ScriptedModel([TransientError("busy")])
    with pytest.raises(TransientError, match="busy"):
        asyncio.run(model.complete(ASK))
    with pytest.raises(ProviderError, match="used up: it held 1 answers"):
        asyncio.run(model.complete(ASK))


def test_scripted__a_function_sees_everything() -> None:
    model = ScriptedModel(lambda messages, tools, limits: f"{messages[0].content} {len(tools)} {limits.max_tokens}")
    assert asyncio.run(model.complete(ASK, (), Limits(max_tokens=9))).reply.text == "one two three 0 9"


def test_by_turn__goes_by_what_was_said_already() -> None:
    model = ScriptedModel(by_turn(["first", "second"]))
    said = Message(role="assistant", content="x")

    async def texts() -> list[str]:
        asked = [(*ASK, *[said] * k) for k in (1, 0, 5, 0)]
        return [(await model.complete(messages)).reply.text for messages in asked]

    assert asyncio.run(texts()) == ["second", "first", "second", "first"]
    with pytest.raises(ValueError, match="needs an answer"):
        by_turn([])


def test_make_fake__an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(UnknownName, match=r"unknown fake model 'lok'; known: cut-off, look, .* \(did you mean 'look'"):
        make_fake("lok")
