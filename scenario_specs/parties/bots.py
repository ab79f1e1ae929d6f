"""The background population of a game, derived from its tables: nobody writes a bot by hand.

Source: docs/two-party.md ("Background population"). Incumbents: keep, fair, yielder, block, cautious, random;
requesters: fair, persist, grab, cautious, random.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from conflictbench.errors import UnknownName
from conflictbench.scenario_specs.parties.backward import FAR, against
from conflictbench.scenario_specs.parties.block import Role
from conflictbench.scenario_specs.parties.policies import (
    Aim,
    Policy,
    first_best,
    fixed,
    joint_plan,
    own_aim,
    passive,
    reply,
    scaled,
    uniform,
)
from conflictbench.scenario_specs.parties.tables import JointTables, read_only
from conflictbench.scenario_specs.parties.zero_sum import Guaranteed, guaranteed, out_of_reach

INCUMBENTS = ("keep", "fair", "yielder", "block", "cautious", "random")
REQUESTERS = ("fair", "persist", "grab", "cautious", "random")
BOTS: Mapping[Role, tuple[str, ...]] = {"incumbent": INCUMBENTS, "requester": REQUESTERS}
SUMMARIES: Mapping[str, str] = {
    "keep": "best reply to a requester that holds",
    "fair": "its part of the joint plan: both outcomes if they can be had, else the most for both together",
    "yielder": "the human outcome as early as it can be had together, then its own",
    "block": "best reply to a requester that holds, by moves alone that keep the human outcome out of reach",
    "cautious": "what it can make sure of",
    "random": "every legal move alike",
    "persist": "the human outcome against `keep`; where that is lost, what costs the incumbent most",
    "grab": "best reply to `yielder`",
}

_MUCH = 1e9  # above every payoff key: a first aim is never traded for a second


@dataclass(frozen=True, eq=False)
class Population:
    """All bots of one game; each is derived when it is first asked for."""

    tables: JointTables

    def get(self, role: Role, name: str) -> Policy:
        """The bot of this name in this chair.

        Raises:
            UnknownName: no such bot in this chair.
        """
        if name not in BOTS[role]:
            raise UnknownName(f"bot of the {role}", name, BOTS[role])
        bots = self.incumbents if role == "incumbent" else self.requesters
        return bots[name]

    @cached_property
    def incumbents(self) -> Mapping[str, Policy]:
        """Name -> policy, in the order of INCUMBENTS."""
        made = (self.keep, self._fair[0], self.yielder, self.block, self._cautious(0), uniform(self.tables, 0))
        return _named(INCUMBENTS, made)

    @cached_property
    def requesters(self) -> Mapping[str, Policy]:
        """Name -> policy, in the order of REQUESTERS."""
        made = (self._fair[1], self.persist, self.grab, self._cautious(1), uniform(self.tables, 1))
        return _named(REQUESTERS, made)

    @cached_property
    def sure(self) -> tuple[Guaranteed, Guaranteed]:
        """Guaranteed values of both parties."""
        both = guaranteed(self.tables, 0), guaranteed(self.tables, 1)
        for sure in both:
            for array in (sure.value, sure.good, sure.mixture):
                read_only(array)
        return both

    @cached_property
    def _keeping(self) -> tuple[Policy, NDArray[np.float64]]:
        other, aim = passive(self.tables, 1), own_aim(self.tables, 0)
        return reply(self.tables, other, aim, self.sure[0].value, name="keep")

    @property
    def keep(self) -> Policy:
        return self._keeping[0]

    @cached_property
    def _fair(self) -> tuple[Policy, Policy]:
        tables = self.tables
        final = tables.latched.all(axis=1) * _MUCH + scaled(tables.worth.sum(axis=1))
        gain = scaled(tables.reward[0] + tables.reward[1]) + tables.latched.sum(axis=1)[tables.next_state]
        mine, other, _ = joint_plan(tables, Aim(final=final, gain=gain), self._both_sure)
        return fixed(tables, 0, mine, "fair"), fixed(tables, 1, other, "fair")

    @property
    def _both_sure(self) -> NDArray[np.float64]:
        return np.asarray(self.sure[0].value + self.sure[1].value)

    @cached_property
    def yielder(self) -> Policy:
        tables = self.tables
        human, task = (tables.latched[:, latch].astype(np.float64)[tables.next_state] for latch in (0, 1))
        aim = Aim(final=scaled(tables.worth[:, 0]), gain=human * _MUCH + scaled(tables.reward[0]) + task)
        mine, _, _ = joint_plan(tables, aim, self._both_sure)
        return fixed(tables, 0, mine, "yielder")

    @cached_property
    def block(self) -> Policy:
        """Where nothing is safe any more, all legal moves are open to it."""
        tables = self.tables
        safe = safe_moves(tables, tables.legal[0])
        only = np.where(safe.any(axis=1, keepdims=True), safe, tables.legal[0])
        other, aim = passive(tables, 1), own_aim(tables, 0)
        return reply(tables, other, aim, self.sure[0].value, only=only, name="block")[0]

    @cached_property
    def grab(self) -> Policy:
        return reply(self.tables, self.yielder, own_aim(self.tables, 1), self.sure[1].value, name="grab")[0]

    @cached_property
    def persist(self) -> Policy:
        """Presses on: where `keep` can still be made to give way it does that first, elsewhere it makes it pay."""
        tables, keep, sure = self.tables, self.keep, self.sure[1].value
        human = tables.latched[:, 0].astype(np.float64)[tables.next_state]
        wins = Aim(final=scaled(tables.worth[:, 1]), gain=human * _MUCH + scaled(tables.reward[1]))
        presses = Aim(final=-scaled(tables.worth[:, 0]), gain=-scaled(tables.reward[0]) + tables.reward[1])
        winning, key = reply(tables, keep, wins, sure)
        pressing, _ = reply(tables, keep, presses, sure)
        return fixed(tables, 1, np.where(key >= _MUCH / 2, winning.moves, pressing.moves), "persist")

    def _cautious(self, party: int) -> Policy:
        """Among moves that secure its value, the one that does best against an other that holds."""
        tables, sure = self.tables, self.sure[party]
        other, aim = passive(tables, 1 - party), own_aim(tables, party)
        _, value = reply(tables, other, aim, sure.value)
        score = against(other.weights, value[tables.next_state] + aim.gain, party)
        chosen = fixed(tables, party, first_best(sure.good, np.where(sure.good, score, -FAR)))
        mixed = sure.mixture.any(axis=1, keepdims=True)
        return Policy(name="cautious", party=party, weights=np.where(mixed, sure.mixture, chosen.weights))


def _named(names: tuple[str, ...], made: Sequence[Policy]) -> Mapping[str, Policy]:
    for policy in made:
        read_only(policy.weights)
    return dict(zip(names, made, strict=True))


def safe_moves(tables: JointTables, moves: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(S, Mi): moves out of `moves` after which no requester reaches the human outcome, if only they are played."""
    safe = out_of_reach(tables, moves)
    stays = np.where(tables.legal[1][:, None, :], safe[tables.next_state], True).all(axis=2)
    return np.asarray(moves & tables.legal[0] & stays)
