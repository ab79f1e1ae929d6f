"""Every model and every layer of the package keeps the contract."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from tests.agents.models.loopback import Answers, chat_completion, serve
from tests.contract.language_model_contract import LanguageModelContract

from conflictbench.agents.models import (
    FAKES,
    Budget,
    BudgetModel,
    CacheModel,
    Price,
    PricedModel,
    RateLimitModel,
    RetryModel,
    ScriptedModel,
    UsageModel,
    by_turn,
    make_model,
)
from conflictbench.agents.models.openai_http import OpenAIHTTPModel
from conflictbench.protocols import LanguageModel


def scripted() -> ScriptedModel:
    return ScriptedModel(by_turn(["ACTION: look", "ACTION: wait"]))


class TestScripted(LanguageModelContract):
    deterministic = True

    def make(self) -> LanguageModel:
        return scripted()


class TestRetry(LanguageModelContract):
    deterministic = True

    def make(self) -> LanguageModel:
        return RetryModel(scripted())


class TestRateLimit(LanguageModelContract):
    deterministic = True

    def make(self) -> LanguageModel:
        return RateLimitModel(scripted(), requests_per_minute=100, tokens_per_minute=100_000)


class TestBudget(LanguageModelContract):
    deterministic = True

    def make(self) -> LanguageModel:
        return BudgetModel(scripted(), Budget(max_total_tokens=100_000))


class TestPriced(LanguageModelContract):
    deterministic = True

    def make(self) -> LanguageModel:
        return PricedModel(scripted(), Price(input_per_million=1.0, output_per_million=2.0))


class TestUsage(LanguageModelContract):
    deterministic = True

    def make(self) -> LanguageModel:
        return UsageModel(scripted())


class TestCacheThatHoldsNothingYet(LanguageModelContract):
    @pytest.fixture(autouse=True)
    def _directory(self) -> object:
        with tempfile.TemporaryDirectory() as self.directory:
            yield

    def make(self) -> LanguageModel:
        return CacheModel(scripted(), self.directory)


@pytest.mark.parametrize("name", sorted(FAKES))
class TestNamedFakes(LanguageModelContract):
    deterministic = True

    @pytest.fixture(autouse=True)
    def _named(self, name: str) -> None:
        self.name = name

    def make(self) -> LanguageModel:
        return make_model(f"fake/{self.name}")


class TestOpenAIHTTP(LanguageModelContract):
    deterministic = True

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[LanguageModel]:
        async with serve(Answers(chat_completion())) as base_url:
            model = OpenAIHTTPModel("any", base_url=base_url)
            yield model
            await model.close()
