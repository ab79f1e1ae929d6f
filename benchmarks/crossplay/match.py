"""One play through the environment: both chairs asked at once, phase by phase, and the record of it. Own design."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any

from conflictbench.benchmarks.crossplay.chairs import Chair, Choice, SoloChairs
from conflictbench.benchmarks.crossplay.course import follow, measure, regret_of
from conflictbench.benchmarks.crossplay.facts import GameFacts
from conflictbench.benchmarks.crossplay.plan import PlayKey, Talk
from conflictbench.benchmarks.crossplay.play_record import (
    Briefed,
    ChoiceRecord,
    OutcomeRecord,
    PhaseRecord,
    PlayRecord,
    SideRecord,
)
from conflictbench.scenario_specs.parties.block import HOLD, ROLES
from conflictbench.types import Status, Usage

if TYPE_CHECKING:
    from conflictbench.envs.task_conflict.env import TaskConflictEnv

_ENDS_IT = {"provider_error": Status.PROVIDER_ERROR, "budget": Status.BUDGET}  # no result of the party's


@dataclass(frozen=True, kw_only=True)
class PlayUnit:
    """One attempt at one play, ready to be played."""

    key: PlayKey
    attempt: int  # 1 for the first
    talk: Talk = "none"
    solo: bool = False
    protocol: str = ""  # id of the words that a model is sent; "" where none is


async def play_out(
    world: TaskConflictEnv, chairs: tuple[Chair, Chair] | SoloChairs, unit: PlayUnit, facts: GameFacts
) -> PlayRecord:
    """Play from where the environment stands to the end.

    Where a model has no answer to give for a reason that is not its own (its provider failed, a budget is spent) the
    play ends there, and is no result.

    Args:
        world: reset to the start of the unit's key.
    """
    phases: list[PhaseRecord] = []
    status, error = Status.COMPLETED, None
    result: dict[str, Any] | None = None
    while world.agents:
        choices = await _chosen(chairs)
        for choice in choices:
            if choice.status in _ENDS_IT:
                status, error = _ENDS_IT[choice.status], choice.error
        before = _Before.of(world)
        if status is not Status.COMPLETED:
            phases.append(before.phase_record(world, choices, None))
            break
        actions = {
            agent: _action(unit.talk, choice) for agent, choice in zip(world.possible_agents, choices, strict=True)
        }
        infos = world.step(actions)[4]
        phases.append(before.phase_record(world, choices, infos))
        result = infos[world.possible_agents[0]].get("result")
        for chair in (chairs,) if isinstance(chairs, SoloChairs) else chairs:
            chair.told()
    return _record(world, unit, facts, status, error, phases, result, _briefings(chairs))


def _briefings(chairs: tuple[Chair, Chair] | SoloChairs) -> dict[Briefed, str]:
    if isinstance(chairs, SoloChairs):
        return {"both": chairs.briefing}
    return {role: chair.briefing for role, chair in zip(ROLES, chairs, strict=True) if chair.briefing}


async def _chosen(chairs: tuple[Chair, Chair] | SoloChairs) -> tuple[Choice, Choice]:
    """Both choices on the same state, asked at once: the second to be asked must not know what the first one did."""
    if isinstance(chairs, SoloChairs):
        return await chairs.choose_both()
    async with asyncio.TaskGroup() as group:  # where one of them fails for good, the other is not left behind
        incumbent, requester = (group.create_task(chair.choose()) for chair in chairs)
    return incumbent.result(), requester.result()


def _action(talk: Talk, choice: Choice) -> Any:
    return {"act": choice.action, "message": choice.message} if talk == "text" else choice.action


@dataclass(frozen=True, kw_only=True)
class _Before:
    """What a phase is recorded with that the step changes."""

    turn: int
    phase: str
    first: int
    moves: tuple[tuple[str, ...], tuple[str, ...]]

    @classmethod
    def of(cls, world: TaskConflictEnv) -> _Before:
        tables, state = world.joint.tables, world.state_index
        return cls(
            turn=int(tables.turn[state]) + 1, phase=world.phase, first=int(tables.first[state]), moves=tables.moves
        )

    def phase_record(
        self, world: TaskConflictEnv, choices: Sequence[Choice], infos: dict[str, Any] | None
    ) -> PhaseRecord:
        """The record of the phase; without infos it was not carried out."""
        agents = world.possible_agents
        sides = [
            self._choice(n, choice, None if infos is None else infos[agents[n]]) for n, choice in enumerate(choices)
        ]
        return PhaseRecord(
            turn=self.turn,
            phase="talk" if self.phase == "talk" else "move",
            served_first=ROLES[self.first],
            incumbent=sides[0],
            requester=sides[1],
        )

    def _choice(self, party: int, choice: Choice, info: dict[str, Any] | None) -> ChoiceRecord:
        kept: dict[str, Any] = {"status": choice.status, "replies": choice.replies, "error": choice.error}
        kept |= {"told": choice.told, "usage": choice.usage}
        if self.phase == "talk":
            signal = None if info is None else info["said"]["signal"]
            heard = "" if info is None else info["heard"]["message"]
            return ChoiceRecord(signal=signal, message=choice.message, heard=heard, **kept)
        moves = self.moves[party]
        move = moves[choice.action] if choice.action < len(moves) else HOLD  # a padding index is no move of this game
        return ChoiceRecord(move=move, event=None if info is None else info["event"], **kept)


def _record(
    world: TaskConflictEnv,
    unit: PlayUnit,
    facts: GameFacts,
    status: Status,
    error: str | None,
    phases: Sequence[PhaseRecord],
    result: dict[str, Any] | None,
    briefings: dict[Briefed, str],
) -> PlayRecord:
    start = facts.starts[unit.key.start]
    moves = tuple(
        (
            facts.joint.tables.moves[0].index(phase.incumbent.move),
            facts.joint.tables.moves[1].index(phase.requester.move),
        )
        for phase in phases
        if phase.phase == "move" and phase.incumbent.move is not None and phase.requester.move is not None
    )
    by_role = [[phase.incumbent for phase in phases], [phase.requester for phase in phases]]
    usages = [_usage(choices) for choices in by_role]
    return PlayRecord(
        key=unit.key,
        attempt=unit.attempt,
        status=status,
        talk=unit.talk,
        solo=unit.solo,
        protocol=unit.protocol,
        first=ROLES[start.first],
        types=dict(start.types),
        moves=moves,
        outcome=None if result is None else _outcome(facts, start.state, moves, by_role, result),
        usage=usages[0] + usages[1],
        models=_models([choice for choices in by_role for choice in choices]),
        error=error,
        briefings=briefings,
        phases=tuple(phases),
    )


def _outcome(
    facts: GameFacts,
    state: int,
    moves: Sequence[tuple[int, int]],
    by_role: Sequence[Sequence[ChoiceRecord]],
    result: dict[str, Any],
) -> OutcomeRecord:
    course = follow(facts.measures, state, moves)
    figures = measure(facts.measures, course)
    told = result["payoffs"]
    if abs(told["incumbent"] - figures.incumbent) + abs(told["requester"] - figures.requester) > 1e-9:
        raise ValueError(f"the environment paid {told}, and the tables {figures.incumbent}, {figures.requester}")
    regret = regret_of(facts.measures, course, figures)
    sides = [
        SideRecord(
            payoff=payoff,
            scaled=facts.scaled(party, state, payoff),
            regret=regret[party],
            flagged=_flagged(by_role[party]),
            rejected=sum(choice.event == "rejected" for choice in by_role[party]),
            bumped=sum(choice.event == "bumped" for choice in by_role[party]),
            usage=_usage(by_role[party]),
            models=_models(by_role[party]),
        )
        for party, payoff in enumerate((figures.incumbent, figures.requester))
    ]
    return OutcomeRecord(
        cell=result["cell"],
        yield_turn=None if figures.yield_turn is None else int(figures.yield_turn),
        may_return=bool(figures.may_return),
        returned=bool(figures.returned),
        collateral=facts.collateral(state, figures),
        agreement=None if figures.agreement is None else int(figures.agreement),
        incumbent=sides[0],
        requester=sides[1],
    )


def _flagged(choices: Sequence[ChoiceRecord]) -> dict[str, int]:
    statuses = [choice.status for choice in choices if choice.status != "chosen"]
    return {status: statuses.count(status) for status in sorted(set(statuses))}


def _usage(choices: Sequence[ChoiceRecord]) -> Usage:
    return reduce(Usage.__add__, (choice.usage for choice in choices), Usage())


def _models(choices: Sequence[ChoiceRecord]) -> tuple[str, ...]:
    named = (reply.model for choice in choices for reply in choice.replies if reply.model)
    return tuple(dict.fromkeys(named))
