"""Limits on tokens and money: a call that could go past one is not made. Own design.

After concordia's call limit; unlike it, ours raises: a silent default answer would corrupt a measurement.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from conflictbench.agents.models.estimate import estimate_input_tokens
from conflictbench.agents.models.prices import Price
from conflictbench.agents.models.wrapper import ModelWrapper
from conflictbench.counting import counted
from conflictbench.errors import BudgetExceeded, ModelError
from conflictbench.protocols import LanguageModel
from conflictbench.types import DEFAULT_LIMITS, Completion, Limits, Message, ToolSpec, Usage


class Budget:
    """What may be spent, what is spent, and what calls in flight have reserved: one for a run, one for each episode.

    Args:
        max_total_tokens: input and output together.  max_cost_usd: US dollars.  max_calls: requests.
        spent: before this process began (a run that is resumed).  name: whose it is, for the error's text.
    """

    def __init__(
        self,
        *,
        max_total_tokens: int | None = None,
        max_cost_usd: float | None = None,
        max_calls: int | None = None,
        spent: Usage | None = None,
        name: str = "run",
    ) -> None:
        self.name = name
        self.max_total_tokens, self.max_cost_usd, self.max_calls = max_total_tokens, max_cost_usd, max_calls
        self.spent = spent if spent is not None else Usage()
        self.in_flight = 0  # calls that hold a reservation
        self._reserved_tokens, self._reserved_usd, self._reserved_calls = 0, 0.0, 0
        self._settled = asyncio.Event()

    async def reserve(self, wanted: Usage) -> None:
        """Set aside what a call may take; wait while nothing but the reservations of other calls stands in its way.

        Raises:
            BudgetExceeded: it is more than what is left.
        """
        while self._excess(wanted, with_reserved=True):
            if excess := self._excess(wanted, with_reserved=False):
                raise BudgetExceeded(f"the {self.name}'s budget is spent: {excess}")
            await self._settled.wait()
        self.in_flight += 1
        self._reserve(wanted, 1)

    def settle(self, wanted: Usage, used: Usage) -> None:
        """Replace a reservation by what the call took. Never waits, so that a cancelled call settles too."""
        self.in_flight -= 1
        self._reserve(wanted, -1)
        if not self.in_flight:
            self._reserved_usd = 0.0  # sums of fractions leave dust
        self.spent += used
        self._settled.set()  # wakes every waiting call, each looks again
        self._settled = asyncio.Event()

    def _reserve(self, wanted: Usage, sign: int) -> None:
        self._reserved_tokens += sign * (wanted.input_tokens + wanted.output_tokens)
        self._reserved_usd += sign * wanted.cost_usd
        self._reserved_calls += sign * wanted.calls

    def _excess(self, wanted: Usage, *, with_reserved: bool) -> str:
        """Which limit a call would go past, in words; "" if none."""
        held = with_reserved and self.in_flight > 0
        spent, more = self.spent.input_tokens + self.spent.output_tokens, wanted.input_tokens + wanted.output_tokens
        if self.max_total_tokens is not None and spent + more + held * self._reserved_tokens > self.max_total_tokens:
            limit = counted(self.max_total_tokens, "token") + self._set_by("--max-tokens-total")
            return f"{spent:,} of {limit} used, the next call may take {more:,}"
        cost, next_cost = self.spent.cost_usd, wanted.cost_usd
        if self.max_cost_usd is not None and cost + next_cost + held * self._reserved_usd > self.max_cost_usd:
            limit = f"{self.max_cost_usd:.4f} USD{self._set_by('--max-cost')}"
            return f"{cost:.4f} of {limit} used, the next call may cost {next_cost:.4f}"
        calls = self.spent.calls + wanted.calls
        if self.max_calls is not None and calls + held * self._reserved_calls > self.max_calls:
            return f"{self.spent.calls} of {counted(self.max_calls, 'call')} made"
        return ""

    def _set_by(self, option: str) -> str:
        """The option of the command line that sets a limit of a run, for its error's text."""
        return f" ({option})" if self.name == "run" else ""


class BudgetModel(ModelWrapper):
    """Spends from a budget. Several may share one, and one may stand round another (an episode's round the run's).

    A call reserves an estimate of its input, its whole `max_tokens`, and their price. It is charged what its usage
    says; what was reserved, for a count of tokens that the provider does not name and for a call that is cancelled; its
    requests alone, when it fails.

    Args:
        price: needed where the budget limits money; None counts as free.
    """

    def __init__(self, model: LanguageModel, budget: Budget, *, price: Price | None = None) -> None:
        super().__init__(model)
        self._budget, self._price = budget, price

    async def complete(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec] = (), limits: Limits = DEFAULT_LIMITS
    ) -> Completion:
        """As the model's. Raises BudgetExceeded before a call that could go past a limit."""
        wanted = self._wanted(messages, tools, limits)
        await self._budget.reserve(wanted)
        used = wanted
        try:
            completion = await self.model.complete(messages, tools, limits)
            used = self._charged(completion, wanted)
        except ModelError as error:
            used = Usage(calls=error.calls)
            raise
        finally:
            self._budget.settle(wanted, used)
        return completion

    def _charged(self, completion: Completion, wanted: Usage) -> Usage:
        usage, reply = completion.usage, completion.reply
        if not usage.calls:  # from a cache
            return usage
        read, written = usage.input_tokens, usage.output_tokens
        unnamed_read = 0 if read else wanted.input_tokens
        silent = read and not (reply.text or reply.tool_calls or reply.reasoning)  # 0 may be the truth
        unnamed_written = 0 if written or silent else wanted.output_tokens
        cost = self._price.cost_usd(unnamed_read, unnamed_written) if self._price else 0.0
        return usage + Usage(input_tokens=unnamed_read, output_tokens=unnamed_written, cost_usd=cost)

    def _wanted(self, messages: Sequence[Message], tools: Sequence[ToolSpec], limits: Limits) -> Usage:
        tokens = estimate_input_tokens(messages, tools)
        cost = self._price.cost_usd(tokens, limits.max_tokens) if self._price else 0.0
        return Usage(calls=1, input_tokens=tokens, output_tokens=limits.max_tokens, cost_usd=cost)
