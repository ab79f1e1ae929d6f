"""A language model that answers from a script: the fake of `LanguageModel`, shipped with the package. Own design."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from conflictbench.agents.models.estimate import image_tokens
from conflictbench.errors import ProviderError, UnknownName
from conflictbench.types import (
    DEFAULT_LIMITS,
    Completion,
    Limits,
    Message,
    Reply,
    ToolSpec,
    Usage,
)

Answer = str | Reply | Completion | Exception
Script = Iterable[Answer] | Callable[[Sequence[Message], Sequence[ToolSpec], Limits], Answer]


@dataclass(frozen=True, kw_only=True)
class Call:
    """One call as the model received it."""

    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...]
    limits: Limits


class ScriptedModel:
    """Answers in the order of a list, or by a function of what it is sent.

    An answer that is an exception is raised. Words count as tokens in the usage of an answer that brings none, images
    as estimated.

    Args:
        script: replies, used up one a call; or `function(messages, tools, limits) -> reply`.
        model: the id it goes by, asked for and returned.
    """

    takes_images = True

    def __init__(self, script: Script, *, model: str = "fake") -> None:
        self.name = model
        self.calls: list[Call] = []
        self.closed = False
        self._answer = script if callable(script) else _in_order(script)

    async def complete(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec] = (), limits: Limits = DEFAULT_LIMITS
    ) -> Completion:
        """Give the next answer. Raises ProviderError when the list is used up, and whatever the script says."""
        self.calls.append(Call(messages=tuple(messages), tools=tuple(tools), limits=limits))
        answer = self._answer(self.calls[-1].messages, self.calls[-1].tools, limits)
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, Completion):
            return answer
        reply = answer if isinstance(answer, Reply) else Reply(text=answer)
        words = sum(len(message.content.split()) for message in messages)
        words += sum(image_tokens(message) for message in messages if message.images)
        usage = Usage(calls=1, input_tokens=words, output_tokens=len(reply.text.split()))
        return Completion(reply=reply, usage=usage, model=self.name)

    async def close(self) -> None:
        """Note that it was closed."""
        self.closed = True


def by_turn(answers: Sequence[Answer]) -> Callable[[Sequence[Message], Sequence[ToolSpec], Limits], Answer]:
    """A script by place in the conversation: answer k where k assistant messages stand already, the last from then on.

    Unlike a list it gives every one of many concurrent episodes the same answers.
    """
    if not answers:
        raise ValueError("a script by turn needs an answer")

    def answer(messages: Sequence[Message], tools: Sequence[ToolSpec], limits: Limits) -> Answer:
        said = sum(message.role == "assistant" for message in messages)
        return answers[min(said, len(answers) - 1)]

    return answer


def _in_order(answers: Iterable[Answer]) -> Callable[[Sequence[Message], Sequence[ToolSpec], Limits], Answer]:
    left = iter(answers)
    given = 0

    def answer(messages: Sequence[Message], tools: Sequence[ToolSpec], limits: Limits) -> Answer:
        nonlocal given
        for following in left:
            given += 1
            return following
        raise ProviderError(f"the script is used up: it held {given} answers")

    return answer


# What `llm:fake/NAME` answers, whatever it is sent.
FAKES: dict[str, Reply] = {
    "cut-off": Reply(text="THINK: there is much to weigh here, and", finish_reason="length"),
    "look": Reply(text="THINK: I want to see more first.\nACTION: look"),
    "refuse": Reply(text="I'm sorry, but I can't take part in this."),
    "silent": Reply(text=""),
}


def make_fake(name: str) -> ScriptedModel:
    """Make the fake of that name. Raises UnknownName with the names there are."""
    if name not in FAKES:
        raise UnknownName("fake model", name, sorted(FAKES))
    return ScriptedModel(by_turn([FAKES[name]]), model=f"fake/{name}")
