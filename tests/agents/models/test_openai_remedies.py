"""What is said where a server cannot be reached or refuses every call: the fact first, then what may mend it."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

import pytest
from aiohttp import web
from tests.agents.models.loopback import Answers, serve

from conflictbench.agents.models import ModelOptions, make_model
from conflictbench.agents.models.openai_http import OpenAIHTTPModel
from conflictbench.errors import ModelError, ProviderError, TransientError
from conflictbench.types import Limits, Message

ASK = (Message(role="user", content="Where am I?"),)
KEY = "canary-0123456789"


def told(base_url: str, **options: Any) -> str:
    """The message of a call that fails, without retries."""

    async def main() -> str:
        model = make_model("vllm/any", ModelOptions(base_url=base_url, retries=0, timeout_s=20.0, **options))
        try:
            with pytest.raises(ProviderError) as error:
                await model.complete(ASK)
        finally:
            await model.close()
        return str(error.value).partition(" s: ")[2] or str(error.value)

    return asyncio.run(main())


def served(answer: Any, path: str = "/v1") -> str:
    """The same of a server of this test, asked at its base URL with another path."""

    async def main() -> tuple[str, str]:
        async with serve(answer) as base_url:
            place = base_url.removesuffix("/v1") + path
            return place, await asyncio.to_thread(told, place)

    place, message = asyncio.run(main())
    return message.replace(place.removeprefix("http://").partition("/")[0], "HOST")


@pytest.mark.parametrize("status", [401, 403])
def test_status__a_refused_key_is_said_with_its_variable(status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    refused = Answers((status, {"error": {"message": "Invalid key."}}))
    none = "no key was sent: VLLM_API_KEY and CONFLICTBENCH_API_KEY are not set"
    assert served(refused) == f"HOST answered {status} ({none}): Invalid key."
    monkeypatch.setenv("CONFLICTBENCH_API_KEY", KEY)
    assert served(refused) == f"HOST answered {status} (the key was read from CONFLICTBENCH_API_KEY): Invalid key."
    monkeypatch.setenv("VLLM_API_KEY", KEY)
    assert served(refused) == f"HOST answered {status} (the key was read from VLLM_API_KEY): Invalid key."


def test_status__a_path_that_is_not_there_is_said_with_the_url_that_was_called() -> None:
    answers = Answers((404, {"error": {"message": "no such model"}}))
    assert served(answers, "") == (
        "HOST answered 404 at http://HOST/chat/completions (base URLs usually end in /v1): 404: Not Found"
    )
    assert served(answers, "/v1") == "HOST answered 404 at http://HOST/v1/chat/completions: no such model"


def test_status__a_redirect_says_where_to() -> None:
    async def elsewhere(request: web.Request) -> web.Response:
        raise web.HTTPMovedPermanently("https://elsewhere.example/v1/chat/completions")

    assert served(elsewhere) == (
        "HOST answered 301, pointing to https://elsewhere.example/v1 (redirects are not followed: give that base URL): "
        "301: Moved Permanently"
    )


def test_status__too_many_requests_are_given_up_with_the_options_that_make_fewer() -> None:
    async def main() -> str:
        async with serve(Answers((429, {"error": {"message": "Slow down."}}))) as base_url:
            model = make_model("vllm/any", ModelOptions(base_url=base_url, retries=0))
            with pytest.raises(ProviderError) as error:
                await model.complete(ASK)
            await model.close()
            return str(error.value)

    assert "gave up after 1 attempt in " in (message := asyncio.run(main()))
    assert " s (ask more gently: --rpm, --concurrency, --retries): 127.0.0.1:" in message
    assert message.endswith(" answered 429: Slow down.")


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def test_connection__nobody_listening_is_asked_whether_it_runs() -> None:
    for host in ("127.0.0.1", "localhost"):
        port = free_port()
        assert told(f"http://{host}:{port}/v1") == f"nothing listens at {host}:{port}: is the server running?"


def test_connection__a_name_that_no_host_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VLLM_API_KEY", KEY)
    assert told("http://gpu-box.invalid:8000/v1") == "no host is named 'gpu-box.invalid': is the base URL right?"


def test_connection__https_to_a_server_without_it() -> None:
    async def main() -> str:
        async with serve(Answers((200, ""))) as base_url:
            return await asyncio.to_thread(told, base_url.replace("http:", "https:"))

    message = asyncio.run(main())
    assert " speaks no TLS (" in message
    assert message.endswith("): is its base URL http:// rather than https://?")


def test_connection__a_proxy_that_is_not_there_is_named_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VLLM_API_KEY", KEY)
    monkeypatch.setenv("http_proxy", f"http://user:secret-0123@127.0.0.1:{free_port()}")
    message = told("http://gpu-box.invalid:8000/v1")
    assert message == (
        "the proxy to gpu-box.invalid:8000, which the environment names, cannot be reached: Connection refused"
    )


def test_connection__no_message_speaks_of_the_library() -> None:
    async def main() -> None:
        model = OpenAIHTTPModel("any", base_url=f"http://127.0.0.1:{free_port()}/v1")
        with pytest.raises(TransientError) as error:
            await model.complete(ASK, (), Limits(timeout_s=20))
        assert "ssl:" not in str(error.value)
        assert error.value.hopeless
        await model.close()

    asyncio.run(main())


def test_status__a_key_in_the_address_of_a_redirect_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_TOKEN", KEY)

    async def elsewhere(request: web.Request) -> web.Response:
        raise web.HTTPFound(f"https://elsewhere.example/{KEY}/v1")

    assert "pointing to https://elsewhere.example/[key]/v1 (" in served(elsewhere)


def test_retry__a_remedy_is_said_before_what_may_be_long() -> None:
    from conflictbench.agents.models import RetryModel, ScriptedModel

    fault = TransientError("x" * 400, remedy="--timeout gives it longer")
    with pytest.raises(ModelError, match=r"gave up after 1 attempt in \d\.\d s \(--timeout gives it longer\): x{400}$"):
        asyncio.run(RetryModel(ScriptedModel([fault]), retries=0).complete(ASK))
