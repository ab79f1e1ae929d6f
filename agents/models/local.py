"""`local/NAME`: a language model that runs in this process, without a server, a key or a network. Own design."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

import jinja2

from conflictbench.agents.models.keys import Redactor
from conflictbench.agents.models.local_decoding import decode
from conflictbench.agents.models.local_weights import Loaded, find_weights, load_weights
from conflictbench.agents.models.tally import count_request
from conflictbench.counting import counted
from conflictbench.errors import ContextOverflow, ProviderError
from conflictbench.types import DEFAULT_LIMITS, Completion, Limits, Message, Reply, ToolSpec, Usage


class LocalModel:
    """One model in memory, which answers one conversation at a time in a thread of its own; others wait their turn.

    The weights are loaded at the first call. `timeout_s` is the time to write one reply: neither loading nor waiting
    counts. Equal calls have equal answers, at any temperature, on one machine with one number of torch's threads.

    Args:
        load: loads the weights.  name: the id asked for.  clock: replaced in tests; in seconds.
    """

    takes_tools = False

    def __init__(self, load: Callable[[], Loaded], *, name: str, clock: Callable[[], float] = time.monotonic) -> None:
        self.name = name
        self._load, self._clock = load, clock
        self._loaded: Loaded | None = None
        self._fault = ""  # why it cannot be loaded
        self._worker: ThreadPoolExecutor | None = None
        self._stops: set[threading.Event] = set()

    def __repr__(self) -> str:
        return f"LocalModel({self.name!r})"

    async def complete(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec] = (), limits: Limits = DEFAULT_LIMITS
    ) -> Completion:
        """Answer; every token counts in the usage, the one that ends the reply too.

        Raises:
            ContextOverflow: prompt and `max_tokens` together do not fit.
            ProviderError: tools were offered, or images sent, the weights cannot be loaded, or time is up. Never worth
                a retry.
        """
        if tools or any(message.role == "tool" or message.tool_calls for message in messages):
            raise ProviderError(f"{self.name} takes no tools: use a protocol that asks for text", hopeless=True)
        if any(message.images for message in messages):
            raise ProviderError(f"{self.name} takes no images: play with the observation 'text'", hopeless=True)
        if self._worker is None:
            self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="local-model")
        stop = threading.Event()
        self._stops.add(stop)
        try:
            # in the context of the caller, whose tally the thread counts in
            answer = self._worker.submit(copy_context().run, self._answer, tuple(messages), limits, stop)
            return await asyncio.wrap_future(answer)
        finally:
            stop.set()  # of a call that was cancelled: the thread gives up at the next token
            self._stops.discard(stop)

    async def close(self) -> None:
        """Stop what is being written, refuse what waits, and let go of the weights; a later call loads them again."""
        worker, self._worker = self._worker, None
        if worker is None:
            return
        for stop in self._stops:
            stop.set()
        await asyncio.to_thread(worker.shutdown)
        self._loaded = None

    def _answer(self, messages: tuple[Message, ...], limits: Limits, stop: threading.Event) -> Completion:
        """Runs in the thread."""
        if stop.is_set():
            raise ProviderError(f"{self.name} was closed before its turn came")
        loaded = self._in_memory()
        prompt = self._prompt(loaded, messages)
        if loaded.context is not None and len(prompt) + limits.max_tokens > loaded.context:
            raise ContextOverflow(
                f"{self.name}: a prompt of {counted(len(prompt), 'token')} and a reply of up to {limits.max_tokens} "
                f"do not fit into its {loaded.context}"
            )
        began = self._clock()
        count_request()

        def check(tokens: int) -> None:
            if stop.is_set():
                raise ProviderError(f"{self.name} was closed while it wrote", calls=1)
            if self._clock() - began > limits.timeout_s:
                raise ProviderError(
                    f"{self.name} wrote {counted(tokens, 'token')} in {limits.timeout_s:g} s and was not done: "
                    f"give it more time, or fewer tokens",
                    calls=1,
                )

        try:
            tokens = decode(loaded, prompt, limits, check)
        except RuntimeError as error:  # torch: out of memory, a draw from no numbers
            raise self._failed("cannot answer", error, calls=1) from error
        reply = Reply(
            text=loaded.tokenizer.decode(tokens, skip_special_tokens=True, clean_up_tokenization_spaces=False),
            finish_reason="stop" if tokens and tokens[-1] in loaded.ends else "length",
        )
        usage = Usage(calls=1, input_tokens=len(prompt), output_tokens=len(tokens))
        return Completion(reply=reply, usage=usage, model=loaded.model_id)

    def _in_memory(self) -> Loaded:
        if self._fault:
            raise ProviderError(self._fault, hopeless=True)
        if self._loaded is None:
            try:
                self._loaded = self._load()
            except Exception as error:  # transformers raises many kinds for files it cannot read
                failed = self._failed("cannot be loaded", error, hopeless=True)
                self._fault = str(failed)
                raise failed from error
        return self._loaded

    def _prompt(self, loaded: Loaded, messages: tuple[Message, ...]) -> list[int]:
        # A lone surrogate, which no tokenizer takes, becomes a question mark.
        plain = [
            {"role": message.role, "content": message.content.encode("utf-8", "replace").decode("utf-8")}
            for message in messages
        ]
        try:
            text = loaded.tokenizer.apply_chat_template(plain, add_generation_prompt=True, tokenize=False)
        except jinja2.TemplateError as error:  # a template may refuse a system message, or two of one role in a row
            raise self._failed("cannot be sent this conversation", error) from error
        return list(loaded.tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"])

    def _failed(self, what: str, error: Exception, *, calls: int = 0, hopeless: bool = False) -> ProviderError:
        message = f"{self.name} {what}: {type(error).__name__}: {Redactor().one_line(str(error))}"
        return ProviderError(message, calls=calls, hopeless=hopeless)


def make_local(name: str) -> LocalModel:
    """Make `local/NAME`; nothing is loaded yet.

    Args:
        name: `smollm2`, or a directory with a transformers model.
    Raises:
        UnknownName: neither.  NotYetAvailable: the extra `local`, or the package with the weights, is not installed.
    """
    weights = find_weights(name)
    return LocalModel(lambda: load_weights(weights), name=f"local/{name}")
