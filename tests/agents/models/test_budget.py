"""Budgets: no call is made that could go past one, none is refused for what others only reserved."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conflictbench.agents.models import Budget, BudgetModel, Price, ScriptedModel
from conflictbench.errors import BudgetExceeded, ProviderError
from conflictbench.types import Completion, Limits, Message, Reply, Usage

ASK = (Message(role="user", content="x" * 30),)  # 18 tokens by estimate
LIMITS = Limits(max_tokens=82)  # so a call reserves 100


def answer(input_tokens: int = 20, output_tokens: int = 20, calls: int = 1) -> Completion:
    return Completion(
        reply=Reply(text="x"), usage=Usage(calls=calls, input_tokens=input_tokens, output_tokens=output_tokens)
    )


def answered(budget: Budget, script: Sequence[Completion | Exception], price: Price | None = None) -> int:
    """Call until the budget or the script is spent; how many calls reached the model."""
    model = ScriptedModel(script)

    async def main() -> None:
        held = BudgetModel(model, budget, price=price)
        for _ in script:
            try:
                await held.complete(ASK, (), LIMITS)
            except ProviderError:
                continue

    with suppress(BudgetExceeded):
        asyncio.run(main())
    assert budget.in_flight == 0
    return len(model.calls)


def test_budget__a_call_that_could_go_past_the_tokens_is_not_made() -> None:
    # 40 a call: after three, 120 are spent and 100 more would make 220.
    budget = Budget(max_total_tokens=219)
    assert answered(budget, [answer()] * 9) == 3
    assert budget.spent == Usage(calls=3, input_tokens=60, output_tokens=60)
    assert answered(Budget(max_total_tokens=220), [answer()] * 9) == 4


def test_budget__says_whose_it_is_and_what_is_left() -> None:
    budget = Budget(max_total_tokens=99, name="episode")
    with pytest.raises(
        BudgetExceeded, match="the episode's budget is spent: 0 of 99 tokens used, the next call may take 100"
    ):
        asyncio.run(BudgetModel(ScriptedModel(["x"]), budget).complete(ASK, (), LIMITS))


def test_budget__money_is_counted_by_the_price() -> None:
    # Reserved: 18 * 1 + 82 * 10 = 838 micro-dollars; the answers bring no cost, so nothing is spent.
    price = Price(input_per_million=1.0, output_per_million=10.0)
    assert answered(Budget(max_cost_usd=837e-6), [answer()], price) == 0
    paid = Completion(reply=Reply(text="x"), usage=Usage(calls=1, input_tokens=20, output_tokens=20, cost_usd=220e-6))
    budget = Budget(max_cost_usd=1500e-6)
    assert answered(budget, [paid] * 9, price) == 4  # 3 * 220 + 838 = 1498
    assert budget.spent.cost_usd == pytest.approx(880e-6)


def test_budget__calls_are_requests() -> None:
    assert answered(Budget(max_calls=5), [answer(calls=2)] * 9) == 3


def test_budget__what_was_spent_before_counts() -> None:
    assert answered(Budget(max_total_tokens=300, spent=Usage(input_tokens=201)), [answer()]) == 0


def test_budget__without_limits_holds_nothing_back() -> None:
    assert answered(Budget(), [answer()] * 9) == 9


def test_budget__where_the_provider_names_no_tokens_the_reservation_is_charged() -> None:
    budget = Budget()
    answered(budget, [answer(0, 0)])
    assert budget.spent == Usage(calls=1, input_tokens=18, output_tokens=82)


@pytest.mark.parametrize(
    "named, charged",
    [
        ((20, 0), (20, 82)),
        ((0, 20), (18, 20)),
        ((0, 0), (18, 82)),
    ],
)
def test_budget__a_count_that_is_not_named_is_charged_as_reserved(
    named: tuple[int, int], charged: tuple[int, int]
) -> None:
    budget, price = Budget(), Price(input_per_million=1e6, output_per_million=2e6)
    answered(budget, [answer(*named, calls=3)], price)
    read, written = charged
    cost = (read - named[0]) + 2.0 * (written - named[1])  # what is named is priced by `PricedModel`
    assert budget.spent == Usage(calls=3, input_tokens=read, output_tokens=written, cost_usd=cost)


def test_budget__an_empty_reply_of_no_tokens_is_believed() -> None:
    budget = Budget()
    answered(budget, [Completion(reply=Reply(), usage=Usage(calls=1, input_tokens=20))])
    assert budget.spent == Usage(calls=1, input_tokens=20)


def test_budget__a_hit_of_a_cache_inside_is_free() -> None:
    budget = Budget()
    answered(budget, [answer(0, 0, calls=0)])
    assert budget.spent == Usage()


def test_budget__a_failed_call_is_charged_its_requests() -> None:
    budget = Budget()
    answered(budget, [ProviderError("no", calls=3), answer()])
    assert budget.spent == Usage(calls=4, input_tokens=20, output_tokens=20)


class Held:
    """A model whose calls wait to be released, each taking 40 tokens."""

    name = "held"

    def __init__(self) -> None:
        self.in_flight = 0
        self.most = 0
        self.made = 0
        self.release = asyncio.Event()

    async def complete(self, *_: object) -> Completion:
        self.made += 1
        self.in_flight += 1
        self.most = max(self.most, self.in_flight)
        await self.release.wait()
        self.in_flight -= 1
        return answer()

    async def close(self) -> None: ...


def test_budget__a_call_waits_for_reservations_that_may_come_back() -> None:
    async def main() -> None:
        model, budget = Held(), Budget(max_total_tokens=250)
        held = BudgetModel(model, budget)
        tasks = [asyncio.create_task(held.complete(ASK, (), LIMITS)) for _ in range(5)]
        await asyncio.sleep(0)
        assert model.in_flight == 2  # 200 reserved; a third would make 300
        model.release.set()
        # 40, 80, 120 and then 160 are spent: the fifth could make 260.
        done = await asyncio.gather(*tasks, return_exceptions=True)
        assert [isinstance(result, BudgetExceeded) for result in done] == [False] * 4 + [True]
        assert budget.spent.input_tokens + budget.spent.output_tokens == 160

    asyncio.run(main())


def test_budget__a_cancelled_call_is_charged_in_full_and_lets_go() -> None:
    async def main() -> None:
        model, budget = Held(), Budget(max_total_tokens=100)
        held = BudgetModel(model, budget)
        task = asyncio.create_task(held.complete(ASK, (), LIMITS))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert budget.in_flight == 0
        assert budget.spent == Usage(calls=1, input_tokens=18, output_tokens=82)

    asyncio.run(main())


def test_budget__an_episodes_stands_round_the_runs() -> None:
    run = Budget(max_total_tokens=1000)
    shared = BudgetModel(ScriptedModel([answer()] * 9), run)
    episode = BudgetModel(shared, Budget(max_total_tokens=139, name="episode"))

    async def main() -> None:
        await episode.complete(ASK, (), LIMITS)
        with pytest.raises(BudgetExceeded, match="the episode's budget"):
            await episode.complete(ASK, (), LIMITS)
        await BudgetModel(shared, Budget(max_total_tokens=139, name="episode")).complete(ASK, (), LIMITS)

    asyncio.run(main())
    assert run.spent.calls == 2


@settings(max_examples=60, deadline=None, derandomize=True)
@given(n=st.integers(1, 20), limit=st.integers(50, 900))
def test_budget__concurrent_calls_never_spend_more(n: int, limit: int) -> None:
    async def main() -> None:
        model, budget = Held(), Budget(max_total_tokens=limit)
        held = BudgetModel(model, budget)
        tasks = [asyncio.create_task(held.complete(ASK, (), LIMITS)) for _ in range(n)]
        await asyncio.sleep(0)
        assert model.in_flight == min(n, limit // 100)
        model.release.set()
        done = await asyncio.gather(*tasks, return_exceptions=True)
        assert budget.in_flight == 0
        spent = budget.spent.input_tokens + budget.spent.output_tokens
        assert spent == 40 * model.made <= limit
        refused = sum(isinstance(result, BudgetExceeded) for result in done)
        assert refused + model.made == n
        assert not refused or spent + 100 > limit  # nobody was refused who could have been served

    asyncio.run(main())
