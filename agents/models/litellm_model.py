"""Every provider that is not OpenAI-compatible, through litellm, which is loaded here and only when asked for.

Own design. litellm fetches its price list from the network when imported unless an environment variable is set first,
retries by itself, and drops parameters without a word; all three are switched off or said aloud here.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import time
import warnings
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from conflictbench.agents.models.error_body import json_in
from conflictbench.agents.models.key_choice import litellm_key_source
from conflictbench.agents.models.keys import Redactor
from conflictbench.agents.models.notes import Notes
from conflictbench.agents.models.openai_errors import Fault, read_error, retry_after_s
from conflictbench.agents.models.openai_reply import UnreadableAnswer, read_completion, unnamed_counts
from conflictbench.agents.models.openai_request import Dialect, request_body
from conflictbench.agents.models.retry import MORE_GENTLY, MORE_TIME
from conflictbench.agents.models.tally import count_request
from conflictbench.errors import ContextOverflow, ModelError, ProviderError, TransientError
from conflictbench.types import DEFAULT_LIMITS, Completion, Limits, Message, Reply, ToolSpec, Usage

# Of types that litellm builds when they are first needed, some in the middle of a call: nothing a user could act on.
_PYDANTIC_WARNING = r"Items? .* on TypedDict class .* using the `ReadOnly` qualifier"
# What aiohttp says inside litellm's words; the address of an object in it would make two of every reason.
_NOBODY = re.compile(r"Cannot connect to host (\S+) ssl:(?:<[^>]*>|\S+) \[([^]]*)\]")
_LOGGERS = ("LiteLLM", "LiteLLM Proxy", "LiteLLM Router")


@lru_cache(maxsize=1)
def load_litellm() -> Any:
    """Import litellm (some seconds) without its start-up network, call-backs and printing."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of its dependencies' deprecations, nothing a user could act on
        import litellm
    warnings.filterwarnings("ignore", message=_PYDANTIC_WARNING, category=UserWarning)
    litellm.suppress_debug_info = True
    litellm.drop_params = True
    for callbacks in ("callbacks", "input_callback", "success_callback", "failure_callback"):
        setattr(litellm, callbacks, [])
    for name in _LOGGERS:
        logging.getLogger(name).setLevel(logging.CRITICAL)  # what it logs is raised as well, and is cleaned there
    return litellm


def litellm_providers() -> tuple[str, ...]:
    """Names of the providers litellm knows, sorted."""
    return tuple(sorted(str(getattr(provider, "value", provider)) for provider in load_litellm().provider_list))


class LiteLLMModel:
    """One model of one provider.

    Args:
        provider, model: as litellm names them.  base_url: where the provider is, if not at its usual place.
        with_cost: take the cost from litellm, where it knows it.  notes: where it says what is not passed on.
    Raises:
        ModelError: the environment variable with the provider's key is not set.
    """

    def __init__(
        self,
        provider: str,
        model: str,
        *,
        base_url: str | None = None,
        with_cost: bool = True,
        notes: Notes | None = None,
    ) -> None:
        self.name = f"{provider}/{model}"
        self.notes = notes if notes is not None else Notes()
        self._provider, self._model, self._base_url, self._with_cost = provider, model, base_url, with_cost
        self._litellm = load_litellm()
        self._redactor = Redactor()
        missing = self._litellm.validate_environment(self.name)["missing_keys"]
        if keys := sorted(name for name in missing if name.endswith("_API_KEY")):
            raise ModelError(f"no key for {provider!r}: set the environment variable {' or '.join(keys)}")
        self._dialect = self._find_dialect()

    def __repr__(self) -> str:
        return f"LiteLLMModel({self.name!r})"

    @property
    def takes_tools(self) -> bool:
        """False where litellm says that this model takes none."""
        return self._takes("tools")

    @property
    def takes_images(self) -> bool:
        """False where litellm knows this model, and does not say that it sees; True of one that it does not know."""
        return self._sees() is not False

    async def complete(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec] = (), limits: Limits = DEFAULT_LIMITS
    ) -> Completion:
        """Send the conversation once. Raises as `OpenAIHTTPModel.complete`."""
        if tools and not self.takes_tools:
            raise ProviderError(f"{self.name} takes no tools: use a protocol that asks for text", hopeless=True)
        if any(message.images for message in messages):
            self._check_sight()
        body = request_body(self.name, messages, tools, limits, self._dialect)
        count_request()
        try:
            async with asyncio.timeout(limits.timeout_s):
                answer = await self._litellm.acompletion(
                    **body, timeout=limits.timeout_s, num_retries=0, max_retries=0, api_base=self._base_url
                )
        except TimeoutError:
            message = f"{self.name} did not answer within {limits.timeout_s:g} s"
            raise TransientError(message, calls=1, remedy=MORE_TIME) from None
        except Exception as error:  # litellm lets through whatever a provider's code raises
            return self._fail(error)
        plain = answer.model_dump()
        try:
            completion = read_completion(plain, calls=1, redactor=self._redactor)
        except UnreadableAnswer as error:
            raise TransientError(f"{self.name} sent no chat completion: {error}", calls=1) from None
        if missing := unnamed_counts(plain):
            self.notes.add(f"{self.name} names no {missing}: limits go by estimates, cost is not known")
        return self._priced(completion, answer)

    async def close(self) -> None:
        """Close litellm's connections, all models' of this loop; a second call does nothing."""
        await self._litellm.close_litellm_async_clients()

    def _takes(self, parameter: str) -> bool:
        try:
            known = self._litellm.get_supported_openai_params(self._model, custom_llm_provider=self._provider)
        except Exception:  # a model litellm has no entry for: the provider is the one to say
            return True
        return known is None or parameter in known

    def _check_sight(self) -> None:
        """Raise ProviderError where images would be dropped: some of litellm's adapters do so without a word."""
        sees = self._sees()
        if sees is False:
            raise ProviderError(f"{self.name} takes no images: play with the observation 'text'", hopeless=True)
        if sees is None:
            self.notes.add(f"litellm does not know {self.name}: it may drop the images without a word")

    def _sees(self) -> bool | None:
        """Whether the model takes images, as litellm knows it; None where it does not know the model."""
        try:
            known = self._litellm.get_model_info(self._model, custom_llm_provider=self._provider)
        except Exception:  # of several kinds, some of them its own
            return None
        return bool(known.get("supports_vision"))

    def _find_dialect(self) -> Dialect:
        for parameter in ("temperature", "seed", "max_tokens"):
            if not self._takes(parameter):
                self.notes.add(f"{self.name} takes no {parameter}: litellm does not pass it on")
        return Dialect(temperature=self._takes("temperature"), seed=self._takes("seed"))

    def _priced(self, completion: Completion, answer: Any) -> Completion:
        cost = (getattr(answer, "_hidden_params", None) or {}).get("response_cost") if self._with_cost else None
        if not cost:
            return completion
        usage = completion.usage + Usage(cost_usd=float(cost))
        return Completion(reply=completion.reply, usage=usage, model=completion.model)

    def _fail(self, error: Exception) -> Completion:
        raw = str(getattr(error, "message", "") or error)
        nobody = _NOBODY.search(raw)
        kind, said = type(error).__name__, f"nothing answers at {nobody[1]} ({nobody[2]})" if nobody else raw
        said = re.sub(rf"^(?:(?:litellm\.)?{kind}: )+", "", self._redactor.one_line(said))
        status = getattr(error, "status_code", None)
        read = f" ({source})" if status in (401, 403) and (source := litellm_key_source(self._provider)) else ""
        message = f"{self.name}: {kind}{read}: {said}"
        exceptions = self._litellm.exceptions
        if isinstance(error, exceptions.ContextWindowExceededError):
            raise ContextOverflow(message, calls=1) from None
        if isinstance(error, exceptions.ContentPolicyViolationError):
            return self._refusal(raw)
        if isinstance(error, exceptions.Timeout):
            raise TransientError(message, calls=1, remedy=MORE_TIME) from None
        if isinstance(error, exceptions.APIConnectionError):
            raise TransientError(message, calls=1, hopeless=bool(nobody)) from None
        if not isinstance(status, int):
            raise ProviderError(message, calls=1) from None
        match (refused := read_error(status, json_in(raw))).fault:
            case Fault.REFUSAL:
                return self._refusal(raw)
            case Fault.OVERFLOW:
                raise ContextOverflow(message, calls=1) from None
            case Fault.TRANSIENT:
                headers = getattr(getattr(error, "response", None), "headers", None) or {}
                wish = retry_after_s(headers, now=time.time())
                remedy = MORE_GENTLY if status == 429 else ""
                raise TransientError(
                    message, calls=1, retry_after_s=wish, hopeless=bool(nobody), remedy=remedy
                ) from None
            case _:
                raise ProviderError(message, calls=1, hopeless=refused.hopeless) from None

    def _refusal(self, raw: str) -> Completion:
        reply = Reply(text=self._redactor.clean(raw), finish_reason="content_filter")
        return Completion(reply=reply, usage=Usage(calls=1))
