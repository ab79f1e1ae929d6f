"""What the calls of a run took, added up by the model that answered. Own design."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from conflictbench.agents.models.notes import Notes
from conflictbench.agents.models.prices import Price
from conflictbench.agents.models.tally import tallied
from conflictbench.agents.models.wrapper import ModelWrapper
from conflictbench.errors import ModelError, ProviderError
from conflictbench.protocols import LanguageModel
from conflictbench.types import DEFAULT_LIMITS, Completion, Limits, Message, ToolSpec, Usage

IN_VAIN = 3  # hopeless calls in a row after which a model that never answered is given up
IN_VAIN_LATER = 8  # the same, for one that has answered before: its server is gone, or its quota is spent


class UsageModel(ModelWrapper):
    """The outermost layer: totals, failures and hits of the cache, and the notes of the layers inside.

    Attributes:
        price: of the model, None if not known.  notes: what a person should be told.
        given_up: the last fault, where IN_VAIN calls in a row failed as any other would, and none was ever answered, or
            IN_VAIN_LATER after the last answer; "" while there is hope. What to do about it is the caller's to say.
        given_up_later: it had answered before.
    """

    def __init__(self, model: LanguageModel, *, price: Price | None = None, notes: Notes | None = None) -> None:
        super().__init__(model)
        self.price = price
        self.notes = notes if notes is not None else Notes()
        self.answered = 0  # completions, from the cache or not
        self.cached = 0  # of those, from the cache
        self.failed = 0  # ended in a ModelError
        self.given_up = ""
        self.given_up_later = False
        self._hopeless = ""  # the last call's fault, if any other call would fail the same
        self._in_vain = 0  # hopeless calls in a row
        self._totals: dict[str, Usage] = {}

    @property
    def totals(self) -> Mapping[str, Usage]:
        """Usage by the model id returned, in order of first use; unanswered requests under the name asked for."""
        return dict(self._totals)

    @property
    def total(self) -> Usage:
        """All of it."""
        return sum(self._totals.values(), Usage())

    @property
    def hopeless(self) -> str:
        """The last fault, where no call was answered and the last one failed as any other would; "" elsewhere."""
        return self.given_up or ("" if self._has_answered else self._hopeless)

    @property
    def _has_answered(self) -> bool:
        return self.answered > self.cached  # the cache answers whatever the provider does

    async def complete(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec] = (), limits: Limits = DEFAULT_LIMITS
    ) -> Completion:
        """As the model's, counted."""
        with tallied() as tally:
            try:
                completion = await self.model.complete(messages, tools, limits)
            except ModelError as error:
                self._note_failure(error)
                raise
            except asyncio.CancelledError:
                self._add_unanswered(tally.sent)
                raise
        self.answered += 1
        self.cached += completion.usage.cached
        if not completion.usage.cached:
            self._in_vain, self._hopeless = 0, ""
        self._add(completion.model or self.name, completion.usage)
        return completion

    def _note_failure(self, error: ModelError) -> None:
        self.failed += 1
        self._add_unanswered(error.calls)
        hopeless = isinstance(error, ProviderError) and error.hopeless
        self._in_vain, self._hopeless = (self._in_vain + 1, str(error)) if hopeless else (0, "")
        if self._in_vain >= (IN_VAIN_LATER if self._has_answered else IN_VAIN) and not self.given_up:
            self.given_up, self.given_up_later = str(error), self._has_answered

    def _add_unanswered(self, calls: int) -> None:
        if calls:
            self._add(self.name, Usage(calls=calls))

    def _add(self, model: str, usage: Usage) -> None:
        self._totals[model] = self._totals.get(model, Usage()) + usage
