"""Every attempt at a call is told of the moment it is over, whatever follows."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path

import pytest
from aiohttp import web
from tests.agents.models.loopback import Answers, chat_completion, serve

from conflictbench.agents.models import (
    CacheModel,
    CallLabels,
    ModelOptions,
    PaidCall,
    PaidModel,
    RetryModel,
    ScriptedModel,
    labelled,
    make_model,
)
from conflictbench.agents.models.openai_http import OpenAIHTTPModel
from conflictbench.errors import BudgetExceeded, ModelError, ProviderError, TransientError
from conflictbench.types import Completion, Message, Reply, Usage

HELLO = (Message(role="user", content="Hello."),)
LABELS = CallLabels(episode="0123456789abcdef", attempt=2, sample="7/0")


def call(outcome: str, model: str = "", **usage: int) -> PaidCall:
    return PaidCall(labels=CallLabels(), usage=Usage(**usage), outcome=outcome, model=model)


@pytest.mark.parametrize(
    "answer, told",
    [
        (
            Completion(reply=Reply(text="x"), usage=Usage(calls=1, input_tokens=5, output_tokens=2), model="m-1"),
            [call("completed", "m-1", calls=1, input_tokens=5, output_tokens=2)],
        ),
        (
            Completion(reply=Reply(text="No.", finish_reason="content_filter"), usage=Usage(calls=1)),
            [call("refused", calls=1)],
        ),
        (ProviderError("401", calls=1), [call("failed:ProviderError", calls=1)]),
        (TransientError("nobody listens"), []),  # nothing was sent
        (BudgetExceeded("spent"), []),
        (KeyError("a bug"), []),
    ],
)
def test_paid__an_attempt_is_told_with_what_it_took(answer: Completion | Exception, told: list[PaidCall]) -> None:
    heard: list[PaidCall] = []
    with suppress(ModelError, KeyError):
        asyncio.run(PaidModel(ScriptedModel([answer]), heard.append).complete(HELLO))
    assert heard == told


def test_paid__a_call_carries_the_labels_of_its_episode() -> None:
    heard: list[PaidCall] = []
    with labelled(LABELS):
        asyncio.run(PaidModel(ScriptedModel(["x"]), heard.append).complete(HELLO))
    assert [one.labels for one in heard] == [LABELS]


def test_paid__an_attempt_that_failed_is_told_before_the_wait_for_the_next() -> None:
    heard: list[PaidCall] = []
    at_the_wait: list[list[PaidCall]] = []

    async def sleep(seconds: float) -> None:
        at_the_wait.append(list(heard))

    script = [TransientError("503", calls=1), TransientError("503", calls=1), "x"]
    model = RetryModel(PaidModel(ScriptedModel(script), heard.append), sleep=sleep)
    completion = asyncio.run(model.complete(HELLO))
    failed = call("failed:TransientError", calls=1)
    assert at_the_wait == [[failed], [failed, failed]]
    assert sum((one.usage for one in heard), Usage()) == completion.usage  # what the record is told in the end


def test_paid__a_hit_of_the_cache_is_no_request(tmp_path: Path) -> None:
    heard: list[PaidCall] = []
    for _ in range(2):
        model = CacheModel(PaidModel(ScriptedModel(["x"]), heard.append), tmp_path)
        asyncio.run(model.complete(HELLO))
    assert len(heard) == 1


def test_paid__a_request_cut_off_from_outside_is_told_as_sent() -> None:
    async def main() -> list[PaidCall]:
        heard: list[PaidCall] = []
        arrived = asyncio.Event()

        async def silent(request: web.Request) -> web.StreamResponse:
            arrived.set()
            await asyncio.Event().wait()
            raise AssertionError

        async with serve(silent) as base_url:
            model = PaidModel(OpenAIHTTPModel("m", base_url=base_url), heard.append)
            task = asyncio.create_task(model.complete(HELLO))
            await arrived.wait()
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
            await model.close()
        return heard

    assert asyncio.run(main()) == [call("cancelled", calls=1)]


def test_paid__a_request_refused_for_its_form_is_told_before_the_next_is_answered() -> None:
    async def main() -> tuple[list[PaidCall], list[PaidCall]]:
        heard: list[PaidCall] = []
        when_asked_again: list[PaidCall] = []
        refusal = {"error": {"message": "max_tokens is not supported", "param": "max_tokens"}}
        answers = Answers((400, refusal), chat_completion())

        async def handler(request: web.Request) -> web.Response:
            when_asked_again[:] = heard
            return await answers(request)

        async with serve(handler) as base_url:
            model = PaidModel(OpenAIHTTPModel("m", base_url=base_url), heard.append)
            await model.complete(HELLO)
            await model.close()
        return when_asked_again, heard

    before, after = asyncio.run(main())
    adjusted = call("adjusted", calls=1)
    assert before == [adjusted]
    assert after == [adjusted, call("completed", "served-1", calls=1, input_tokens=11, output_tokens=4)]


def test_make_model__tells_below_retry_and_with_the_price() -> None:
    async def main() -> list[PaidCall]:
        heard: list[PaidCall] = []
        answers = Answers((503, "busy"), chat_completion())
        async with serve(answers) as base_url:
            options = ModelOptions(base_url=base_url, price_in=1.0, price_out=10.0, requests_per_minute=600)
            model = make_model("openai/m", options, on_call=heard.append)
            await model.complete(HELLO)
            await model.close()
        return heard

    failed, completed = asyncio.run(main())
    assert failed == call("failed:TransientError", calls=1)
    assert completed.usage.cost_usd == pytest.approx((11 * 1.0 + 4 * 10.0) / 1e6)
