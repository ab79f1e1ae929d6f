"""Totals of a run."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest

from conflictbench.agents.models import Notes, Price, ScriptedModel, UsageModel
from conflictbench.errors import ContextOverflow, ModelError, ProviderError
from conflictbench.types import Completion, Message, Reply, Usage

ASK = (Message(role="user", content="one two"),)


def test_usage__adds_up_by_the_model_that_answered() -> None:
    def by(model: str, **usage: int) -> Completion:
        return Completion(reply=Reply(text="x"), usage=Usage(**usage), model=model)

    price = Price(input_per_million=1.0, output_per_million=1.0)
    script = [
        by("m-1", calls=1, input_tokens=5, output_tokens=1),
        by("m-2", calls=2, input_tokens=7),
        by("m-1", cached=1),  # a hit of the cache
        by("", calls=1),  # a refusal by the provider names no model
        ContextOverflow("no", calls=3),
        ModelError("no key"),
        by("m-1", calls=1, output_tokens=4),
    ]
    model = UsageModel(ScriptedModel(script, model="asked/m"), price=price)

    async def main() -> None:
        for _ in script:
            try:
                await model.complete(ASK)
            except ModelError:
                continue

    asyncio.run(main())
    assert list(model.totals.items()) == [
        ("m-1", Usage(calls=2, input_tokens=5, output_tokens=5, cached=1)),
        ("m-2", Usage(calls=2, input_tokens=7)),
        ("asked/m", Usage(calls=4)),
    ]
    assert model.total == Usage(calls=8, input_tokens=12, output_tokens=5, cached=1)
    assert (model.answered, model.cached, model.failed) == (5, 1, 2)
    assert model.price == price


def test_usage__a_bug_is_no_failure_of_the_model() -> None:
    model = UsageModel(ScriptedModel([KeyError("x")]))
    with pytest.raises(KeyError):
        asyncio.run(model.complete(ASK))
    assert model.failed == 0


HIT = Completion(reply=Reply(text="x"), usage=Usage(cached=1))
ANSWER = Completion(reply=Reply(text="x"), usage=Usage(calls=1))


def refused(number: int = 0) -> ProviderError:
    return ProviderError(f"401, time {number}", calls=1, hopeless=True)


@pytest.mark.parametrize(
    "script, given_up",
    [
        ([refused(1), refused(2)], ""),
        ([refused(1), refused(2), refused(3)], "401, time 3"),
        ([refused(1), refused(2), refused(3), refused(4)], "401, time 3"),
        ([refused(), refused(), ProviderError("500"), refused()], ""),  # it answered something else
        ([refused(), refused(), ContextOverflow("full"), refused()], ""),
        ([HIT, refused(1), HIT, refused(2), refused(3)], "401, time 3"),  # the cache says nothing of the provider
        ([ANSWER, *[refused(n) for n in range(7)]], ""),  # once it did answer, seven may be chance
        ([ANSWER, *[refused(n) for n in range(9)]], "401, time 7"),  # the eighth since
        ([*[refused()] * 2, ANSWER, *[refused(n) for n in range(8)]], "401, time 7"),
        ([ANSWER, *[refused()] * 7, ANSWER, *[refused()] * 7], ""),
        ([ANSWER, *[refused()] * 7, HIT, refused(8)], "401, time 8"),  # a hit is no answer of the provider's
        ([ANSWER, *[refused()] * 7, ProviderError("500"), *[refused()] * 7], ""),
    ],
)
def test_given_up__after_three_hopeless_calls_in_a_row_and_no_answer_or_eight_since_the_last(
    script: list[Completion | Exception], given_up: str
) -> None:
    async def all_of_it() -> str:
        model = UsageModel(ScriptedModel(script))
        for _ in script:
            with suppress(ModelError):
                await model.complete(ASK)
        return model.given_up

    assert asyncio.run(all_of_it()) == given_up


@pytest.mark.parametrize(
    "script, hopeless, later",
    [
        ([refused(1)], "401, time 1", False),  # where nothing follows, one is enough to say so
        ([HIT, refused(1)], "401, time 1", False),
        ([refused(1), ProviderError("500")], "", False),
        ([ANSWER, refused(1)], "", False),
        ([ANSWER, *[refused(n) for n in range(8)]], "401, time 7", True),
    ],
)
def test_hopeless__is_the_last_fault_where_nothing_was_answered(
    script: list[Completion | Exception], hopeless: str, later: bool
) -> None:
    async def all_of_it() -> tuple[str, bool]:
        model = UsageModel(ScriptedModel(script))
        for _ in script:
            with suppress(ModelError):
                await model.complete(ASK)
        return model.hopeless, model.given_up_later

    assert asyncio.run(all_of_it()) == (hopeless, later)


def test_notes__are_kept_once_in_order() -> None:
    notes = Notes()
    for line in ("b", "a", "b"):
        notes.add(line)
    assert notes.lines == ("b", "a")
    assert UsageModel(ScriptedModel([]), notes=notes).notes is notes
