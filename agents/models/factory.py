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
from collections.abc import Iterable

from conflictbench.agents.models.budget import Budget, BudgetModel
from conflictbench.agents.models.cache import CacheModel
from conflictbench.agents.models.endpoint import OPENAI_BASE_URL, parse_base_url
from conflictbench.agents.models.fake import make_fake
from conflictbench.agents.models.key_choice import check_litellm_key, choose_key
from conflictbench.agents.models.notes import Notes
from conflictbench.agents.models.options import ModelOptions
from conflictbench.agents.models.own import identity_of, make_own
from conflictbench.agents.models.paid import OnCall, PaidModel
from conflictbench.agents.models.prices import Price, PricedModel, listed_price
from conflictbench.agents.models.providers import SELF_HOSTED, names_known_to_litellm
from conflictbench.agents.models.rate_limit import RateLimitModel
from conflictbench.agents.models.retry import RetryModel
from conflictbench.agents.models.usage import UsageModel
from conflictbench.agents.named import is_module, split_spec
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
            provider's name before the slash, which says where the key is: `<PROVIDER>_API_KEY`; or `module:Class`, a
            model of one's own, also by a function that makes it.
        spent: what the run has spent already, counted by its budget.
        on_call: told of each attempt the moment it is over, also where a retry follows.
    Raises:
        UnknownName: no such provider, no such fake, or no such model of one's own.
        ModelError: no `PROVIDER/MODEL`, a key that is not set, options that contradict each other, a model of one's own
            that cannot be made.
        NotYetAvailable: the provider needs an extra that is not installed.
    """
    notes = Notes()
    adapter = _adapter(spec, options, notes)
    price = _price(spec, options)
    if options.max_cost_usd is not None and price is None:
        raise ModelError(
            f"max_cost_usd cannot be kept: the price of {spec} is not known; give price_in and price_out "
            "(0 for a server of your own)"
        )
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
        endpoint = parse_base_url(options.base_url).identity if options.base_url else ""
        endpoint = identity_of(spec) if split_spec(spec) else endpoint
        layers = CacheModel(layers, options.cache_dir, endpoint=endpoint, notes=notes)
    return UsageModel(layers, price=price, notes=notes)


def _adapter(spec: str, options: ModelOptions, notes: Notes) -> LanguageModel:
    if split_spec(spec):
        _check_no_server(spec, options, "is code of your own")
        return make_own(spec)
    provider, _, model = spec.partition("/")
    if not re.fullmatch(r"[A-Za-z0-9_.-]+", provider) or not model or not spec.isprintable():
        raise ModelError(
            f"no model is named {spec!r}; wanted: PROVIDER/MODEL, as in openai/gpt-4o or fake/look, "
            "or module:Class for a model of your own"
        )
    if provider in _HERE:
        _check_no_server(spec, options, "runs in this process")
    if provider == "fake":
        return make_fake(model)
    if provider == "local":
        from conflictbench.agents.models.local import make_local

        return make_local(model)
    if provider == "openai" or options.base_url is not None:
        from conflictbench.agents.models.openai_http import OpenAIHTTPModel

        endpoint = parse_base_url(options.base_url if options.base_url is not None else OPENAI_BASE_URL)
        key = choose_key(provider, endpoint, by_base_url=options.base_url is not None, key_env=options.key_env)
        return OpenAIHTTPModel(
            model,
            base_url=endpoint.base_url,
            key=key.secret,
            key_source=key.source,
            name=spec,
            episode_headers=options.episode_headers,
            notes=notes,
        )
    return _through_litellm(provider, model, options, notes)


def _through_litellm(provider: str, model: str, options: ModelOptions, notes: Notes) -> LanguageModel:
    """Whatever is wrong by its name alone is said before that library is loaded, which takes seconds."""
    if provider in SELF_HOSTED:
        raise ModelError(
            f"{provider!r} is a server of your own: say where it listens by base_url, such as {SELF_HOSTED[provider]}"
        )
    if (listed := names_known_to_litellm()) and provider not in listed:
        raise _unknown(provider, model, listed)
    if options.key_env is not None:
        raise ModelError(f"litellm, by which {provider!r} is asked, has its own variables for keys: leave key_env out")
    check_litellm_key(provider)
    from conflictbench.agents.models.litellm_model import LiteLLMModel, litellm_providers

    if provider not in (known := litellm_providers()):
        raise _unknown(provider, model, known)
    return LiteLLMModel(provider, model, with_cost=options.price_in is None, notes=notes)


def _unknown(provider: str, model: str, known: Iterable[str]) -> ModelError | UnknownName:
    if model.isidentifier() and is_module(provider):
        return ModelError(f"{provider!r} is a module, and no provider: a model of your own is {provider}:{model}")
    names = dict.fromkeys((*OWN_PROVIDERS, *sorted(known)))
    return UnknownName("model provider", provider, names, hint="a server of your own takes a base_url")


def _check_no_server(spec: str, options: ModelOptions, what: str) -> None:
    """Raise ModelError where something about a server is said of a model that has none."""
    if options.base_url is not None:
        raise ModelError(f"{spec} {what} and has no base URL; leave {options.base_url[:100]!r} out")
    if options.key_env is not None:
        raise ModelError(f"{spec} {what} and is sent no key; leave key_env out")


def _price(spec: str, options: ModelOptions) -> Price | None:
    if options.price_in is not None and options.price_out is not None:
        return Price(input_per_million=options.price_in, output_per_million=options.price_out)
    provider, _, model = spec.partition("/")
    if provider in _HERE:
        return _FREE
    # A server of the user's own choice may charge anything, whatever the name of the model; so may their own code.
    return listed_price(provider, model) if options.base_url is None and not split_spec(spec) else None
