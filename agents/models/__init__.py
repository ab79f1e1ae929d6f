"""The language-model edge: adapters, the scripted fake, and the layers round them. Own design (architecture.md).

Nothing here loads a provider's library: `openai_http`, `litellm_model` and `local` are imported by who makes them.
"""

from conflictbench.agents.models.budget import Budget, BudgetModel
from conflictbench.agents.models.cache import CacheModel
from conflictbench.agents.models.factory import make_model
from conflictbench.agents.models.fake import FAKES, ScriptedModel, by_turn
from conflictbench.agents.models.labels import CallLabels, current_labels, labelled
from conflictbench.agents.models.notes import Notes
from conflictbench.agents.models.options import ModelOptions
from conflictbench.agents.models.paid import OnCall, PaidCall, PaidModel
from conflictbench.agents.models.prices import Price, PricedModel, listed_price
from conflictbench.agents.models.rate_limit import RateLimitModel
from conflictbench.agents.models.retry import RetryModel
from conflictbench.agents.models.usage import UsageModel
from conflictbench.agents.models.wrapper import ModelWrapper

__all__ = [
    "FAKES",
    "Budget",
    "BudgetModel",
    "CacheModel",
    "CallLabels",
    "ModelOptions",
    "ModelWrapper",
    "Notes",
    "OnCall",
    "PaidCall",
    "PaidModel",
    "Price",
    "PricedModel",
    "RateLimitModel",
    "RetryModel",
    "ScriptedModel",
    "UsageModel",
    "by_turn",
    "current_labels",
    "labelled",
    "listed_price",
    "make_model",
]
