"""Who plays a run: agents made from their spec, and the one language model that all of them share. Own design."""

from __future__ import annotations

from conflictbench.agents import AgentEntry, LLMAgent, get_agent_entry, make_agent, make_async_agent
from conflictbench.agents.models import ModelOptions, OnCall, UsageModel, make_model
from conflictbench.agents.models.endpoint import parse_base_url
from conflictbench.agents.models.usage import IN_VAIN_LATER
from conflictbench.benchmarks.manifest import ModelEntry
from conflictbench.benchmarks.room import LastCall
from conflictbench.counting import counted
from conflictbench.errors import RunError
from conflictbench.protocols import Agent, AsyncAgent
from conflictbench.types import Usage

ASYNC_CONCURRENCY = 16  # episodes at a time by default, where an agent only waits


class Cast:
    """The agents of one run. One model (its connections, rate limit and budget), an agent for each worker."""

    def __init__(
        self,
        spec: str,
        options: ModelOptions | None = None,
        *,
        spent: Usage | None = None,
        on_call: OnCall | None = None,
    ) -> None:
        """Look the agent up, and make its model.

        Args:
            options: of the model; None: the agent is no `llm`, or the defaults do.
            spent: what the run has used so far, for the model's budget.
            on_call: told of each attempt at a call of the model.
        Raises:
            UnknownName, AgentError, ModelError, NotYetAvailable: no such agent or model, or it cannot be made.
            RunError: options for an agent that asks none of our models.
        """
        self.spec = spec
        self.entry: AgentEntry = get_agent_entry(spec)
        self.model: UsageModel | None = None
        self._options = options if options is not None else ModelOptions()
        if self.entry.model_factory is not None:
            self.model = make_model(spec.partition(":")[2], self._options, spent=spent, on_call=on_call)
        elif options is not None and options != ModelOptions():
            raise RunError(f"agent {spec!r} asks no language model: leave the options of a model out")

    @property
    def default_concurrency(self) -> int:
        """Episodes at a time, where nobody says."""
        return ASYNC_CONCURRENCY if self.entry.is_async else 1

    def model_entry(self) -> ModelEntry | None:
        """What the run's identity says about the model."""
        if self.model is None:
            return None
        options = self._options
        return ModelEntry(
            base_url=None if options.base_url is None else parse_base_url(options.base_url).identity,
            temperature=options.temperature,
            max_tokens=options.max_tokens,
            seed=options.seed,
        )

    def make_agent(self) -> Agent:
        """A fresh agent that does not wait."""
        return make_agent(self.spec)

    def make_async_agent(self) -> AsyncAgent:
        """A fresh agent that does."""
        if self.model is not None:
            return LLMAgent(self.model, self._options.limits)
        return make_async_agent(self.spec)

    def make_any(self) -> Agent | AsyncAgent:
        """A fresh agent, to see that it can be made."""
        return self.make_async_agent() if self.entry.is_async else self.make_agent()

    def notes(self) -> tuple[str, ...]:
        """What the layers of the model have to say so far."""
        return self.model.notes.lines if self.model is not None else ()

    def given_up(self) -> str:
        """Why no call to the model will be answered, as far as those made told; "" while there is hope."""
        return self.model.given_up if self.model is not None else ""

    def hopeless(self) -> str:
        """A sentence on why no call would be answered, once nothing more is played; "" while there is hope."""
        if self.model is None or not self.model.hopeless:
            return ""
        which = f"the last {IN_VAIN_LATER}" if self.model.given_up_later else "the first ones"
        return f"every call would fail as {which} did ({self.model.hopeless})"

    def last_call(self) -> LastCall | None:
        """What the model's budget sets aside for a call that reads so many tokens; None without a model."""
        if self.model is None:
            return None
        price, written = self.model.price, self._options.max_tokens

        def reserved(read: int) -> Usage:
            cost = price.cost_usd(read, written) if price is not None else 0.0
            return Usage(input_tokens=read, output_tokens=written, cost_usd=cost)

        return reserved

    @property
    def has_cache(self) -> bool:
        """True if answers are kept in a cache."""
        return self.model is not None and self._options.cache_dir is not None

    def from_cache(self) -> str:
        """How many answers of this process came from the cache: "375 of 375 answers came from the cache", or ""."""
        if self.model is None or not self.model.cached:
            return ""
        answers = counted(self.model.answered, "answer")
        return f"{self.model.cached:,} of {answers} came from the cache"

    async def close(self) -> None:
        """Let go of the model's connections."""
        if self.model is not None:
            await self.model.close()
