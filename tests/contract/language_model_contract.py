"""The contract every language model keeps; a new one's test subclasses `LanguageModelContract` and says how to make it.

What a model answers is its own affair: held here are the shape of the answer, the counting, and good manners.
"""

from __future__ import annotations

import asyncio
import copy
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import ClassVar

import numpy as np

from conflictbench.protocols import LanguageModel
from conflictbench.types import Completion, Limits, Message, Reply, ToolCall, ToolSpec

CONVERSATION = (
    Message(role="system", content="Answer with a line that begins with ACTION: and names a command."),
    Message(role="user", content="The corridor is dark. Commands: look, wait."),
)
ACT = ToolSpec(
    name="act",
    description="Carry out one command.",
    parameters={"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]},
)
WITH_A_TOOL_RESULT = (
    *CONVERSATION,
    Message(role="assistant", content="", tool_calls=(ToolCall(name="act", arguments='{"command": "look"}', id="1"),)),
    Message(role="tool", content="Nothing has changed.", tool_call_id="1"),
)
SHORT = Limits(max_tokens=24, timeout_s=60.0)


class LanguageModelContract:
    """What any model must do. Override `make`, or `opened` where something must run beside the model."""

    deterministic: ClassVar[bool] = False  # True: equal calls have equal answers at temperature 0
    takes_tools: ClassVar[bool] = True

    def make(self) -> LanguageModel:
        """Return a fresh model that answers."""
        raise NotImplementedError

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[LanguageModel]:
        """The model, closed at the end."""
        model = self.make()
        try:
            yield model
        finally:
            await model.close()

    def run(self, use: Callable[[LanguageModel], Awaitable[None]]) -> None:
        """Use a fresh model in an event loop of its own."""

        async def main() -> None:
            async with self.opened() as model:
                await use(model)

        asyncio.run(main())

    def test_model__has_the_two_methods_and_a_name(self) -> None:
        async def use(model: LanguageModel) -> None:
            assert isinstance(model, LanguageModel)
            assert isinstance(model.name, str)
            assert model.name

        self.run(use)

    def test_complete__gives_a_completion_that_is_counted(self) -> None:
        async def use(model: LanguageModel) -> None:
            check(await model.complete(CONVERSATION, (), SHORT))

        self.run(use)

    def test_complete__takes_tools_and_their_results(self) -> None:
        async def use(model: LanguageModel) -> None:
            if self.takes_tools:
                check(await model.complete(CONVERSATION, (ACT,), SHORT))
                check(await model.complete(WITH_A_TOOL_RESULT, (ACT,), SHORT))

        self.run(use)

    def test_complete__answers_several_at_once(self) -> None:
        async def use(model: LanguageModel) -> None:
            asked = [(*CONVERSATION, Message(role="user", content=f"You have {n} minutes.")) for n in range(3)]
            for completion in await asyncio.gather(*(model.complete(messages, (), SHORT) for messages in asked)):
                check(completion)

        self.run(use)

    def test_complete__a_deterministic_model_says_so_rightly(self) -> None:
        async def use(model: LanguageModel) -> None:
            if self.deterministic:
                first = await model.complete(CONVERSATION, (), SHORT)
                again = await model.complete(CONVERSATION, (), SHORT)
                assert (first.reply, first.model) == (again.reply, again.model)

        self.run(use)

    def test_complete__leaves_what_it_is_given_alone(self) -> None:
        async def use(model: LanguageModel) -> None:
            messages, tool = list(CONVERSATION), copy.deepcopy(ACT)
            await model.complete(messages, [tool] if self.takes_tools else [], SHORT)
            assert messages == list(CONVERSATION)
            assert tool == ACT

        self.run(use)

    def test_complete__leaves_global_randomness_alone(self) -> None:
        async def use(model: LanguageModel) -> None:
            before = random.getstate(), np.random.get_state()[1].copy()  # noqa: NPY002
            await model.complete(CONVERSATION, (), SHORT)
            assert random.getstate() == before[0]
            assert np.array_equal(np.random.get_state()[1], before[1])  # noqa: NPY002

        self.run(use)

    def test_close__twice_does_nothing(self) -> None:
        async def use(model: LanguageModel) -> None:
            await model.complete(CONVERSATION, (), SHORT)
            await model.close()
            await model.close()

        self.run(use)


def check(completion: Completion) -> None:
    """Hold one completion against what `types.py` says of it."""
    assert isinstance(completion, Completion)
    assert isinstance(completion.reply, Reply)
    assert isinstance(completion.reply.text, str)
    completion.reply.text.encode("utf-8")  # a record can be written
    assert all(isinstance(call, ToolCall) and isinstance(call.arguments, str) for call in completion.reply.tool_calls)
    assert completion.reply.reasoning is None or completion.reply.reasoning
    assert completion.reply.finish_reason
    assert completion.usage.calls >= 1
    assert completion.usage.input_tokens > 0
    assert completion.usage.output_tokens >= 0
    assert completion.usage.cost_usd >= 0.0
    assert completion.model
