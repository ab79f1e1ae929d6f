"""Requests are counted as they are sent, so that one in flight is counted when it is cancelled."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest
from aiohttp import web
from tests.agents.models.loopback import Answers, chat_completion, serve

from conflictbench.agents.models import RetryModel, UsageModel
from conflictbench.agents.models.openai_http import OpenAIHTTPModel
from conflictbench.agents.models.tally import count_request, tallied
from conflictbench.errors import ModelError, TransientError
from conflictbench.types import Message, Usage

HELLO = (Message(role="user", content="Hello."),)


def test_tallied__blocks_inside_one_another_all_count() -> None:
    count_request()  # nobody listens
    with tallied() as outer:
        count_request()
        with tallied() as inner:
            count_request()
        count_request()
    count_request()
    assert (outer.sent, inner.sent) == (3, 1)


def test_tallied__concurrent_tasks_do_not_count_for_each_other() -> None:
    async def send(number: int) -> int:
        with tallied() as tally:
            for _ in range(number):
                await asyncio.sleep(0)
                count_request()
        return tally.sent

    async def both() -> tuple[int, int, int]:
        with tallied() as tally:
            first, second = await asyncio.gather(send(2), send(3))
        return first, second, tally.sent

    assert asyncio.run(both()) == (2, 3, 5)


class Silent:
    """Fails a number of requests, then answers none."""

    def __init__(self, failures: int) -> None:
        self.received = 0
        self.failures = failures
        self.silent = asyncio.Event()

    async def __call__(self, request: web.Request) -> web.StreamResponse:
        self.received += 1
        if self.received <= self.failures:
            return web.Response(status=503, headers={"Retry-After": "0"})
        self.silent.set()
        await asyncio.Event().wait()
        raise AssertionError


@pytest.mark.parametrize("failures", [0, 2])
def test_complete__cancelled_in_flight_is_counted_with_the_attempts_before_it(failures: int) -> None:
    async def cancelled() -> tuple[int, int, Usage]:
        server = Silent(failures)
        async with serve(server) as base_url:
            model = UsageModel(RetryModel(OpenAIHTTPModel("m", base_url=base_url), first_wait_s=0.0))
            with tallied() as tally:
                task = asyncio.create_task(model.complete(HELLO))
                await server.silent.wait()
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task
            await model.close()
        return tally.sent, server.received, model.total

    assert asyncio.run(cancelled()) == (failures + 1, failures + 1, Usage(calls=failures + 1))


def test_complete__an_answer_is_counted_once_in_usage_and_tally() -> None:
    async def answered() -> tuple[int, int, int]:
        answers = Answers(
            (400, '{"error": {"message": "max_tokens is not supported", "param": "max_tokens"}}'), chat_completion()
        )
        async with serve(answers) as base_url:
            model = OpenAIHTTPModel("m", base_url=base_url)
            with tallied() as tally:
                completion = await model.complete(HELLO)
            await model.close()
        return tally.sent, completion.usage.calls, len(answers.bodies)

    assert asyncio.run(answered()) == (2, 2, 2)


def test_complete__where_nobody_listens_nothing_is_sent() -> None:
    async def refused() -> tuple[int, ModelError]:
        async with serve(Answers(chat_completion())) as base_url:
            pass
        model = OpenAIHTTPModel("m", base_url=base_url)
        with tallied() as tally, pytest.raises(TransientError) as caught:
            await model.complete(HELLO)
        await model.close()
        return tally.sent, caught.value

    sent, error = asyncio.run(refused())
    assert (sent, error.calls) == (0, 0)
