"""Tells of every request the moment it is over, to whoever keeps the accounts. Own design.

Stands inside retry: a process that is killed while a call waits to be sent again must not lose what it sent before.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from conflictbench.agents.models.labels import CallLabels, current_labels
from conflictbench.agents.models.tally import tallied
from conflictbench.agents.models.wrapper import ModelWrapper
from conflictbench.errors import ModelError
from conflictbench.protocols import LanguageModel
from conflictbench.types import DEFAULT_LIMITS, Completion, Limits, Message, ToolSpec, Usage


@dataclass(frozen=True, kw_only=True)
class PaidCall:
    """One attempt at a call that reached the provider: one request as a rule. Nothing of what was said."""

    labels: CallLabels  # for which episode
    usage: Usage  # `calls` counts requests
    outcome: str  # "completed", "refused", "adjusted", "cancelled" (sent, not answered), "failed:<class of the error>"
    model: str = ""  # id returned, "" for none


OnCall = Callable[[PaidCall], None]


class PaidModel(ModelWrapper):
    """Says what each attempt took, before anything else can happen. Hits of the cache do not get this far.

    Args:
        on_call: called on the event loop's thread; must not raise.
    """

    def __init__(self, model: LanguageModel, on_call: OnCall) -> None:
        super().__init__(model)
        self._on_call = on_call

    async def complete(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec] = (), limits: Limits = DEFAULT_LIMITS
    ) -> Completion:
        """As the model's."""
        told = 0  # requests of this attempt that were told already

        def tell(usage: Usage, outcome: str, model: str = "") -> None:
            nonlocal told
            own = Usage(
                calls=usage.calls - told,
                input_tokens=usage.input_tokens,
                output_tokens=usage.output_tokens,
                cost_usd=usage.cost_usd,
            )
            told = usage.calls
            if own != Usage():
                self._on_call(PaidCall(labels=current_labels(), usage=own, outcome=outcome, model=model))

        with tallied(lambda sent: tell(Usage(calls=sent), "adjusted")) as tally:
            try:
                completion = await self.model.complete(messages, tools, limits)
            except asyncio.CancelledError:
                tell(Usage(calls=tally.sent), "cancelled")
                raise
            except Exception as error:
                calls = error.calls if isinstance(error, ModelError) else tally.sent
                tell(Usage(calls=calls), f"failed:{type(error).__name__}")
                raise
        refused = completion.reply.finish_reason == "content_filter"
        tell(completion.usage, "refused" if refused else "completed", completion.model)
        return completion
