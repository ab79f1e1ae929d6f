"""From a spec to a stack of layers."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.agents.models.loopback import Answers, chat_completion, serve

from conflictbench.agents.models import ModelOptions, Price, make_model
from conflictbench.agents.models.openai_http import OpenAIHTTPModel
from conflictbench.agents.models.wrapper import ModelWrapper
from conflictbench.errors import BudgetExceeded, ModelError, UnknownName
from conflictbench.types import Limits, Message, Usage

ASK = (Message(role="user", content="Where am I?"),)
KEY = "canary-0123456789"


def layers(model: Any) -> list[str]:
    found = [type(model).__name__]
    while isinstance(model, ModelWrapper):
        model = model.model
        found.append(type(model).__name__)
    return found


def adapter(model: Any) -> Any:
    while isinstance(model, ModelWrapper):
        model = model.model
    return model


def test_make_model__the_layers_stand_in_their_order(tmp_path: Path) -> None:
    options = ModelOptions(cache_dir=tmp_path, max_total_tokens=9, requests_per_minute=9)
    assert layers(make_model("fake/look", options)) == [
        "UsageModel", "CacheModel", "BudgetModel", "RetryModel", "RateLimitModel", "PricedModel", "ScriptedModel",
    ]  # fmt: skip
    assert layers(make_model("fake/look")) == ["UsageModel", "RetryModel", "PricedModel", "ScriptedModel"]


def test_make_model__what_one_base_url_answered_is_not_anothers(tmp_path: Path) -> None:
    async def main() -> tuple[int, int]:
        answers = Answers(chat_completion("ACTION: look"))
        async with serve(answers) as base_url:
            for place in (base_url, base_url.replace("/v1", "/other/v1"), f"{base_url}/"):  # the last is the first
                model = make_model("my-lab/m", ModelOptions(base_url=place, cache_dir=tmp_path))
                with suppress(ModelError):
                    await model.complete(ASK)
                await model.close()
        return len(answers.bodies), model.cached

    assert asyncio.run(main()) == (1, 1)  # the one between went elsewhere: there is no such path


@pytest.mark.parametrize("spec", ["", "look", "fake/", "/look", "fa ke/look", "openai/a\nb", "a b:C", "mod:"])
def test_make_model__what_is_no_spec_says_what_one_is(spec: str) -> None:
    with pytest.raises(ModelError, match="wanted: PROVIDER/MODEL"):
        make_model(spec)


def test_make_model__a_missing_key_is_named_before_anything_is_sent() -> None:
    with pytest.raises(ModelError, match="set the environment variable OPENAI_API_KEY"):
        make_model("openai/m")
    with pytest.raises(ModelError, match="set the environment variable MY_LAB_API_KEY"):
        make_model("my-lab/m", ModelOptions(base_url="https://my-lab.example/v1"))


def test_make_model__openai_goes_to_openai_with_its_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    model = make_model("openai/gpt-4o")
    inside = adapter(model)
    assert isinstance(inside, OpenAIHTTPModel)
    assert inside.endpoint.chat_url == "https://api.openai.com/v1/chat/completions"
    assert model.name == "openai/gpt-4o"
    assert model.price == Price(input_per_million=2.5, output_per_million=10.0)


def test_make_model__a_server_on_this_machine_needs_no_key_and_any_provider_will_do() -> None:
    async def main() -> dict[str, Usage]:
        answers = Answers(chat_completion())
        async with serve(answers) as base_url:
            model = make_model("vllm/org/name", ModelOptions(base_url=base_url))
            await model.complete(ASK, (), Limits(max_tokens=7))
            await model.close()
        assert answers.bodies[0]["model"] == "org/name"
        assert model.notes.lines == ("the price of vllm/org/name is not known: its cost is recorded as 0",)
        return dict(model.totals)

    assert asyncio.run(main()) == {"served-1": Usage(calls=1, input_tokens=11, output_tokens=4)}


@pytest.mark.parametrize(
    "usage, missing",
    [
        (None, ("token counts",)),
        ({"prompt_tokens": 3}, ("count of output tokens",)),
        ({"prompt_tokens": 3.0, "completion_tokens": 0}, ()),
    ],
)
def test_make_model__a_server_that_names_no_usage_is_noted_once(usage: Any, missing: tuple[str, ...]) -> None:
    async def main() -> tuple[str, ...]:
        async with serve(Answers({**chat_completion(), "usage": usage})) as base_url:
            model = make_model("openai/m", ModelOptions(base_url=base_url, price_in=1.0, price_out=1.0))
            for _ in range(2):
                await model.complete(ASK)
            await model.close()
        return model.notes.lines

    noted = tuple(f"openai/m names no {what}: limits go by estimates, cost is not known" for what in missing)
    assert asyncio.run(main()) == noted


def test_make_model__a_fault_that_passes_does_not_show() -> None:
    async def main() -> Usage:
        async with serve(Answers((503, ""), chat_completion())) as base_url:
            model = make_model("openai/m", ModelOptions(base_url=base_url))
            usage = (await model.complete(ASK)).usage
            await model.close()
            return usage

    assert asyncio.run(main()).calls == 2


def test_make_model__a_base_url_has_no_meaning_in_this_process() -> None:
    with pytest.raises(ModelError, match=r"fake/look runs in this process and has no base URL"):
        make_model("fake/look", ModelOptions(base_url="http://127.0.0.1/v1"))


def test_make_model__a_money_limit_without_a_price_is_refused() -> None:
    options = ModelOptions(base_url="http://127.0.0.1/v1", max_cost_usd=1.0)
    with pytest.raises(ModelError) as error:
        make_model("openai/m", options)
    assert str(error.value) == (
        "max_cost_usd cannot be kept: the price of openai/m is not known; give price_in and price_out "
        "(0 for a server of your own)"
    )
    zero = make_model("openai/m", replace(options, price_in=0.0, price_out=0.0))
    assert zero.price == Price(input_per_million=0.0, output_per_million=0.0)
    assert make_model("fake/look", ModelOptions(max_cost_usd=1.0)).price == Price(
        input_per_million=0.0, output_per_million=0.0
    )


def test_make_model__the_users_price_goes_before_the_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    price = make_model("openai/gpt-4o", ModelOptions(price_in=1.0, price_out=2.0)).price
    assert price == Price(input_per_million=1.0, output_per_million=2.0)


def test_make_model__what_the_run_spent_before_counts() -> None:
    model = make_model("fake/look", ModelOptions(max_total_tokens=5000), spent=Usage(input_tokens=4999))
    spent = r"the run's budget is spent: 4,999 of 5,000 tokens \(--max-tokens-total\) used, the next call may take"
    with pytest.raises(BudgetExceeded, match=spent):
        asyncio.run(model.complete(ASK))


@pytest.mark.parametrize(
    "name, value",
    [("max_tokens", 0), ("temperature", -0.1), ("timeout_s", 0.0), ("timeout_s", float("nan")), ("retries", -1),
     ("requests_per_minute", 0), ("max_cost_usd", -1.0), ("retry_deadline_s", float("inf"))],
)  # fmt: skip
def test_options__a_value_out_of_range_is_named(name: str, value: float) -> None:
    with pytest.raises(ModelError, match=rf"^{name} is {value!r}; wanted: a number"):
        ModelOptions(**{name: value})  # type: ignore[arg-type]


def test_options__prices_go_together() -> None:
    with pytest.raises(ModelError, match=r"price_in and price_out go together, not 1\.0 and None"):
        ModelOptions(price_in=1.0)


def test_options__their_limits_are_those_of_a_call() -> None:
    options = ModelOptions(max_tokens=9, temperature=0.5, timeout_s=3.0, seed=4)
    assert options.limits == Limits(max_tokens=9, temperature=0.5, timeout_s=3.0, seed=4)
    assert ModelOptions().limits == Limits()


def test_import__of_the_models_loads_no_providers_library() -> None:
    script = (
        "import sys; from conflictbench.agents.models import make_model; make_model('fake/look'); "
        "print([name for name in ('aiohttp', 'httpx', 'litellm', 'openai', 'transformers') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_make_model__an_unknown_provider_lists_the_known_ones() -> None:
    with pytest.raises(UnknownName, match=r"unknown model provider 'opnai'; known: fake, local, openai, .*'openai'\?"):
        make_model("opnai/gpt-4o")


@pytest.mark.parametrize("provider", ["ollama", "vllm", "sglang", "lm_studio", "llamacpp"])
def test_make_model__a_server_of_ones_own_without_its_base_url_is_told_of_it_at_once(provider: str) -> None:
    with pytest.raises(ModelError, match=rf"'{provider}' is a server of your own: say where .* base_url, .*/v1$"):
        make_model(f"{provider}/any:8b")


def test_make_model__what_a_name_alone_shows_to_be_wrong_is_said_without_loading_litellm() -> None:
    script = (
        "import sys; from conflictbench.agents.models import make_model\n"
        "for spec in ('anthropic/any', 'opnai/any', 'ollama/any', 'json/Careful'):\n"
        "    try: make_model(spec)\n"
        "    except Exception as error: print(error)\n"
        "print('litellm' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", script], capture_output=True, text=True, check=True)
    key, unknown, own, module, loaded = done.stdout.splitlines()
    assert key.startswith("no key for 'anthropic': set the environment variable ANTHROPIC_API_KEY")
    assert unknown.startswith("unknown model provider 'opnai'")
    assert own.endswith("such as http://127.0.0.1:11434/v1")
    assert module == "'json' is a module, and no provider: a model of your own is json:Careful"
    assert loaded == "False"


def test_make_model__no_server_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAB_KEY", KEY)
    for spec, what in (("fake/look", "is sent no key"), ("groq/any", "has its own variables for keys")):
        with pytest.raises(ModelError, match=f"{what}.* leave key_env out"):
            make_model(spec, ModelOptions(key_env="LAB_KEY"))


@pytest.mark.parametrize(
    "environ, key_env, sent",
    [
        ({"OPENAI_API_KEY": KEY}, None, None),
        ({"OPENAI_API_KEY": KEY, "CONFLICTBENCH_API_KEY": "general-0123"}, None, "Bearer general-0123"),
        ({"OPENAI_API_KEY": KEY}, "OPENAI_API_KEY", f"Bearer {KEY}"),
    ],
)
def test_make_model__a_server_on_this_machine_is_sent_no_key_of_openais_unasked(
    environ: dict[str, str], key_env: str | None, sent: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environ.items():
        monkeypatch.setenv(name, value)

    async def main() -> list[str | None]:
        answers = Answers(chat_completion())
        async with serve(answers) as base_url:
            model = make_model("openai/any-name", ModelOptions(base_url=base_url, key_env=key_env))
            await model.complete(ASK)
            await model.close()
        return [headers.get("Authorization") for headers in answers.headers]

    assert asyncio.run(main()) == [sent]
