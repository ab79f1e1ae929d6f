"""No more than so many requests and tokens a minute. Own design: a window of 60 s, first come, first served."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from conflictbench.agents.models.estimate import estimate_input_tokens
from conflictbench.agents.models.wrapper import ModelWrapper
from conflictbench.protocols import LanguageModel
from conflictbench.types import DEFAULT_LIMITS, Completion, Limits, Message, ToolSpec

WINDOW_S = 60.0
_LONGEST_NAP_S = 1.0  # a waiting call looks again this often: a finished call may have taken fewer tokens than reserved


@dataclass
class _Entry:
    started_s: float
    tokens: int  # reserved, then as used
    counted: bool = True  # still in the window


class RateLimitModel(ModelWrapper):
    """Holds calls back, in order of arrival. A call above the token limit by itself goes when nothing else is counted.

    Args:
        requests_per_minute, tokens_per_minute: None for no limit.  sleep, clock: replaced in tests.
    """

    def __init__(
        self,
        model: LanguageModel,
        *,
        requests_per_minute: int | None = None,
        tokens_per_minute: int | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(model)
        self._requests, self._tokens = requests_per_minute, tokens_per_minute
        self._sleep, self._clock = sleep, clock
        self._window: deque[_Entry] = deque()
        self._window_tokens = 0  # of all entries
        self._turnstile = asyncio.Lock()  # first in, first out

    async def complete(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec] = (), limits: Limits = DEFAULT_LIMITS
    ) -> Completion:
        """As the model's, when it is this call's turn."""
        entry = await self._enter(estimate_input_tokens(messages, tools) + limits.max_tokens)
        completion = await self.model.complete(messages, tools, limits)
        used = completion.usage.input_tokens + completion.usage.output_tokens
        if used and entry.counted:  # where the provider names none, the reservation stands
            self._window_tokens += used - entry.tokens
            entry.tokens = used
        return completion

    async def _enter(self, tokens: int) -> _Entry:
        async with self._turnstile:
            while True:
                now = self._clock()
                while self._window and now - self._window[0].started_s >= WINDOW_S:
                    gone = self._window.popleft()
                    gone.counted = False
                    self._window_tokens -= gone.tokens
                if self._fits(tokens):
                    entry = _Entry(now, tokens)
                    self._window.append(entry)
                    self._window_tokens += tokens
                    return entry
                await self._sleep(min(self._window[0].started_s + WINDOW_S - now, _LONGEST_NAP_S))

    def _fits(self, tokens: int) -> bool:
        if not self._window:
            return True
        if self._requests is not None and len(self._window) >= self._requests:
            return False
        return self._tokens is None or self._window_tokens + tokens <= self._tokens
