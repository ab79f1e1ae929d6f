"""From the key of a play to its record: the world at its start, the chairs filled, faults kept. Own design."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from conflictbench.agents.models import CallLabels, ModelOptions, OnCall, labelled
from conflictbench.agents.sb3 import SB3Agent
from conflictbench.benchmarks.cast import Cast
from conflictbench.benchmarks.crossplay.chairs import BotChair, Chair, ModelChair, PolicyChair, SoloChairs
from conflictbench.benchmarks.crossplay.facts import GameFacts
from conflictbench.benchmarks.crossplay.fitting import check_policies
from conflictbench.benchmarks.crossplay.match import PlayUnit, play_out
from conflictbench.benchmarks.crossplay.play_record import PlayRecord
from conflictbench.benchmarks.crossplay.seats import Seat
from conflictbench.benchmarks.episode_log import to_line
from conflictbench.benchmarks.faults import reason, status_of
from conflictbench.benchmarks.units import episode_marker
from conflictbench.protocols import AsyncAgent
from conflictbench.scenario_specs.parties.block import ROLES
from conflictbench.types import Task
from conflictbench.wrappers.chat.party import PartyChat, SoloChat

if TYPE_CHECKING:
    from conflictbench.envs.task_conflict.env import TaskConflictEnv


class Company:
    """Everybody who plays: one model for each `llm:` seat, shared by its plays; policies are loaded once."""

    def __init__(
        self,
        seats: Sequence[Seat],
        games: Sequence[GameFacts],
        options: ModelOptions | None,
        on_call: OnCall | None = None,
    ) -> None:
        """Make the models; policies are loaded by `load`.

        Raises:
            ModelError, UnknownName, NotYetAvailable: one of them cannot be made.
        """
        self._seats = {seat.name: seat for seat in seats}
        self._facts = {facts.joint.id: facts for facts in games}
        self._options = options or ModelOptions()
        self.casts: Mapping[str, Cast] = {
            seat.name: Cast(seat.name, options, on_call=on_call) for seat in seats if seat.kind == "llm"
        }
        self._policies: dict[str, SB3Agent] = {}
        self._worlds: dict[tuple[Any, ...], list[TaskConflictEnv]] = {}

    def load(self) -> None:
        """Load the policies, last of all: reading one runs code that stands in its file.

        Raises:
            AgentError, NotYetAvailable: one cannot be loaded.  RunError: one does not fit a chair it would sit in.
        """
        self._policies = {
            seat.name: SB3Agent(str(Path(seat.name.partition(":")[2])))
            for seat in self._seats.values()
            if seat.kind == "sb3"
        }
        check_policies(self._policies, list(self._seats.values()), [facts.joint for facts in self._facts.values()])

    def given_up(self) -> str:
        """Why no call to some model will be answered; "" while there is hope."""
        return next((why for cast in self.casts.values() if (why := cast.given_up())), "")

    def notes(self) -> tuple[str, ...]:
        """What the models' layers have to say so far."""
        return tuple(dict.fromkeys(line for cast in self.casts.values() for line in cast.notes()))

    async def play(self, unit: PlayUnit) -> PlayRecord:
        """Play one unit; whatever goes wrong is in its record."""
        facts = self._facts[unit.key.scenario]
        label = CallLabels(episode=episode_marker(unit.key), attempt=unit.attempt, sample=str(unit.key.seed))
        with labelled(label):
            try:
                record = await self._played(unit, facts)
                to_line(record)
            except Exception as error:  # whatever an agent from outside raises is kept as this play's reason
                start = facts.starts[unit.key.start]
                record = PlayRecord(
                    key=unit.key,
                    attempt=unit.attempt,
                    status=status_of(error),
                    talk=unit.talk,
                    solo=unit.solo,
                    protocol=unit.protocol,
                    first=ROLES[start.first],
                    types=dict(start.types),
                    error=reason(error),
                )
        return record

    async def close(self) -> None:
        """Let go of the models' connections."""
        for cast in self.casts.values():
            await cast.close()

    async def _played(self, unit: PlayUnit, facts: GameFacts) -> PlayRecord:
        seats = self._seats[unit.key.incumbent], self._seats[unit.key.requester]
        trained = next((seat.scenarios for seat in seats if seat.scenarios), ())
        place = (trained or facts.joint.id, unit.talk)
        idle = self._worlds.setdefault(place, [])
        world = idle.pop() if idle else _world(facts, trained, unit.talk)
        try:
            world.reset(seed=unit.key.seed, options={"scenario": facts.joint.id, "start": unit.key.start})
            chairs: tuple[Chair, Chair] | SoloChairs
            if unit.solo:
                chat = SoloChat(world, (world.possible_agents[0], world.possible_agents[1]))
                chairs = SoloChairs(world, self._agent(seats[0], unit), chat)
            else:
                incumbent, requester = (self._chair(world, party, seat, unit) for party, seat in enumerate(seats))
                chairs = incumbent, requester
            return await play_out(world, chairs, unit, facts)
        finally:
            idle.append(world)

    def _chair(self, world: TaskConflictEnv, party: int, seat: Seat, unit: PlayUnit) -> Chair:
        seed = unit.key.seed
        match seat.kind:
            case "bot":
                return BotChair(world, party, world.joint.bots.get(ROLES[party], seat.name), seed)
            case "sb3":
                return PolicyChair(world, party, self._policies[seat.name], seed)
            case "llm":
                chat = PartyChat(world, world.possible_agents[party], unit.talk)
                return ModelChair(world, party, self._agent(seat, unit), chat)

    def _agent(self, seat: Seat, unit: PlayUnit) -> AsyncAgent:
        agent = self.casts[seat.name].make_async_agent()
        key = unit.key
        agent.reset(Task(env_id="task_conflict_v0", seed=key.seed, n_actions=0, scenario=key.scenario))
        return agent


def _world(facts: GameFacts, trained: Sequence[str], talk: str) -> TaskConflictEnv:
    """A world of the game, in the form that a policy was trained on where one plays."""
    from conflictbench.envs.task_conflict.env import TaskConflictEnv

    return TaskConflictEnv(scenario=list(trained) if trained else facts.joint, observation="features", talk=talk)
