"""Prices: given, listed, or not known; never guessed."""

from __future__ import annotations

import asyncio
import subprocess
import sys

import pytest

from conflictbench.agents.models import Notes, Price, PricedModel, ScriptedModel, listed_price, prices
from conflictbench.types import Completion, Message, Reply, Usage

ASK = (Message(role="user", content="one two"),)
USAGE = Usage(calls=1, input_tokens=2_000, output_tokens=100)


def priced(usage: Usage, price: Price | None, notes: Notes | None = None) -> Usage:
    model = PricedModel(ScriptedModel([Completion(reply=Reply(text="x"), usage=usage)]), price, notes=notes)
    return asyncio.run(model.complete(ASK)).usage


def test_priced__the_cost_is_tokens_times_price() -> None:
    # 2000 * 2.5 / 1e6 + 100 * 10 / 1e6 = 0.005 + 0.001
    got = priced(USAGE, Price(input_per_million=2.5, output_per_million=10.0))
    assert got.cost_usd == pytest.approx(0.006)
    assert got.model_copy(update={"cost_usd": 0.0}) == USAGE


def test_priced__a_cost_the_adapter_knew_stands() -> None:
    known = USAGE.model_copy(update={"cost_usd": 0.5})
    assert priced(known, Price(input_per_million=1.0, output_per_million=1.0)) == known


def test_priced__an_unknown_price_is_noted_and_costs_nothing() -> None:
    notes = Notes()
    assert priced(USAGE, None, notes) == USAGE
    assert notes.lines == ("the price of fake is not known: its cost is recorded as 0",)


def test_listed_price__is_exactly_this_providers(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = {"litellm_provider": "openai", "input_cost_per_token": 2.5e-06, "output_cost_per_token": 1e-05}
    listed = {
        "m": entry,
        "deepseek/m": {"litellm_provider": "deepseek", "input_cost_per_token": 0, "output_cost_per_token": 1e-06},
        "half": {"litellm_provider": "openai", "input_cost_per_token": 1e-06},
        "odd": {"litellm_provider": "openai", "input_cost_per_token": "1", "output_cost_per_token": 1e-06},
    }
    monkeypatch.setattr(prices, "_price_list", lambda: listed)
    assert listed_price("openai", "m") == Price(input_per_million=2.5, output_per_million=10.0)
    assert listed_price("deepseek", "m") == Price(input_per_million=0.0, output_per_million=1.0)
    assert listed_price("azure", "m") is None
    assert [listed_price("openai", name) for name in ("half", "odd", "none")] == [None] * 3


def test_listed_price__reads_litellms_list_without_importing_it() -> None:
    script = (
        "import sys; from conflictbench.agents.models import listed_price; "
        "print(listed_price('openai', 'gpt-4o'), 'litellm' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "Price(input_per_million=2.5, output_per_million=10.0) False\n"
