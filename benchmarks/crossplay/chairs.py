"""Who decides in a chair: a bot off the tables, a trained policy, a language model. Own design.

A chair is made for one play, after the environment was reset. `choose` is asked of both chairs at once, on the same
state of the game; nothing that one of them does while it thinks can be seen by the other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from conflictbench.agents.sb3 import SB3Agent
from conflictbench.benchmarks.crossplay.play_record import ChoiceStatus, ReplyRecord
from conflictbench.benchmarks.faults import calls_of, reason
from conflictbench.envs.task_conflict.coding import SILENT
from conflictbench.errors import AgentError, BudgetExceeded, ContextOverflow, ModelError
from conflictbench.protocols import AsyncAgent
from conflictbench.scenario_specs.parties.policies import Policy
from conflictbench.types import Reply, Task, Usage, Verdict
from conflictbench.wrappers.chat.party import PartyChat, SoloChat
from conflictbench.wrappers.chat.party_reply import PartyReply
from conflictbench.wrappers.kept_reply import kept_reply

if TYPE_CHECKING:  # it imports PettingZoo
    from conflictbench.envs.task_conflict.env import TaskConflictEnv


@dataclass(frozen=True, kw_only=True)
class Choice:
    """What a chair chose in one phase; anything but "chosen" is a hold, or silence."""

    action: int  # of the environment's
    message: str = ""
    status: ChoiceStatus = "chosen"
    told: tuple[str, ...] = ()  # of a model: the messages that it was asked by in this phase
    replies: tuple[ReplyRecord, ...] = ()
    usage: Usage = field(default_factory=Usage)
    error: str | None = None


class Chair(Protocol):
    """One party's decisions."""

    @property
    def briefing(self) -> str:
        """What it was told before the first phase; "" where it reads no words."""

    async def choose(self) -> Choice:
        """Decide in this phase."""

    def told(self) -> None:
        """The environment has stepped."""


def none_chosen(world: TaskConflictEnv, party: int) -> int:
    """The action that stands for no choice: hold, or silence."""
    return world.codings[party].encode(SILENT) if world.phase == "talk" else 0


class BotChair:
    """Plays a policy over the tables, of which it knows the state; it keeps silent."""

    briefing = ""

    def __init__(self, world: TaskConflictEnv, party: int, policy: Policy, seed: int) -> None:
        """Take the policy; `seed` is of its own randomness, where it is a mixed one."""
        self._world, self._party, self._policy = world, party, policy
        self._random = np.random.default_rng([seed, world.start_index, party])

    async def choose(self) -> Choice:
        """Draw a move from the policy's weights."""
        if self._world.phase == "talk":
            return Choice(action=none_chosen(self._world, self._party))
        weights = self._policy.weights[self._world.state_index]
        return Choice(action=int(self._random.choice(weights.size, p=weights)))

    def told(self) -> None:
        """Nothing to remember: the state holds everything."""


class PolicyChair:
    """Plays a policy of Stable-Baselines3 over the environment's features."""

    briefing = ""

    def __init__(self, world: TaskConflictEnv, party: int, agent: SB3Agent, seed: int) -> None:
        """Take the policy. Raises AgentError where it has another number of actions."""
        self._world, self._party, self._name, self._agent = world, party, world.possible_agents[party], agent
        space: Any = world.action_space(self._name)
        agent.reset(Task(env_id="task_conflict_v0", seed=seed, n_actions=int(space.n), scenario=world.joint.id))

    async def choose(self) -> Choice:
        """Take the policy's best action."""
        seen = self._world.observe(self._name)
        observation = {"features": seen["observation"], "action_mask": seen["action_mask"]}
        decision = self._agent.act(observation, {})
        assert decision.action is not None
        return Choice(action=int(decision.action))

    def told(self) -> None:
        """Nothing to remember: features hold what a policy may know."""


class ModelChair:
    """Asks a language model, once more where its reply holds no choice, and then holds."""

    def __init__(self, world: TaskConflictEnv, party: int, agent: AsyncAgent, chat: PartyChat) -> None:
        """Take an agent that is reset, and the conversation it is in."""
        self._world, self._party, self._agent, self._chat = world, party, agent, chat
        self.briefing = chat.messages()[0].content

    async def choose(self) -> Choice:
        """Ask. A model without an answer chooses nothing, and the status says why."""
        return await Asked(self._agent).choice(self._chat, self._chat.read, none_chosen(self._world, self._party))

    def told(self) -> None:
        """Tell the model how things stand."""
        self._chat.told()


class SoloChairs:
    """One model that decides for both, the incumbent first; each choice is read and asked again by itself."""

    def __init__(self, world: TaskConflictEnv, agent: AsyncAgent, chat: SoloChat) -> None:
        """Take an agent that is reset, and the conversation it is in."""
        self._world, self._agent, self._chat = world, agent, chat
        self.briefing = chat.messages()[0].content

    async def choose_both(self) -> tuple[Choice, Choice]:
        """Ask for the incumbent's move, then for the requester's."""
        incumbent = await self._choose(0)
        self._chat.asked_other()
        return incumbent, await self._choose(1)

    def told(self) -> None:
        """Tell the model how things stand."""
        self._chat.told()

    async def _choose(self, party: int) -> Choice:
        read = partial(self._chat.read, party)
        return await Asked(self._agent).choice(self._chat, read, none_chosen(self._world, party))


class Asked:
    """The calls of one choice, as they are kept."""

    def __init__(self, agent: AsyncAgent) -> None:
        self._agent = agent
        self._told: list[str] = []
        self._calls: list[tuple[Reply, Usage, str]] = []
        self._kept: list[ReplyRecord] = []

    async def choice(
        self, chat: PartyChat | SoloChat, read: Callable[[Reply], tuple[PartyReply, bool]], otherwise: int
    ) -> Choice:
        """Ask until a reply is read for good.

        Args:
            read: what a reply is taken for, and whether it is asked again.
            otherwise: the action where nothing is chosen, or a call has no answer.
        """
        try:
            again = True
            while again:
                taken, again = read(await self._once(chat))
                self._keep(taken)
        except ModelError as error:
            return self._in_vain(error, otherwise)
        return self._chosen(taken, otherwise)

    async def _once(self, chat: PartyChat | SoloChat) -> Reply:
        """Ask, and give the reply. Raises ModelError."""
        messages = chat.messages()
        self._told.append(messages[-1].content)
        decision = await self._agent.act({"messages": messages, "tools": ()}, {})
        if decision.text is None:
            raise AgentError(f"agent {self._agent.name!r} of a conversation answered with an index, not with words")
        reply = decision.text if isinstance(decision.text, Reply) else Reply(text=decision.text)
        self._calls.append((reply, decision.usage, decision.model))
        return reply

    def _keep(self, read: PartyReply) -> None:
        """Keep the last reply with what it was taken for."""
        reply, usage, model = self._calls[-1]
        stored, reasoning = kept_reply(reply, read.reasoning)
        self._kept.append(
            ReplyRecord(reply=stored, verdict=read.verdict, reasoning=reasoning, usage=usage, model=model)
        )

    def _chosen(self, read: PartyReply, otherwise: int) -> Choice:
        """The choice that the last reply makes; `otherwise` where it makes none."""
        if read.verdict is Verdict.ACTION and read.action is not None:
            return Choice(action=read.action, message=read.message, **self._kept_so_far())
        status: dict[Verdict, ChoiceStatus] = {Verdict.REFUSED: "refused", Verdict.CUT_OFF: "cut_off"}
        return Choice(
            action=otherwise,
            status=status.get(read.verdict, "unparsed"),
            **self._kept_so_far(),
        )

    def _in_vain(self, error: ModelError, otherwise: int) -> Choice:
        """The choice where a call had no answer."""
        status: ChoiceStatus = "provider_error"
        if isinstance(error, ContextOverflow):
            status = "context_overflow"
        elif isinstance(error, BudgetExceeded):
            status = "budget"
        kept = self._kept_so_far()
        kept["usage"] += Usage(calls=calls_of(error))
        return Choice(action=otherwise, status=status, error=reason(error), **kept)

    def _kept_so_far(self) -> dict[str, Any]:
        return {
            "told": tuple(self._told),
            "replies": tuple(self._kept),
            "usage": sum((usage for _, usage, _ in self._calls), Usage()),
        }
