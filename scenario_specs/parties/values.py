"""What a game is worth, start by start: every figure the bars of docs/two-party.md ask for. Own design."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from conflictbench.scenario_specs.parties.backward import backward
from conflictbench.scenario_specs.parties.bots import Population
from conflictbench.scenario_specs.parties.correlated import correlated_equilibrium
from conflictbench.scenario_specs.parties.equilibria import Equilibria, pure_equilibria
from conflictbench.scenario_specs.parties.policies import (
    PairValues,
    Policy,
    at,
    own_aim,
    passive,
    path,
    play,
    recorded,
    reply,
)
from conflictbench.scenario_specs.parties.tables import JointStart, JointTables
from conflictbench.scenario_specs.parties.worth import UNIT
from conflictbench.scenario_specs.parties.zero_sum import Guaranteed, contest, out_of_reach

NEVER = 10_000  # turns to what cannot be reached


@dataclass(frozen=True, kw_only=True)
class StartValues:
    """Figures of one start. Payoffs and worths are on the scale of the file, costs taken off; pairs as everywhere."""

    start: JointStart
    window: int
    states: int  # reachable from here
    edges: int  # legal pairs of moves in them
    human_turns: int | None  # fewest with both helping
    maximin: tuple[float, float]
    contest: float  # chance of the human outcome that a requester can force
    unyielding: bool  # a requester gets there against an incumbent that never concedes and answers well
    alone: bool  # a requester gets there while the incumbent holds
    plan: PairValues  # fair against fair
    keep_fair: PairValues
    keep_best: PairValues  # keep against the requester's best reply
    block_persist: PairValues
    tempted: tuple[float, float]  # best reply to the other's `fair` minus the plan, closed loop
    tempted_blind: tuple[float, float]  # the same against the other's recorded moves
    pareto: tuple[tuple[float, float], ...]  # worths that nothing beats, costs aside
    both_reachable: bool
    slack: int | None  # turns both can idle first and still have both outcomes
    random_pair: PairValues
    optimum: float  # most for both together
    equilibria: tuple[tuple[float, float, float], ...]  # incumbent, requester, human
    correlated: tuple[tuple[float, float], tuple[float, float]] | None  # best and worst for both, if asked for

    @property
    def anarchy(self) -> float:
        """Optimum over the worst pure equilibrium."""
        return _ratio(self.optimum, min(i + r for i, r, _ in self.equilibria))

    @property
    def stability(self) -> float:
        """Optimum over the best pure equilibrium."""
        return _ratio(self.optimum, max(i + r for i, r, _ in self.equilibria))

    @property
    def kind(self) -> str:
        """sacrifice, standoff or aligned: the human outcome in no, some or every pure equilibrium."""
        chances = [human for _, _, human in self.equilibria]
        if max(chances) == 0.0:
            return "sacrifice"
        return "aligned" if min(chances) == 1.0 else "standoff"


def _ratio(optimum: float, equilibrium: float) -> float:
    return optimum / equilibrium if equilibrium > 0.0 else float("inf")


@dataclass(frozen=True, eq=False)
class Solution:
    """A solved game: what no single start owns, and the values of each."""

    bots: Population
    full: bool = False  # correlated equilibria too

    @property
    def tables(self) -> JointTables:
        return self.bots.tables

    @cached_property
    def equilibria(self) -> Equilibria:
        return pure_equilibria(self.tables)

    @cached_property
    def starts(self) -> tuple[StartValues, ...]:
        """In the order of the tables' starts."""
        return tuple(self._values(start) for start in self.tables.starts)

    @cached_property
    def programmes(self) -> int:
        """Stages of the zero-sum games without a pure saddle point."""
        return self._contest.programmes + sum(sure.programmes for sure in self.bots.sure)

    @cached_property
    def _contest(self) -> Guaranteed:
        return contest(self.tables)

    @cached_property
    def _pairs(self) -> dict[str, NDArray[np.float64]]:
        tables, mine, other = self.tables, self.bots.incumbents, self.bots.requesters
        best, _ = reply(tables, mine["keep"], own_aim(tables, 1), self.bots.sure[1].value)
        return {
            "plan": play(tables, mine["fair"], other["fair"]),
            "keep_fair": play(tables, mine["keep"], other["fair"]),
            "keep_best": play(tables, mine["keep"], best),
            "block_persist": play(tables, mine["block"], other["persist"]),
            "random": play(tables, mine["random"], other["random"]),
        }

    @cached_property
    def _human_turns(self) -> NDArray[np.int64]:
        return fewest_turns(self.tables, self.tables.latched[:, 0])

    @cached_property
    def _both_turns(self) -> NDArray[np.int64]:
        return fewest_turns(self.tables, self.tables.latched[:, 0] & self.tables.latched[:, 1])

    @cached_property
    def _unyielding(self) -> NDArray[np.bool_]:
        moves = np.broadcast_to(~self.tables.yields, self.tables.legal[0].shape)
        return ~out_of_reach(self.tables, moves)

    @cached_property
    def _alone(self) -> NDArray[np.bool_]:
        holds = passive(self.tables, 0).weights > 0.0
        return ~out_of_reach(self.tables, holds)

    @cached_property
    def _optimum(self) -> NDArray[np.int64]:
        tables = self.tables
        gain = tables.reward[0] + tables.reward[1]
        low = np.iinfo(np.int64).min // 4

        def stage(layer: slice, following: NDArray[np.int64]) -> NDArray[np.int64]:
            key = np.where(tables.allowed[layer], following + gain[layer], low)
            return np.asarray(key.max(axis=(1, 2)))

        return backward(tables, tables.worth.sum(axis=1).astype(np.int64), stage)

    @cached_property
    def _correlated(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        best, worst = (correlated_equilibrium(self.tables, best=best).payoffs for best in (True, False))
        return best, worst

    def _values(self, start: JointStart) -> StartValues:
        tables, state = self.tables, start.state
        inside = reachable(tables, state)
        plan = at(self._pairs["plan"], state, UNIT)
        both = int(self._both_turns[state]) < NEVER
        human_turns = int(self._human_turns[state])
        correlated = None
        if self.full:
            best, worst = (tuple((values[state] / UNIT).tolist()) for values in self._correlated)
            correlated = ((best[0], best[1]), (worst[0], worst[1]))
        return StartValues(
            start=start,
            window=int(tables.turn[-1]),
            states=int(inside.sum()),
            edges=int(tables.allowed[inside & ~tables.done].sum()),
            human_turns=human_turns if human_turns < NEVER else None,
            maximin=(self._sure(0, state), self._sure(1, state)),
            contest=float(self._contest.value[state]),
            unyielding=bool(self._unyielding[state]),
            alone=bool(self._alone[state]),
            plan=plan,
            keep_fair=at(self._pairs["keep_fair"], state, UNIT),
            keep_best=at(self._pairs["keep_best"], state, UNIT),
            block_persist=at(self._pairs["block_persist"], state, UNIT),
            tempted=(self._tempted(0, state, plan), self._tempted(1, state, plan)),
            tempted_blind=(self._tempted_blind(0, state, plan), self._tempted_blind(1, state, plan)),
            pareto=pareto(tables.worth[inside & tables.done]),
            both_reachable=both,
            slack=self._slack(state) if both else None,
            random_pair=at(self._pairs["random"], state, UNIT),
            optimum=float(self._optimum[state]) / UNIT,
            equilibria=tuple((a / UNIT, b / UNIT, h / UNIT) for a, b, h in self.equilibria.of(state).tolist()),
            correlated=correlated,
        )

    def _sure(self, party: int, state: int) -> float:
        return float(self.bots.sure[party].value[state]) / UNIT

    def _fair(self, party: int) -> Policy:
        return (self.bots.incumbents if party == 0 else self.bots.requesters)["fair"]

    @cached_property
    def _replies_to_fair(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        incumbent, requester = (self._best_against(self._fair(1 - party)) for party in (0, 1))
        return incumbent, requester

    def _best_against(self, other: Policy) -> NDArray[np.float64]:
        """Payoff (S,) in units of the best reply to a policy."""
        party = 1 - other.party
        best, _ = reply(self.tables, other, own_aim(self.tables, party), self.bots.sure[party].value)
        values = play(self.tables, *((best, other) if party == 0 else (other, best)))
        return values[:, party]

    def _tempted(self, party: int, state: int, plan: PairValues) -> float:
        gained = float(self._replies_to_fair[party][state]) / UNIT
        return gained - (plan.incumbent if party == 0 else plan.requester)

    def _tempted_blind(self, party: int, state: int, plan: PairValues) -> float:
        turns = path(self.tables, self._fair(0), self._fair(1), state)
        other = recorded(self.tables, 1 - party, [turn[2 - party] for turn in turns])
        gained = float(self._best_against(other)[state]) / UNIT
        return gained - (plan.incumbent if party == 0 else plan.requester)

    def _slack(self, state: int) -> int:
        """Turns of nothing but holding after which both outcomes can still be had."""
        turns = 0
        while not self.tables.done[state]:
            state = int(self.tables.next_state[state, 0, 0])
            if self._both_turns[state] >= NEVER:
                break
            turns += 1
        return turns


def fewest_turns(tables: JointTables, goal: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Turns to a state in which `goal` (S,) holds, with both helping; NEVER where it cannot be had."""

    def stage(layer: slice, following: NDArray[np.int64]) -> NDArray[np.int64]:
        soonest = np.where(tables.allowed[layer], following, NEVER).min(axis=(1, 2))
        return np.where(goal[layer], 0, np.minimum(soonest + 1, NEVER))

    return backward(tables, np.where(goal, 0, NEVER).astype(np.int64), stage)


def reachable(tables: JointTables, state: int) -> NDArray[np.bool_]:
    """(S,): states some play from here comes through."""
    seen = np.zeros(tables.n_states, np.bool_)
    seen[state] = True
    for layer in tables.layers:
        here = np.flatnonzero(seen[layer]) + layer.start
        seen[tables.next_state[here].ravel()] = True
    return seen


def pareto(worths: NDArray[np.int32]) -> tuple[tuple[float, float], ...]:
    """Worths that no others beat for one party without costing the other, best for the incumbent first."""
    front: list[tuple[int, int]] = []
    for mine, other in sorted({(int(a), int(b)) for a, b in worths}, reverse=True):
        if not front or other > front[-1][1]:
            front.append((mine, other))
    return tuple((mine / UNIT, other / UNIT) for mine, other in front)
