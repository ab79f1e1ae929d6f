"""The adapter over real HTTP: what is sent, what is read, and what every fault becomes."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from aiohttp import web
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.agents.models.loopback import Answers, chat_completion, serve

from conflictbench.agents.models import CallLabels, Notes, labelled, openai_http
from conflictbench.agents.models.keys import Secret
from conflictbench.agents.models.openai_http import OpenAIHTTPModel
from conflictbench.errors import ContextOverflow, ModelError, ProviderError, TransientError
from conflictbench.types import Completion, Limits, Message, Reply, ToolSpec, Usage

KEY = "canary-0123456789"
ASK = (Message(role="user", content="Where am I? Là-bas."),)
QUICK = Limits(max_tokens=32, timeout_s=0.2)


@asynccontextmanager
async def opened(handler: Any, **kwargs: Any) -> AsyncIterator[OpenAIHTTPModel]:
    async with serve(handler) as base_url:
        model = OpenAIHTTPModel("any", base_url=base_url, **kwargs)
        try:
            yield model
        finally:
            await model.close()


def ask(handler: Any, limits: Limits | None = None, **kwargs: Any) -> Completion:
    """One call to a server with this handler."""

    async def main() -> Completion:
        async with opened(handler, **kwargs) as model:
            return await model.complete(ASK, (), limits or Limits(max_tokens=32, timeout_s=20))

    return asyncio.run(main())


def test_complete__sends_the_conversation_and_reads_the_answer() -> None:
    answers = Answers(chat_completion("ACTION: look"))
    assert ask(answers, key=Secret(KEY)) == Completion(
        reply=Reply(text="ACTION: look"), usage=Usage(calls=1, input_tokens=11, output_tokens=4), model="served-1"
    )
    assert answers.bodies == [
        {
            "model": "any",
            "messages": [{"role": "user", "content": "Where am I? Là-bas."}],
            "max_tokens": 32,
            "temperature": 0.0,
        }
    ]
    assert answers.headers[0]["Authorization"] == f"Bearer {KEY}"
    assert answers.headers[0]["Content-Type"] == "application/json"


def test_complete__without_a_key_sends_none() -> None:
    answers = Answers(chat_completion())
    ask(answers)
    assert "Authorization" not in answers.headers[0]


def test_complete__keeps_one_connection_and_no_cookie() -> None:
    peers, cookies = [], []

    async def handler(request: web.Request) -> web.Response:
        peers.append(request.transport.get_extra_info("peername") if request.transport else None)
        cookies.append(dict(request.cookies))
        response = web.json_response(chat_completion())
        response.set_cookie("route", "7")
        return response

    async def main() -> None:
        async with opened(handler) as model:
            for _ in range(3):
                await model.complete(ASK)

    asyncio.run(main())
    assert len(set(peers)) == 1
    assert cookies == [{}, {}, {}]


def test_complete__any_number_of_calls_is_in_flight_at_once() -> None:
    async def main() -> int:
        together, arrived = 150, 0  # above aiohttp's own limit of 100 connections
        everybody = asyncio.Event()

        async def handler(request: web.Request) -> web.Response:
            nonlocal arrived
            arrived += 1
            if arrived == together:
                everybody.set()
            await everybody.wait()
            return web.json_response(chat_completion())

        async with opened(handler) as model:
            await asyncio.gather(*(model.complete(ASK) for _ in range(together)))
        return arrived

    assert asyncio.run(main()) == 150


@pytest.mark.parametrize("switch, sent", [(None, True), (True, True), (False, False)])
def test_complete__labels_reach_a_server_on_this_machine(switch: bool | None, sent: bool) -> None:
    answers = Answers(chat_completion())
    with labelled(CallLabels(episode="00ff", attempt=2, sample="never sent")):
        ask(answers, episode_headers=switch)
    labels = {name: value for name, value in answers.headers[0].items() if name.startswith("X-")}
    assert labels == ({"X-Conflictbench-Episode": "00ff", "X-Conflictbench-Attempt": "2"} if sent else {})
    assert "never sent" not in repr(answers.headers)


def test_init__a_server_elsewhere_gets_no_labels_by_default() -> None:
    assert OpenAIHTTPModel("m", base_url="https://api.example.org/v1")._episode_headers is False


def test_init__a_key_over_plain_http_is_noted() -> None:
    notes = Notes()
    OpenAIHTTPModel("m", base_url="http://10.0.0.7/v1", key=Secret(KEY), notes=notes)
    assert notes.lines == ("the key for 10.0.0.7 travels unencrypted: its base URL is http",)


UNSUPPORTED = {"code": "unsupported_parameter", "message": "Not supported with this model."}


def test_complete__a_refused_parameter_is_sent_otherwise_from_then_on() -> None:
    answers = Answers(
        (400, {"error": {**UNSUPPORTED, "param": "max_tokens"}}),
        (400, {"error": {**UNSUPPORTED, "param": "temperature"}}),
        (400, {"error": {**UNSUPPORTED, "param": "seed"}}),
        chat_completion(),
    )
    notes = Notes()

    async def main() -> list[Completion]:
        async with opened(answers, notes=notes) as model:
            limits = Limits(max_tokens=32, seed=5)
            return [await model.complete(ASK, (), limits), await model.complete(ASK, (), limits)]

    first, second = asyncio.run(main())
    assert (first.usage.calls, second.usage.calls) == (4, 1)
    assert {name: answers.bodies[4].get(name) for name in ("max_tokens", "temperature", "seed")} == dict.fromkeys(
        ("max_tokens", "temperature", "seed")
    )
    assert answers.bodies[4]["max_completion_tokens"] == 32
    assert notes.lines == (
        "any takes no max_tokens: sent as max_completion_tokens",
        "any takes no temperature: it samples with its own",
        "any takes no seed: its replies are not set by it",
    )


def test_complete__calls_in_flight_together_all_learn_of_a_refused_parameter() -> None:
    async def main() -> list[Completion]:
        waiting, everybody = 0, asyncio.Event()

        async def handler(request: web.Request) -> web.Response:
            nonlocal waiting
            if "max_tokens" not in await request.json():
                return web.json_response(chat_completion())
            waiting += 1
            if waiting == 3:
                everybody.set()
            await everybody.wait()
            return web.json_response({"error": {**UNSUPPORTED, "param": "max_tokens"}}, status=400)

        async with opened(handler) as model:
            return await asyncio.gather(*(model.complete(ASK) for _ in range(3)))

    assert [completion.usage.calls for completion in asyncio.run(main())] == [2, 2, 2]


def test_complete__a_server_that_never_stops_refusing_is_an_error() -> None:
    answers = Answers((400, {"error": {**UNSUPPORTED, "param": "temperature"}}))
    with pytest.raises(ProviderError, match="answered 400: Not supported") as error:
        ask(answers)
    assert error.value.calls == 2


def test_complete__a_content_policy_error_is_a_refusal() -> None:
    said = "The prompt was filtered by our content management policy."
    completion = ask(Answers((400, {"error": {"code": "content_filter", "message": said}})))
    assert completion == Completion(
        reply=Reply(text=said, finish_reason="content_filter"), usage=Usage(calls=1), model=""
    )


def test_complete__an_overflow_is_an_overflow() -> None:
    error = {"message": "This model's maximum context length is 4096 tokens.", "code": "context_length_exceeded"}
    with pytest.raises(ContextOverflow, match=r"127\.0\.0\.1:\d+ answered 400: This model's maximum") as caught:
        ask(Answers((400, {"error": error})))
    assert caught.value.calls == 1


def test_complete__max_tokens_as_large_as_the_context_is_a_wrong_setting() -> None:
    error = {"message": "This model's maximum context length is 4096 tokens.", "code": "context_length_exceeded"}
    with pytest.raises(ProviderError, match="--max-tokens 4096 leaves no room for a prompt"):
        ask(Answers((400, {"error": error})), Limits(max_tokens=4096))


def test_complete__rate_limited_says_how_long_to_wait() -> None:
    async def handler(request: web.Request) -> web.Response:
        return web.json_response({"error": {"message": "Slow down."}}, status=429, headers={"Retry-After": "7"})

    with pytest.raises(TransientError, match="answered 429: Slow down") as error:
        ask(handler)
    assert (error.value.retry_after_s, error.value.calls) == (7.0, 1)
    assert error.value.remedy == "ask more gently: --rpm, --concurrency, --retries"


@pytest.mark.parametrize("status, kind", [(500, TransientError), (503, TransientError), (401, ProviderError)])
def test_complete__a_status_has_its_error(status: int, kind: type[ModelError]) -> None:
    with pytest.raises(kind) as error:
        ask(Answers((status, "")))
    assert type(error.value) is kind
    assert str(error.value).endswith(f"answered {status}: (nothing)")  # it was told nothing of where its key is from


@pytest.mark.parametrize(
    "body",
    ["", "<html>", '{"choices": [{"mess', "{}", '{"choices": []}', "[" * 5000, '{"choices": ' + "9" * 5000 + "}"],
)
def test_complete__an_answer_that_is_no_chat_completion_is_transient(body: str) -> None:
    with pytest.raises(TransientError, match="sent") as error:
        ask(Answers((200, body)))
    assert error.value.calls == 1


def test_complete__an_error_inside_a_200_is_an_error() -> None:
    with pytest.raises(TransientError, match="answered 200: Provider returned error"):
        ask(Answers((200, {"error": {"message": "Provider returned error", "code": 502}})))
    with pytest.raises(ProviderError, match="Insufficient credits") as error:
        ask(Answers((200, {"error": {"message": "Insufficient credits", "code": 402}})))
    assert type(error.value) is ProviderError


@pytest.mark.parametrize(
    "change",
    [
        {"error": {"code": 502, "message": "upstream"}},
        {"choices": [{"message": {"content": "ACTION: lo"}, "error": {"code": 502, "message": "upstream"}}]},
        {"choices": [{"message": {"content": "ACTION: lo"}, "finish_reason": "error"}]},
        {"choices": [{"message": {"content": "ACTION: lo"}, "finish_reason": "ABORT"}]},
        {"choices": [{"message": {"content": "ACTION: lo"}, "finish_reason": "insufficient_system_resource"}]},
    ],
)
def test_complete__a_reply_that_the_server_broke_off_is_no_reply(change: dict[str, Any]) -> None:
    with pytest.raises(TransientError, match=r"answered 200: (upstream|the reply was broken off)"):
        ask(Answers({**chat_completion("ACTION: lo"), **change}))


@pytest.mark.parametrize("place", ["answer", "choice"])
def test_complete__a_content_filter_inside_a_200_is_a_refusal(place: str) -> None:
    answer = chat_completion("ACTION: lo")
    (answer if place == "answer" else answer["choices"][0])["error"] = {
        "code": "content_filter",
        "message": "Filtered.",
    }
    assert ask(Answers(answer)).reply == Reply(text="Filtered.", finish_reason="content_filter")


def test_complete__an_answer_of_a_wrong_content_type_is_read_all_the_same() -> None:
    assert ask(Answers((200, chat_completion("ACTION: look")))).reply.text == "ACTION: look"  # sent as text/plain


def test_complete__a_redirect_is_not_followed() -> None:
    async def handler(request: web.Request) -> web.Response:
        raise web.HTTPTemporaryRedirect("http://127.0.0.1:9/elsewhere")

    with pytest.raises(ProviderError, match="answered 307"):
        ask(handler, key=Secret(KEY))


def test_complete__a_slow_server_is_timed_out() -> None:
    async def main() -> None:
        release = asyncio.Event()

        async def handler(request: web.Request) -> web.Response:
            await release.wait()
            return web.json_response(chat_completion())

        async with opened(handler) as model:
            with pytest.raises(TransientError, match=r"did not answer within 0\.2 s") as error:
                await model.complete(ASK, (), QUICK)
            assert (error.value.calls, error.value.remedy) == (1, "--timeout gives it longer")
            release.set()

    asyncio.run(main())


def test_complete__a_body_that_trickles_is_timed_out_as_a_whole() -> None:
    async def handler(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse()
        await response.prepare(request)
        try:
            while True:
                await response.write(b" ")
                await asyncio.sleep(0)  # the other side is to have its turn
        except ConnectionError:
            return response

    with pytest.raises(TransientError, match=r"did not answer within 0\.2 s"):
        ask(handler, QUICK)


def test_complete__a_body_cut_off_is_transient() -> None:
    async def handler(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Length": "500"})
        await response.prepare(request)
        await response.write(b'{"choices": [')
        assert request.transport is not None
        request.transport.abort()
        return response

    with pytest.raises(TransientError, match=r"ClientPayloadError|ClientOSError|Disconnected"):
        ask(handler)


def test_complete__a_huge_body_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openai_http, "LARGEST_BODY", 1000)
    with pytest.raises(TransientError, match="longer than 1000 bytes"):
        ask(Answers(chat_completion("x" * 2000)))


def test_complete__nobody_there_is_transient_and_no_call() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

        async def main() -> None:
            model = OpenAIHTTPModel("any", base_url=f"http://127.0.0.1:{port}/v1")
            nobody = rf"^nothing listens at 127\.0\.0\.1:{port}: is the server running\?$"
            with pytest.raises(TransientError, match=nobody) as error:
                await model.complete(ASK)
            assert error.value.calls == 0
            await model.close()

        asyncio.run(main())


def test_complete__cancelled_is_cancelled() -> None:
    async def main() -> None:
        arrived, release = asyncio.Event(), asyncio.Event()

        async def handler(request: web.Request) -> web.Response:
            arrived.set()
            await release.wait()
            return web.json_response(chat_completion())

        async with opened(handler) as model:
            task = asyncio.create_task(model.complete(ASK))
            await arrived.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            release.set()

    asyncio.run(main())


def test_close__after_it_the_model_can_be_used_in_another_loop() -> None:
    answers = Answers(chat_completion())
    models: list[OpenAIHTTPModel] = []

    async def main() -> None:
        async with serve(answers) as base_url:
            model = models[0] if models else OpenAIHTTPModel("any", base_url=base_url)
            models.append(model)
            model.endpoint = OpenAIHTTPModel("any", base_url=base_url).endpoint
            await model.complete(ASK)
            await model.close()

    asyncio.run(main())
    asyncio.run(main())
    assert len(answers.bodies) == 2


def test_complete__in_another_loop_without_closing_says_so() -> None:
    async def first(model: OpenAIHTTPModel) -> None:
        with pytest.raises(TransientError):
            await model.complete(ASK, (), QUICK)

    async def second(model: OpenAIHTTPModel) -> None:
        with pytest.raises(RuntimeError, match="belongs to another event loop"):
            await model.complete(ASK)

    model = OpenAIHTTPModel("any", base_url="http://127.0.0.1:9/v1")
    with asyncio.Runner() as loop, asyncio.Runner() as other:
        loop.run(first(model))
        other.run(second(model))
        loop.run(model.close())


@pytest.mark.parametrize("status", [200, 302, 400, 401, 404, 413, 429, 500])
def test_complete__a_key_that_the_server_echoes_is_kept_out(status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    other = "another-secret-of-the-environment"
    monkeypatch.setenv("SOME_OTHER_TOKEN", other)
    echo = {"error": {"message": f"Bearer {KEY}, {KEY}, {other}", "code": "content_filter"}} if status != 200 else None
    answer = (status, echo or chat_completion(f"ACTION: {KEY} {other}", reasoning=KEY, refusal=KEY))
    notes = Notes()
    try:
        shown = repr(ask(Answers(answer), key=Secret(KEY), notes=notes))
    except ModelError as error:
        shown = f"{error!r} {error} {error.__cause__!r} {error.__dict__!r}"
    shown += repr(notes.lines)
    assert KEY not in shown
    assert other not in shown
    assert "[key]" in shown


def test_repr__names_the_host_alone() -> None:
    model = OpenAIHTTPModel("any", base_url="https://api.example.org/v1", key=Secret(KEY))
    assert repr(model) == "OpenAIHTTPModel('any', host='api.example.org')"
    assert KEY not in repr(vars(model))


class Garbage:
    """A server of raw bytes, and a model that asks it; one loop for many examples."""

    def __init__(self) -> None:
        self.answer = b""
        self._runner = asyncio.Runner()
        self._runner.run(self._start())

    async def _start(self) -> None:
        async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(self.answer)
            writer.close()

        self._server = await asyncio.start_server(talk, "127.0.0.1", 0)
        port = self._server.sockets[0].getsockname()[1]
        self._model = OpenAIHTTPModel("any", base_url=f"http://127.0.0.1:{port}/v1")

    def ask(self, answer: bytes) -> Completion:
        self.answer = answer
        return self._runner.run(self._model.complete(ASK, (ToolSpec(name="a", description="", parameters={}),)))

    def close(self) -> None:
        async def stop() -> None:
            await self._model.close()
            self._server.close()

        self._runner.run(stop())
        self._runner.close()


@pytest.fixture(scope="module")
def garbage() -> Iterator[Garbage]:
    server = Garbage()
    yield server
    server.close()


BODIES = st.binary(max_size=200) | st.sampled_from(
    [b'{"choices": [{"message": {"content": "x"}}]}', b'{"error": {"message": "no"}}', b"\xff\xfe{\x00}\x00"]
)
HEADS = st.sampled_from(
    [
        b"HTTP/1.1 200 OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Type: \xff\r\n\r\n",
        b"HTTP/1.1 400 No\r\n\r\n",
        b"HTTP/1.1 500 No\r\nRetry-After: \xff\r\n\r\n",
        b"HTTP/1.1 999 \r\n\r\n",
        b"HTTP/9.9 200 OK\r\n\r\n",
        b"",
    ]
)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(head=HEADS, body=BODIES)
def test_complete__any_bytes_are_a_completion_or_a_model_error(garbage: Garbage, head: bytes, body: bytes) -> None:
    try:
        completion = garbage.ask(head + body)
    except ModelError as error:
        assert error.calls == 1
        assert "\n" not in str(error)
    else:
        assert isinstance(completion.reply.text, str)
