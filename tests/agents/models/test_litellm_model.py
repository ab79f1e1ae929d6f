"""The litellm adapter, over real HTTP where litellm lets a server on this machine stand in for a provider."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

import pytest
from aiohttp import web
from tests.agents.models.loopback import Answers, chat_completion, serve
from tests.contract.language_model_contract import LanguageModelContract

from conflictbench.agents.models import Notes, make_model
from conflictbench.agents.models.litellm_model import LiteLLMModel, litellm_providers, load_litellm
from conflictbench.errors import ContextOverflow, ModelError, ProviderError, TransientError
from conflictbench.protocols import LanguageModel
from conflictbench.types import Completion, Limits, Message, Reply, ToolSpec, Usage

# litellm imports parts of itself at the first call, and pydantic warns of one of them.
pytestmark = pytest.mark.filterwarnings("ignore:.*using the `ReadOnly` qualifier:UserWarning")

KEY = "canary-0123456789"
ASK = (Message(role="user", content="Where am I?"),)
LIMITS = Limits(max_tokens=32, timeout_s=20, seed=3)


@pytest.fixture(autouse=True)
def _a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOSTED_VLLM_API_KEY", KEY)


@asynccontextmanager
async def opened(handler: Any, notes: Notes | None = None) -> AsyncIterator[LiteLLMModel]:
    async with serve(handler) as base_url:
        model = LiteLLMModel("hosted_vllm", "any", base_url=base_url, notes=notes)
        try:
            yield model
        finally:
            await model.close()


def ask(handler: Any, limits: Limits = LIMITS) -> Completion:
    async def main() -> Completion:
        async with opened(handler) as model:
            return await model.complete(ASK, (), limits)

    return asyncio.run(main())


class TestContract(LanguageModelContract):
    deterministic = True

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[LanguageModel]:
        async with opened(Answers(chat_completion())) as model:
            yield model


def test_complete__sends_the_conversation_and_reads_the_answer() -> None:
    answers = Answers(chat_completion("ACTION: look", reasoning_content="Because."))
    assert ask(answers) == Completion(
        reply=Reply(text="ACTION: look", reasoning="Because."),
        usage=Usage(calls=1, input_tokens=11, output_tokens=4),
        model="served-1",
    )
    (body,) = answers.bodies
    assert body["messages"] == [{"role": "user", "content": "Where am I?"}]
    assert (body["max_tokens"], body["temperature"]) == (32, 0.0)


@pytest.mark.parametrize(
    "status, error, kind",
    [
        (400, {"message": "This model's maximum context length is 4096 tokens."}, ContextOverflow),
        (401, {"message": f"Incorrect API key provided: {KEY}"}, ProviderError),
        (404, {"message": "no such model"}, ProviderError),
        (429, {"message": f"slow down, {KEY}"}, TransientError),
        (429, {"message": "You exceeded your current quota", "code": "insufficient_quota"}, ProviderError),
        (500, {"message": "oops"}, TransientError),
        (503, {"message": "overloaded"}, TransientError),
    ],
)
def test_complete__an_error_has_its_kind_and_shows_no_key(
    status: int, error: dict[str, str], kind: type[ModelError]
) -> None:
    answers = Answers((status, {"error": error}))
    with pytest.raises(kind, match=r"^hosted_vllm/any: \w+: ") as caught:
        ask(answers)
    assert type(caught.value) is kind
    assert caught.value.calls == len(answers.bodies) == 1  # litellm did not retry by itself
    assert KEY not in f"{caught.value} {caught.value!r} {caught.value.__cause__!r}"


def test_complete__a_content_policy_error_is_a_refusal() -> None:
    said = {"message": "The prompt violates our content policy.", "code": "content_policy_violation"}
    completion = ask(Answers((400, {"error": said})))
    assert completion.reply.finish_reason == "content_filter"
    assert "violates our content policy" in completion.reply.text
    assert completion.usage == Usage(calls=1)


def test_complete__a_slow_server_is_timed_out() -> None:
    async def main() -> None:
        release = asyncio.Event()

        async def handler(request: web.Request) -> web.Response:
            await release.wait()
            return web.json_response(chat_completion())

        async with opened(handler) as model:
            with pytest.raises(TransientError) as error:
                await model.complete(ASK, (), Limits(timeout_s=0.3))
            assert error.value.calls == 1
            release.set()

    asyncio.run(main())


def test_complete__garbage_is_a_model_error() -> None:
    for body in ("<html>", "", '{"choices": []}', '{"choices": [{"mess'):
        with pytest.raises(ProviderError) as error:
            ask(Answers((200, body)))
        assert error.value.calls == 1


def scripted(monkeypatch: pytest.MonkeyPatch, answer: Any, **hidden: Any) -> LiteLLMModel:
    """A model behind which litellm answers, or raises, what it is told."""

    async def acompletion(**_: Any) -> Any:
        if isinstance(answer, Exception):
            raise answer
        return SimpleNamespace(model_dump=lambda: answer, _hidden_params=hidden)

    model = LiteLLMModel("hosted_vllm", "any")
    monkeypatch.setattr(load_litellm(), "acompletion", acompletion)
    return model


def test_complete__a_known_cost_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    model = scripted(monkeypatch, chat_completion(), response_cost=0.25)
    assert asyncio.run(model.complete(ASK)).usage == Usage(calls=1, input_tokens=11, output_tokens=4, cost_usd=0.25)
    free = scripted(monkeypatch, chat_completion(), response_cost=None)
    assert asyncio.run(free.complete(ASK)).usage.cost_usd == 0.0


def test_complete__whatever_a_providers_code_raises_is_a_provider_error(monkeypatch: pytest.MonkeyPatch) -> None:
    model = scripted(monkeypatch, KeyError(f"candidates {KEY}"))
    with pytest.raises(ProviderError, match="KeyError: 'candidates \\[key\\]'") as error:
        asyncio.run(model.complete(ASK))
    assert type(error.value) is ProviderError


def test_init__a_missing_key_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ModelError, match="no key for 'anthropic': set the environment variable ANTHROPIC_API_KEY"):
        make_model("anthropic/claude-sonnet-4-5")


def test_make_model__another_provider_goes_through_litellm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    model = make_model("anthropic/claude-sonnet-4-5")
    assert model.name == "anthropic/claude-sonnet-4-5"
    assert model.price is not None
    assert model.notes.lines == ("anthropic/claude-sonnet-4-5 takes no seed: litellm does not pass it on",)


def test_complete__a_refused_key_is_said_with_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GEMINI_API_KEY", KEY)
    refused = load_litellm().exceptions.AuthenticationError("no such key", "gemini", "any")
    model = LiteLLMModel("gemini", "any")

    async def acompletion(**_: Any) -> Any:
        raise refused

    monkeypatch.setattr(load_litellm(), "acompletion", acompletion)
    said = r"^gemini/any: AuthenticationError \(the key was read from GEMINI_API_KEY\): no such key"
    with pytest.raises(ProviderError, match=said) as error:
        asyncio.run(model.complete(ASK))
    assert error.value.hopeless


def test_complete__a_model_without_tools_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    model = scripted(monkeypatch, chat_completion())
    monkeypatch.setattr(load_litellm(), "get_supported_openai_params", lambda *_, **__: ["max_tokens"])
    with pytest.raises(ProviderError, match="takes no tools"):
        asyncio.run(model.complete(ASK, (ToolSpec(name="a", description="", parameters={}),)))


NO_NETWORK = """
import asyncio, os, socket, sys

def refuse(*arguments, **_):
    print("network:", arguments)
    raise OSError("no network here")

socket.socket.connect = socket.socket.connect_ex = refuse
socket.getaddrinfo = socket.create_connection = refuse
from conflictbench.agents.models import make_model
model = make_model("anthropic/claude-sonnet-4-5")
print(model.name, "litellm" in sys.modules)
asyncio.run(model.close())
"""


def test_load_litellm__starts_without_network_and_without_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.delenv("LITELLM_LOCAL_MODEL_COST_MAP", raising=False)
    done = subprocess.run([sys.executable, "-c", NO_NETWORK], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("anthropic/claude-sonnet-4-5 True\n", "")


NOBODY = """
import asyncio
from conflictbench.agents.models.litellm_model import LiteLLMModel
from conflictbench.errors import TransientError
from conflictbench.types import Message

async def main():
    model = LiteLLMModel("ollama", "any", base_url="http://127.0.0.1:9")
    try:
        await model.complete([Message(role="user", content="Where am I?")])
    except TransientError as error:
        print(error, error.hopeless)
    await model.close()

asyncio.run(main())
"""


def test_complete__nobody_there_is_one_short_reason_and_no_warning_of_a_library(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OLLAMA_API_BASE", "http://127.0.0.1:9")
    done = subprocess.run([sys.executable, "-c", NOBODY], capture_output=True, text=True, check=True)
    said = "ollama/any: APIConnectionError: nothing answers at 127.0.0.1:9 (Connect call failed ('127.0.0.1', 9))"
    assert (done.stdout, done.stderr) == (f"{said} True\n", "")


def test_litellm_providers__are_sorted_names() -> None:
    known = litellm_providers()
    assert list(known) == sorted(known)
    assert {"anthropic", "gemini", "mistral", "openrouter"} <= set(known)
