"""The proxy of the environment: which one, who is excepted, and that its password is shown nowhere."""

from __future__ import annotations

import asyncio

import pytest
from aiohttp import web
from tests.agents.models.loopback import Answers, chat_completion, serve

from conflictbench.agents.models.openai_http import OpenAIHTTPModel
from conflictbench.errors import ModelError
from conflictbench.types import Message

ASK = (Message(role="user", content="Where am I?"),)


@pytest.fixture(autouse=True)
def no_proxy_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


def test_complete__the_proxy_of_the_environment_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = Answers(chat_completion())

    async def main() -> None:
        async with serve(answers) as base_url:
            monkeypatch.setenv("http_proxy", base_url.removesuffix("/v1").replace("://", "://user:canary-0123456789@"))
            model = OpenAIHTTPModel("any", base_url="http://models.invalid/v1")
            await model.complete(ASK)
            await model.close()

    asyncio.run(main())
    assert [headers["Host"] for headers in answers.headers] == ["models.invalid"]
    assert answers.headers[0]["Proxy-Authorization"] == "Basic dXNlcjpjYW5hcnktMDEyMzQ1Njc4OQ=="


def proxy_of(base_url: str) -> str | None:
    proxy = OpenAIHTTPModel("any", base_url=base_url)._proxy
    return proxy.url if proxy is not None else None


def test_init__no_proxy_stands_before_this_machine_or_what_the_environment_excepts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("http_proxy", "http://proxy.invalid:3128")
    monkeypatch.setenv("no_proxy", "models.invalid,one.invalid:81,two.invalid:80")
    hosts = ("models.invalid:81", "one.invalid:81", "two.invalid", "127.0.0.1:81", "[::1]")
    assert {proxy_of(f"http://{host}/v1") for host in hosts} == {None}
    for host in ("other.invalid", "one.invalid:82", "two.invalid:81"):
        assert proxy_of(f"http://{host}/v1") == "http://proxy.invalid:3128"


def test_init__a_proxy_for_all_serves_where_the_scheme_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("all_proxy", "proxy.invalid:1")
    monkeypatch.setenv("https_proxy", "https://[::7]:2")
    assert proxy_of("http://models.invalid/v1") == "http://proxy.invalid:1"
    assert proxy_of("https://models.invalid/v1") == "https://[::7]:2"


@pytest.mark.parametrize(
    "value",
    [
        "socks5://user:canary@h:1",
        "http://user:canary@",
        "http://user:canary@h:port",
        "http://a..b",
        "http://u%3A:canary@h",
    ],
)
def test_init__a_proxy_that_cannot_be_used_is_refused_unshown(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("https_proxy", value)
    with pytest.raises(ModelError, match="the environment variable https_proxy holds no proxy") as error:
        OpenAIHTTPModel("any", base_url="https://models.invalid/v1")
    assert "canary" not in str(error.value)


def test_complete__the_password_of_a_proxy_is_in_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    async def refuses(request: web.Request) -> web.Response:
        return web.Response(status=407, text="no: p@ss/word-0123, p%40ss%2Fword-0123, user:p@ss/word-0123")

    async def main() -> str:
        async with serve(refuses) as base_url:
            address = base_url.removesuffix("/v1").replace("://", "://user:p%40ss%2Fword-0123@")
            monkeypatch.setenv("http_proxy", address)
            model = OpenAIHTTPModel("any", base_url="http://models.invalid/v1")
            with pytest.raises(ModelError) as error:
                await model.complete(ASK)
            await model.close()
            return f"{error.value}{model._proxy!r}"

    said = asyncio.run(main())
    assert "word-0123" not in said
    assert "no: [key], [key], [key]" in said
