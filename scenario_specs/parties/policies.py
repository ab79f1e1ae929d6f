"""Policies over a joint game as tables, replies to them, joint plans, and what a pair of policies comes to. Own design.

Ties between moves that are worth the same go to the earliest latch, then to the move that leaves more guaranteed,
then to the lowest index: ties broken by index alone procrastinate (docs/two-party.md, drafts that failed).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from conflictbench.scenario_specs.parties.backward import FAR, against, backward
from conflictbench.scenario_specs.parties.tables import JointTables

Floats = NDArray[np.float64]
SCALE = 1_000.0  # of payoffs beside turns with a latch: a latch breaks ties, never more
NEAR = 1e-3  # keys closer than this are a tie; one unit is SCALE


@dataclass(frozen=True, kw_only=True, eq=False)
class Policy:
    """What a party plays in every state."""

    name: str
    party: int
    weights: Floats  # (S, M) probabilities; legal moves only

    @property
    def moves(self) -> NDArray[np.int64]:
        """The likeliest move in each state, (S,); the move itself where the policy is deterministic."""
        return np.asarray(np.argmax(self.weights, axis=1), np.int64)

    @property
    def deterministic(self) -> bool:
        return bool((self.weights.max(axis=1) == 1.0).all())


@dataclass(frozen=True, kw_only=True, eq=False)
class Aim:
    """What a party, or both together, maximise: a key that adds up along a play."""

    final: Floats  # (S,) where the game is over
    gain: Floats  # (S, Mi, Mr) of each turn


def own_aim(tables: JointTables, party: int) -> Aim:
    """A party's payoff, then its own outcome (task, human) as early as may be."""
    early = tables.latched[:, 1 - party].astype(np.float64)
    return Aim(final=scaled(tables.worth[:, party]), gain=scaled(tables.reward[party]) + early[tables.next_state])


def scaled(units: NDArray[Any]) -> Floats:
    """Payoffs as a key: in units times SCALE."""
    return np.asarray(units, np.float64) * SCALE


def fixed(tables: JointTables, party: int, moves: NDArray[np.int64], name: str = "") -> Policy:
    """A deterministic policy from a move for each state."""
    weights = np.zeros(tables.legal[party].shape)
    weights[np.arange(tables.n_states), moves] = 1.0
    return Policy(name=name, party=party, weights=weights)


def passive(tables: JointTables, party: int) -> Policy:
    """Holds in every state."""
    return fixed(tables, party, np.zeros(tables.n_states, np.int64), "passive")


def uniform(tables: JointTables, party: int) -> Policy:
    """Every legal move alike, hold among them."""
    legal = tables.legal[party].astype(np.float64)
    return Policy(name="random", party=party, weights=legal / legal.sum(axis=1, keepdims=True))


def recorded(tables: JointTables, party: int, moves: Sequence[int]) -> Policy:
    """The same move in turn t whatever the state: what the other is seen to have played. Where illegal, it is held."""
    by_turn = np.zeros(int(tables.turn[-1]) + 1, np.int64)
    by_turn[: len(moves)] = moves
    return fixed(tables, party, by_turn[tables.turn], "recorded")


def reply(
    tables: JointTables,
    other: Policy,
    aim: Aim,
    tie: Floats,
    *,
    only: NDArray[np.bool_] | None = None,
    name: str = "",
) -> tuple[Policy, Floats]:
    """The best reply to a policy, and its key in each state.

    Args:
        tie: (S,) what is left guaranteed in each state; decides between moves with the same key.
        only: (S, M) moves that may be chosen, if not all legal ones; at least one in each state.
    """
    party = 1 - other.party
    may = tables.legal[party] if only is None else only
    chosen = np.zeros(tables.n_states, np.int64)

    def stage(layer: slice, following: Floats) -> Floats:
        key = np.where(may[layer], against(other.weights[layer], following + aim.gain[layer], party), -FAR)
        best = key.max(axis=1)
        left = against(other.weights[layer], tie[tables.next_state[layer]], party)
        chosen[layer] = first_best(key >= best[:, None] - NEAR, left)
        return np.asarray(best)

    values = backward(tables, aim.final, stage)
    return fixed(tables, party, chosen, name), values


def first_best(candidates: NDArray[np.bool_], score: Floats) -> NDArray[np.int64]:
    """Index of the first candidate with the highest score in each row."""
    held = np.where(candidates, score, -FAR)
    return np.asarray(np.argmax(held >= held.max(axis=1, keepdims=True) - NEAR, axis=1), np.int64)


def joint_plan(tables: JointTables, aim: Aim, tie: Floats) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
    """Moves of both in each state, (S,) each, that maximise a key together; and the key."""
    chosen = np.zeros((tables.n_states, 2), np.int64)
    width = tables.n_moves[1]

    def stage(layer: slice, following: Floats) -> Floats:
        n = layer.stop - layer.start
        key = np.where(tables.allowed[layer], following + aim.gain[layer], -FAR).reshape(n, -1)
        best = key.max(axis=1)
        left = tie[tables.next_state[layer]].reshape(n, -1)
        pair = first_best(key >= best[:, None] - NEAR, left)
        chosen[layer, 0], chosen[layer, 1] = pair // width, pair % width
        return np.asarray(best)

    values = backward(tables, aim.final, stage)
    return chosen[:, 0], chosen[:, 1], values


@dataclass(frozen=True, kw_only=True)
class PairValues:
    """What two policies come to from one state: payoffs with costs, and chances of each latch at the end."""

    incumbent: float
    requester: float
    human: float
    task: float
    both: float

    @property
    def welfare(self) -> float:
        return self.incumbent + self.requester


def play(tables: JointTables, incumbent: Policy, requester: Policy) -> Floats:
    """Expected (incumbent payoff, requester payoff, human, task, both) of a pair from every state, (S, 5) in units."""
    human, task = tables.latched[:, 0], tables.latched[:, 1]
    final = np.column_stack([tables.worth, human, task, human & task]).astype(np.float64)

    def stage(layer: slice, following: Floats) -> Floats:
        following[..., 0] += tables.reward[0][layer]
        following[..., 1] += tables.reward[1][layer]
        return np.asarray(
            np.einsum("nirk,ni,nr->nk", following, incumbent.weights[layer], requester.weights[layer], optimize=True)
        )

    return backward(tables, final, stage)


def at(values: Floats, state: int, unit: int) -> PairValues:
    """The values of `play` in one state, payoffs on the scale of the file."""
    row = values[state]
    return PairValues(
        incumbent=float(row[0]) / unit,
        requester=float(row[1]) / unit,
        human=float(row[2]),
        task=float(row[3]),
        both=float(row[4]),
    )


def path(tables: JointTables, incumbent: Policy, requester: Policy, state: int) -> list[tuple[int, int, int]]:
    """The play of two deterministic policies: (state, incumbent's move, requester's move) of each turn."""
    first, second = incumbent.moves, requester.moves
    turns = []
    while not tables.done[state]:
        i, r = int(first[state]), int(second[state])
        turns.append((state, i, r))
        state = int(tables.next_state[state, i, r])
    return turns
