"""Ask again after a fault that may pass. Own design; full list of what passes: `TransientError`, and nothing else."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Sequence

from conflictbench.agents.models.wrapper import ModelWrapper
from conflictbench.counting import counted
from conflictbench.errors import ModelError, ProviderError, TransientError
from conflictbench.protocols import LanguageModel
from conflictbench.types import DEFAULT_LIMITS, Completion, Limits, Message, ToolSpec, Usage

MORE_TIME = "--timeout gives it longer"  # remedies that adapters name
MORE_GENTLY = "ask more gently: --rpm, --concurrency, --retries"


class RetryModel(ModelWrapper):
    """Exponential back-off with jitter; the server's `Retry-After` is the least wait; one deadline over all of it.

    Args:
        retries: attempts after the first.  first_wait_s: wait after the first failure, doubled each time.
        longest_wait_s: where the doubling stops; a server may ask for more.
        deadline_s: no wait goes past it, counted from the first attempt.
        seed: of the jitter, which scatters a wait down to half of it (up by a tenth where the server named it).
        sleep, clock: replaced in tests.
    """

    def __init__(
        self,
        model: LanguageModel,
        *,
        retries: int = 5,
        first_wait_s: float = 0.5,
        longest_wait_s: float = 30.0,
        deadline_s: float = 600.0,
        seed: int = 0,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(model)
        self._retries, self._deadline_s = retries, deadline_s
        self._first_wait_s, self._longest_wait_s = first_wait_s, longest_wait_s
        self._random = random.Random(seed)
        self._sleep, self._clock = sleep, clock

    async def complete(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec] = (), limits: Limits = DEFAULT_LIMITS
    ) -> Completion:
        """As the model's; the usage counts the failed requests too.

        Raises:
            ProviderError: retries or time are spent; holds the last fault.  Any other ModelError at once.
        """
        began = self._clock()
        calls = 0  # of attempts that failed
        attempt = 0
        while True:
            attempt += 1
            try:
                completion = await self.model.complete(messages, tools, limits)
            except TransientError as error:
                calls += error.calls
                wait_s = self._wait_s(attempt, error.retry_after_s)
                spent_s = self._clock() - began
                if attempt > self._retries or spent_s + wait_s > self._deadline_s:
                    message = _gave_up(error, attempt, spent_s, wait_s)
                    raise ProviderError(message, calls=calls, hopeless=error.hopeless) from None
            except ModelError as error:
                error.calls += calls
                raise
            else:
                return _with_calls(completion, calls)
            await self._sleep(wait_s)

    def _wait_s(self, attempt: int, retry_after_s: float | None) -> float:
        backoff_s = min(self._first_wait_s * 2.0 ** (attempt - 1), self._longest_wait_s)
        scattered_s = backoff_s * self._random.uniform(0.5, 1.0)
        if retry_after_s is None:
            return scattered_s
        return max(scattered_s, retry_after_s * self._random.uniform(1.0, 1.1))


def _with_calls(completion: Completion, calls: int) -> Completion:
    if not calls:
        return completion
    return Completion(reply=completion.reply, usage=completion.usage + Usage(calls=calls), model=completion.model)


def _gave_up(error: TransientError, attempts: int, spent_s: float, wait_s: float) -> str:
    asked = f", asked to wait {wait_s:.0f} s more" if error.retry_after_s and error.retry_after_s > 60 else ""
    remedy = f" ({error.remedy})" if error.remedy else ""  # before what a server said, which may be long
    return f"gave up after {counted(attempts, 'attempt')} in {spent_s:.1f} s{asked}{remedy}: {error}"
