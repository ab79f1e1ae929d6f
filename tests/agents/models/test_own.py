"""A language model of one's own by `module:Class`: made, held to its promises, and wrapped like any other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from tests.contract.language_model_contract import LanguageModelContract

from conflictbench.agents import make_agent, make_async_agent
from conflictbench.agents.models import ModelOptions, make_model
from conflictbench.agents.models.own import make_own
from conflictbench.errors import AgentError, ConflictBenchError, ModelError, ProviderError, UnknownName
from conflictbench.protocols import LanguageModel
from conflictbench.types import Completion, Limits, Message, Usage

ASK = (Message(role="user", content="Where am I?"),)
MODULE = """
import asyncio
from conflictbench.errors import TransientError
from conflictbench.types import Completion, Reply, Usage


class Careful:
    name = "careful"
    usage = Usage(calls=1, input_tokens=10, output_tokens=2)
    async def complete(self, messages, tools=(), limits=None):
        return Completion(reply=Reply(text="ACTION: look"), usage=self.usage, model="careful-1")
    async def close(self):
        pass

class Uncounted(Careful):
    usage = Usage()

class Cached(Careful):
    usage = Usage(cached=1)

class Flaky(Careful):
    attempts = 0
    async def complete(self, messages, tools=(), limits=None):
        self.attempts += 1
        if self.attempts == 1:
            raise TransientError("busy", calls=1)
        return await super().complete(messages, tools, limits)

class Slow(Careful):
    async def complete(self, messages, tools=(), limits=None):
        await asyncio.Event().wait()

class OwnTimeout(Careful):
    async def complete(self, messages, tools=(), limits=None):
        raise TimeoutError("the gateway's own")

class GivesAString(Careful):
    async def complete(self, messages, tools=(), limits=None):
        return "ACTION: look"

class NotAsync(Careful):
    def complete(self, messages, tools=(), limits=None):
        return Completion(reply=Reply(text="ACTION: look"))

class NoClose:
    name = "no-close"
    async def complete(self, messages, tools=(), limits=None): ...

class NoName:
    async def complete(self, messages, tools=(), limits=None): ...
    async def close(self): ...

class BadName(Careful):
    name = " "

class NeedsAnArgument(Careful):
    def __init__(self, path): ...

class Player:
    name = "player"
    def reset(self, task): ...
    def act(self, observation, info): ...

def make():
    return Careful()

def make_nothing():
    return None

a_value = 3
"""
_MODULES = count()


@pytest.fixture
def spec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """`module:name` of a fresh module in the current directory."""
    module = f"own_models_{next(_MODULES)}"
    (tmp_path / f"{module}.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    return lambda name: f"{module}:{name}"


def ask(model: LanguageModel, limits: Limits | None = None) -> Completion:
    async def main() -> Completion:
        try:
            return await model.complete(ASK, (), limits or Limits())
        finally:
            await model.close()

    return asyncio.run(main())


class TestContract(LanguageModelContract):
    deterministic = True

    @pytest.fixture(autouse=True)
    def _here(self, spec: Callable[[str], str]) -> None:
        self.spec = spec("Careful")

    def make(self) -> LanguageModel:
        return make_own(self.spec)


@pytest.mark.parametrize("name", ["Careful", "make"])
def test_make_model__a_class_or_a_function_has_all_the_layers(name: str, spec: Callable[[str], str]) -> None:
    model = make_model(spec(name), ModelOptions(price_in=1.0, price_out=5.0, max_cost_usd=1.0, max_total_tokens=9000))
    completion = ask(model)
    assert (completion.reply.text, completion.model) == ("ACTION: look", "careful-1")
    # 10 tokens at 1 and 2 at 5 US dollars a million
    assert completion.usage == Usage(calls=1, input_tokens=10, output_tokens=2, cost_usd=20e-6)
    assert dict(model.totals) == {"careful-1": completion.usage}


def test_make_model__its_faults_are_retried(spec: Callable[[str], str]) -> None:
    assert ask(make_model(spec("Flaky"))).usage.calls == 2


def test_make_model__its_answers_are_kept_and_those_of_other_code_are_not_taken(
    spec: Callable[[str], str], tmp_path: Path
) -> None:
    def cached(name: str) -> int:
        model = make_model(spec(name), ModelOptions(cache_dir=tmp_path / "cache"))
        ask(model)
        return model.cached

    assert [cached("Careful"), cached("Careful"), cached("make"), cached("Uncounted")] == [0, 1, 0, 0]
    file = tmp_path / f"{spec('').partition(':')[0]}.py"
    file.write_text(file.read_text() + "# changed\n")
    assert cached("Careful") == 0


def test_complete__a_usage_without_calls_is_one_call_and_a_cached_one_is_none(spec: Callable[[str], str]) -> None:
    assert ask(make_model(spec("Uncounted"))).usage == Usage(calls=1)
    assert ask(make_model(spec("Cached"))).usage == Usage(cached=1)


def test_complete__what_does_not_come_in_its_time_is_given_up(spec: Callable[[str], str]) -> None:
    model = make_model(spec("Slow"), ModelOptions(retries=0))
    gave_up = r"\(--timeout gives it longer\): careful did not answer within 0\.05 s$"
    with pytest.raises(ProviderError, match=gave_up):
        ask(model, Limits(timeout_s=0.05))
    with pytest.raises(TimeoutError, match="the gateway's own"):
        ask(make_model(spec("OwnTimeout")))


@pytest.mark.parametrize(
    "name, said",
    [
        ("GivesAString", ":GivesAString.complete returned str, not Completion"),
        ("NotAsync", ":NotAsync.complete is no `async def`: it returned Completion at once"),
    ],
)
def test_complete__what_is_no_completion_names_the_class(name: str, said: str, spec: Callable[[str], str]) -> None:
    with pytest.raises(AgentError, match=f"^own_models_\\d+{said}$"):
        ask(make_model(spec(name)))


@pytest.mark.parametrize(
    "name, error, said",
    [
        ("NoClose", ModelError, "is missing close (a language model has a name, complete(...) and close())"),
        ("NoName", ModelError, "is missing a name (a language model has"),
        ("BadName", ModelError, "name is ' '; it must be a str of printable characters, not blank"),
        ("NeedsAnArgument", ModelError, "cannot be made without arguments: TypeError: "),
        ("make_nothing", ModelError, "is missing complete and close and a name"),
        ("a_value", ModelError, "is int: it must be a class, or a function that makes the model"),
        ("Player", ModelError, ":Player, without `llm:`"),
        ("Carefull", UnknownName, "known: BadName, Cached, Careful, "),
        ("Carefull", UnknownName, "(did you mean 'Careful'?)"),
    ],
)
def test_make_model__what_is_no_model_says_what_is_missing(
    name: str, error: type[ConflictBenchError], said: str, spec: Callable[[str], str]
) -> None:
    with pytest.raises(error) as caught:
        make_model(spec(name))
    assert said in str(caught.value)


def test_make_model__a_module_that_cannot_be_imported_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken_models.py").write_text("import no_such_library\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ModelError, match=r"importing 'broken_models' failed: ModuleNotFoundError: .*no_such_library"):
        make_model("broken_models:Careful")


def test_make_model__it_has_no_server_and_no_key(spec: Callable[[str], str]) -> None:
    with pytest.raises(ModelError, match="is code of your own and has no base URL"):
        make_model(spec("Careful"), ModelOptions(base_url="http://127.0.0.1/v1"))


def test_make_model__one_of_unknown_price_cannot_be_held_to_money(spec: Callable[[str], str]) -> None:
    with pytest.raises(ModelError, match=r"the price of .*:Careful is not known; give price_in and price_out"):
        make_model(spec("Careful"), ModelOptions(max_cost_usd=1.0))


def test_agent__is_made_by_llm_and_by_no_other_form(spec: Callable[[str], str]) -> None:
    assert make_async_agent(f"llm:{spec('Careful')}").name == "llm:careful"
    module, _, name = spec("Careful").partition(":")
    with pytest.raises(AgentError, match=f"it has `complete`, as a language model: give it as llm:{module}:{name}"):
        make_agent(f"{module}:{name}")
    with pytest.raises(AgentError, match=f"function that makes a language model is given as llm:{module}:make"):
        make_agent(f"{module}:make")
    with pytest.raises(ModelError, match=f"a model of your own is {module}:{name}$"):
        make_model(f"{module}/{name}")
