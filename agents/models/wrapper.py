"""What budget, cache, retry, rate limit, price and usage have in common: each stands round one model. Own design.

After concordia's wrappers round one small model interface; unlike theirs, none ever makes up an answer.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from conflictbench.protocols import LanguageModel
from conflictbench.types import DEFAULT_LIMITS, Completion, Limits, Message, ToolSpec


class ModelWrapper(ABC):
    """A `LanguageModel` round another: same name, and closing it closes what it holds.

    Attributes:
        takes_tools: False where the model says of itself that it can be offered none.
        takes_images: True where the model says of itself that it sees the images of a message: none is left out unsaid.
    """

    def __init__(self, model: LanguageModel) -> None:
        self.model = model
        self.name = model.name
        self.takes_tools: bool = getattr(model, "takes_tools", True)
        self.takes_images: bool = getattr(model, "takes_images", False)

    @abstractmethod
    async def complete(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec] = (), limits: Limits = DEFAULT_LIMITS
    ) -> Completion:
        """As `LanguageModel.complete`."""

    async def close(self) -> None:
        """Close the model inside."""
        await self.model.close()
