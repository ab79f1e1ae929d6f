"""Everything that can be set about a model and the layers round it. Own design."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from pathlib import Path

from conflictbench.errors import ModelError
from conflictbench.types import Limits


@dataclass(frozen=True, kw_only=True)
class ModelOptions:
    """Settings of `make_model`; a limit that is None is no limit.

    Raises:
        ModelError: a value out of its range, with its name.
    """

    base_url: str | None = None  # of an OpenAI-compatible server; None: where the provider is
    key_env: str | None = None  # environment variable with its key; None: as `key_choice.py` says
    # One call: `limits`.
    max_tokens: int = 2048
    temperature: float = 0.0
    timeout_s: float = 120.0  # of one attempt
    seed: int | None = None
    # Asking again.
    retries: int = 5  # attempts after the first
    retry_deadline_s: float = 600.0  # of all attempts of one call together
    # The run as a whole.
    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    max_total_tokens: int | None = None  # input and output
    max_cost_usd: float | None = None
    max_calls: int | None = None
    # US dollars for a million tokens; both or neither. None: litellm's list, where it knows the model.
    price_in: float | None = None
    price_out: float | None = None
    cache_dir: Path | str | None = None  # None: no cache
    episode_headers: bool | None = None  # send `CallLabels` as headers; None: to a server on this machine only

    def __post_init__(self) -> None:
        for name in ("max_tokens", "timeout_s", "retry_deadline_s", "requests_per_minute", "tokens_per_minute"):
            self._check(name, above_zero=True)
        for name in (
            "temperature",
            "retries",
            "max_total_tokens",
            "max_cost_usd",
            "max_calls",
            "price_in",
            "price_out",
        ):
            self._check(name, above_zero=False)
        if (self.price_in is None) != (self.price_out is None):
            raise ModelError(f"price_in and price_out go together, not {self.price_in!r} and {self.price_out!r}")

    @property
    def limits(self) -> Limits:
        """What one call may take."""
        return Limits(
            max_tokens=self.max_tokens, temperature=self.temperature, timeout_s=self.timeout_s, seed=self.seed
        )

    def _check(self, name: str, *, above_zero: bool) -> None:
        value = getattr(self, name)
        if value is not None and not (isfinite(value) and (value > 0 if above_zero else value >= 0)):
            raise ModelError(f"{name} is {value!r}; wanted: a number {'above 0' if above_zero else 'of 0 or more'}")
