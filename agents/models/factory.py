"""From `PROVIDER/MODEL` to a model with its layers round it. Own design.

The order, outermost first, and why:

    usage       sees every answer and every failure, hits of the cache too
    cache       a hit costs nothing, so it stands outside the budget
    budget      reserves once a call, however often that is retried
    retry       every attempt is rate limited anew
    rate limit
    paid        tells of each attempt, to whoever keeps the accounts; only where somebody does
    price       puts the cost into the usage
    adapter     the provider
"""

from __future__ import annotations

import re

from conflictbench.agents.models.budget import Budget, BudgetModel
from conflictbench.agents.models.cache import CacheModel
from conflictbench.agents.models.endpoint import OPENAI_BASE_URL, parse_base_url
from conflictbench.agents.models.fake import make_fake
from conflictbench.agents.models.keys import read_key
from conflictbench.agents.models.notes import Notes
from conflictbench.agents.models.options import ModelOptions
from conflictbench.agents.models.paid import OnCall, PaidModel
from conflictbench.agents.models.prices import Price, PricedModel, listed_price
from conflictbench.agents.models.rate_limit import RateLimitModel
from conflictbench.agents.models.retry import RetryModel
from conflictbench.agents.models.usage import UsageModel
from conflictbench.errors import ModelError, UnknownName
from conflictbench.protocols import LanguageModel
from conflictbench.types import Usage

__all__ = ["OWN_PROVIDERS", "ModelOptions", "make_model"]

OWN_PROVIDERS = ("fake", "local", "openai")
_HERE = ("fake", "local")  # providers in this process: no server, no key, no price
_FREE = Price(input_per_million=0.0, output_per_million=0.0)
_DEFAULTS = ModelOptions()


def make_model(
    spec: str, options: ModelOptions = _DEFAULTS, *, spent: Usage | None = None, on_call: OnCall | None = None
) -> UsageModel:
    """Make a model with all its layers; nothing is sent yet.

    Args:
        spec: `fake/NAME`, `local/NAME`, `openai/MODEL`, or a provider of litellm's; with `options.base_url` any
            provider's name before the slash, which says where the key is: `<PROVIDER>_API_KEY`.
        spent: what the run has spent already, counted by its budget.
        on_call: told of each attempt the moment it is over, also where a retry follows.
    Raises:
        UnknownName: no such provider, or no such fake.
        ModelError: no `PROVIDER/MODEL`, a key that is not set, options that contradict each other.
        NotYetAvailable: the provider needs an extra that is not installed.
    """
    provider, _, model = spec.partition("/")
    if not re.fullmatch(r"[A-Za-z0-9_.-]+", provider) or not model or not spec.isprintable():
        raise ModelError(f"no model is named {spec!r}; wanted: PROVIDER/MODEL, as in openai/gpt-4o or fake/look")
    notes = Notes()
    adapter = _adapter(provider, model, options, notes)
    price = _price(provider, model, options)
    if options.max_cost_usd is not None and price is None:
        raise ModelError(f"max_cost_usd cannot be kept: the price of {spec} is not known; give price_in and price_out")
    layers: LanguageModel = PricedModel(adapter, price, notes=notes)
    if on_call is not None:
        layers = PaidModel(layers, on_call)
    if options.requests_per_minute is not None or options.tokens_per_minute is not None:
        layers = RateLimitModel(
            layers, requests_per_minute=options.requests_per_minute, tokens_per_minute=options.tokens_per_minute
        )
    layers = RetryModel(layers, retries=options.retries, deadline_s=options.retry_deadline_s, seed=options.seed or 0)
    if (options.max_total_tokens, options.max_cost_usd, options.max_calls) != (None, None, None):
        budget = Budget(
            max_total_tokens=options.max_total_tokens,
            max_cost_usd=options.max_cost_usd,
            max_calls=options.max_calls,
            spent=spent,
        )
        layers = BudgetModel(layers, budget, price=price)
    if options.cache_dir is not None:
        endpoint = parse_base_url(options.base_url).base_url if options.base_url else ""
        layers = CacheModel(layers, options.cache_dir, endpoint=endpoint, notes=notes)
    return UsageModel(layers, price=price, notes=notes)


def _adapter(provider: str, model: str, options: ModelOptions, notes: Notes) -> LanguageModel:
    name = f"{provider}/{model}"
    if provider in _HERE and options.base_url is not None:
        raise ModelError(f"{name} runs in this process and has no base URL; leave {options.base_url[:100]!r} out")
    if provider == "fake":
        return make_fake(model)
    if provider == "local":
        from conflictbench.agents.models.local import make_local

        return make_local(model)
    if provider == "openai" or options.base_url is not None:
        from conflictbench.agents.models.openai_http import OpenAIHTTPModel

        base_url = options.base_url if options.base_url is not None else OPENAI_BASE_URL
        key = read_key(provider, required=not parse_base_url(base_url).loopback)
        return OpenAIHTTPModel(
            model, base_url=base_url, key=key, name=name, episode_headers=options.episode_headers, notes=notes
        )
    from conflictbench.agents.models.litellm_model import LiteLLMModel, litellm_providers

    if provider not in (known := litellm_providers()):
        hint = "an OpenAI-compatible server of any name takes a base URL"
        raise UnknownName("model provider", provider, dict.fromkeys((*OWN_PROVIDERS, *known)), hint=hint)
    return LiteLLMModel(provider, model, with_cost=options.price_in is None, notes=notes)


def _price(provider: str, model: str, options: ModelOptions) -> Price | None:
    if options.price_in is not None and options.price_out is not None:
        return Price(input_per_million=options.price_in, output_per_million=options.price_out)
    if provider in _HERE:
        return _FREE
    # A server of the user's own choice may charge anything, whatever the name of the model.
    return listed_price(provider, model) if options.base_url is None else None
