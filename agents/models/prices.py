"""What a call costs: prices given by the user, or those of litellm's list, which is read without importing litellm.

Own design. A price that is not known is no price: the cost stays 0 and a note says so; nothing is guessed. List prices:
discounts (cached input, batches) and surcharges (very long prompts) are not counted.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from conflictbench.agents.models.notes import Notes
from conflictbench.agents.models.wrapper import ModelWrapper
from conflictbench.protocols import LanguageModel
from conflictbench.types import DEFAULT_LIMITS, Completion, Limits, Message, ToolSpec, Usage

_PRICE_LIST = "model_prices_and_context_window_backup.json"
_UNKNOWN = " is not known: its cost is recorded as 0"


@dataclass(frozen=True, kw_only=True)
class Price:
    """US dollars for a million tokens."""

    input_per_million: float
    output_per_million: float

    def cost_usd(self, input_tokens: int, output_tokens: int) -> float:
        """Cost of so many tokens."""
        return (input_tokens * self.input_per_million + output_tokens * self.output_per_million) / 1e6


def listed_price(provider: str, model: str) -> Price | None:
    """The price of litellm's list, None if it has none for exactly this provider and model."""
    prices = _price_list()
    for name in (f"{provider}/{model}", model):
        entry = prices.get(name)
        if isinstance(entry, dict) and entry.get("litellm_provider") == provider:
            each = [entry.get(f"{kind}_cost_per_token") for kind in ("input", "output")]
            if all(isinstance(cost, int | float) and cost >= 0 for cost in each):
                # Rounded, so that 2.5e-06 a token is 2.5 a million.
                return Price(
                    input_per_million=round(each[0] * 1e6, 9),  # type: ignore[operator]
                    output_per_million=round(each[1] * 1e6, 9),  # type: ignore[operator]
                )
    return None


@lru_cache(maxsize=1)
def _price_list() -> dict[str, Any]:
    spec = find_spec("litellm")  # finds the folder, imports nothing
    for folder in spec.submodule_search_locations or () if spec else ():
        path = Path(folder) / _PRICE_LIST
        if path.is_file():
            prices: dict[str, Any] = json.loads(path.read_text("utf-8"))
            return prices
    return {}


def price_unknown(notes: Iterable[str]) -> bool:
    """True if a note of `PricedModel` is among a run's notes: costs of 0 in it stand for what nobody knows."""
    return any(note.startswith("the price of ") and note.endswith(_UNKNOWN) for note in notes)


class PricedModel(ModelWrapper):
    """Puts the cost of each call into its usage, unless the adapter knew it."""

    def __init__(self, model: LanguageModel, price: Price | None, *, notes: Notes | None = None) -> None:
        super().__init__(model)
        self._price = price
        self._notes = notes if notes is not None else Notes()

    async def complete(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec] = (), limits: Limits = DEFAULT_LIMITS
    ) -> Completion:
        """As the model's, priced."""
        completion = await self.model.complete(messages, tools, limits)
        usage = completion.usage
        if usage.cost_usd:
            return completion
        if self._price is None:
            self._notes.add(f"the price of {self.name}{_UNKNOWN}")
            return completion
        cost = self._price.cost_usd(usage.input_tokens, usage.output_tokens)
        priced = Usage(
            calls=usage.calls, input_tokens=usage.input_tokens, output_tokens=usage.output_tokens, cost_usd=cost
        )
        return Completion(reply=completion.reply, usage=priced, model=completion.model)
