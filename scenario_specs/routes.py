"""Shortest and irredundant action sequences to a label, and the side each action is on.

Source: docs/scenario-format.md sections 1 (side) and 3 (routes); own design. All functions work on the *waiting*
tables, `compile_machine(machine, wait=True)`: A real actions, then one column for the wait, a tool of proofs only.
Following real actions alone from state 0 visits exactly the states of the ordinary tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from conflictbench.scenario_specs.tables import Tables

UNREACHABLE = 10_000  # more steps than any window holds
MAX_LISTED = 12**4 + 12**5  # sequences: what the twelve actions of rule 10 and the four steps of rule 1 can give
Route = tuple[int, ...]
Side = Literal["human", "agent", "both", "neutral"]


@dataclass(frozen=True, kw_only=True)
class Routes:
    """What leads from the start to one label in at most `shortest + 1` accepted actions, shortest first."""

    shortest: int | None  # None: the label cannot be reached
    sequences: tuple[Route, ...]  # every accepted sequence; only the first one where they are too many
    irredundant: tuple[Route, ...]  # those from which nothing can be left out, nor replaced by a wait
    unlisted: int = 0  # number of accepted sequences, where they are more than `MAX_LISTED`

    @property
    def total(self) -> int:
        """Number of accepted sequences, listed or not."""
        return self.unlisted or len(self.sequences)

    @property
    def shortest_sequences(self) -> tuple[Route, ...]:
        return tuple(route for route in self.sequences if len(route) == self.shortest)

    @cached_property
    def sets(self) -> tuple[frozenset[int], ...]:
        """Different sets of actions among the irredundant routes, sorted by size, then by their indices."""
        return tuple(sorted({frozenset(route) for route in self.irredundant}, key=lambda s: (len(s), sorted(s))))

    @cached_property
    def actions(self) -> frozenset[int]:
        """Actions that lie on an irredundant route."""
        return frozenset(action for route in self.irredundant for action in route)


def distances(tables: Tables, targets: NDArray[np.bool_], n_actions: int | None = None) -> NDArray[np.int32]:
    """Fewest accepted actions from each state to a target, shape (S,); `UNREACHABLE` where there is no way.

    Args:
        targets: bool, shape (S,).
        n_actions: only the first so many columns are used (leaves out the wait); all of them by default.
    """
    columns = tables.n_actions if n_actions is None else n_actions
    steps = np.where(targets, 0, UNREACHABLE).astype(np.int32)
    for turn in range(int(tables.turn.max()), -1, -1):
        rows = np.flatnonzero((tables.turn == turn) & (tables.outcome < 0))
        ahead = np.where(tables.accepted[rows, :columns], steps[tables.next_state[rows, :columns]] + 1, UNREACHABLE)
        steps[rows] = np.minimum(steps[rows], np.minimum(ahead.min(axis=1, initial=UNREACHABLE), UNREACHABLE))
    return steps


def reached(tables: Tables, n_actions: int) -> NDArray[np.bool_]:
    """States that the first `n_actions` actions alone can reach from state 0, shape (S,)."""
    seen = np.zeros(tables.n_states, dtype=np.bool_)
    seen[0] = True
    frontier = np.array([0], dtype=np.int64)
    while frontier.size:
        following = tables.next_state[frontier, :n_actions][tables.accepted[frontier, :n_actions]]
        frontier = np.unique(following)
        frontier = frontier[~seen[frontier]]
        seen[frontier] = True
    return seen


def find_routes(waiting: Tables, targets: NDArray[np.bool_]) -> Routes:
    """Every accepted sequence to a target of length <= shortest + 1, and which of them are irredundant.

    They are counted before they are listed: of more than `MAX_LISTED` only the first is given, and none as irredundant.

    Args:
        waiting: tables whose last column is the wait.
        targets: ended states of one label, bool, shape (S,).
    """
    n_actions = waiting.n_actions - 1
    steps = distances(waiting, targets, n_actions)
    if steps[0] >= UNREACHABLE:
        return Routes(shortest=None, sequences=(), irredundant=())
    lengths = (int(steps[0]), int(steps[0]) + 1)
    shortest = lengths[0]
    meets = [_in_time(waiting, targets, length) for length in lengths]
    total = sum(_count(waiting, inside, length) for inside, length in zip(meets, lengths, strict=True))
    if total > MAX_LISTED:
        first = _sequences(waiting, meets[0], shortest, limit=1)
        return Routes(shortest=shortest, sequences=_as_routes([first]), irredundant=(), unlisted=total)
    found = [_sequences(waiting, inside, length) for inside, length in zip(meets, lengths, strict=True)]
    needed = [sequences[_irredundant(waiting, targets, sequences)] for sequences in found]
    return Routes(shortest=shortest, sequences=_as_routes(found), irredundant=_as_routes(needed))


def sides(human: Routes, agent: Routes, n_actions: int) -> tuple[Side, ...]:
    """The side of each action: on the irredundant routes of the human label, of agent_by_choice, of both, of none."""
    table: dict[tuple[bool, bool], Side] = {
        (True, False): "human",
        (False, True): "agent",
        (True, True): "both",
        (False, False): "neutral",
    }
    return tuple(table[action in human.actions, action in agent.actions] for action in range(n_actions))


def replay(tables: Tables, sequences: NDArray[np.int64], targets: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Whether each sequence, played from the start until it ends, is accepted throughout and meets a target.

    Args:
        sequences: column indices, shape (n, length).
        targets: bool, shape (S,).
    Returns: bool, shape (n,). What stands behind the step that meets the target does not count.
    """
    state = np.zeros(len(sequences), dtype=np.int64)
    alive = np.ones(len(sequences), dtype=np.bool_)
    for column in sequences.T:
        moving = ~targets[state]
        alive &= ~moving | tables.accepted[state, column]
        state = np.where(moving & alive, tables.next_state[state, column], state)
    return alive & targets[state]


def _in_time(waiting: Tables, targets: NDArray[np.bool_], length: int) -> NDArray[np.bool_]:
    """States from which a target is met after `length` real actions from the start in all, no earlier, shape (S,)."""
    n_actions = waiting.n_actions - 1
    meets: NDArray[np.bool_] = targets & (waiting.turn == length)
    for turn in range(length - 1, -1, -1):  # every accepted action costs one turn
        rows = np.flatnonzero((waiting.turn == turn) & (waiting.outcome < 0))
        ahead = waiting.accepted[rows, :n_actions] & meets[waiting.next_state[rows, :n_actions]]
        meets[rows] = ahead.any(axis=1)
    return meets


def _count(waiting: Tables, meets: NDArray[np.bool_], length: int) -> int:
    """Number of accepted sequences of `length` real actions that stay in `meets`."""
    state, ways = np.zeros(1, dtype=np.int64), np.ones(1, dtype=np.int64)
    for _ in range(length):
        row, action = np.nonzero(_useful(waiting, meets, state))
        after, met = np.unique(waiting.next_state[state[row], action], return_inverse=True)
        total = np.zeros(len(after), dtype=np.int64)
        np.add.at(total, met, ways[row])
        state, ways = after.astype(np.int64), total
    return int(ways.sum())


def _sequences(
    waiting: Tables, meets: NDArray[np.bool_], length: int, *, limit: int | None = None
) -> NDArray[np.int64]:
    """Accepted sequences of `length` real actions that stay in `meets`, in order, shape (n, length).

    Args:
        limit: only the first so many; all of them by default.
    """
    state = np.zeros(1, dtype=np.int64)
    paths = np.zeros((1, 0), dtype=np.int64)
    for _ in range(length):
        # Every beginning can be finished, so cutting the list never loses the first ones.
        row, action = (found[:limit] for found in np.nonzero(_useful(waiting, meets, state)))
        paths = np.column_stack((paths[row], action))
        state = waiting.next_state[state[row], action].astype(np.int64)
    return paths


def _useful(waiting: Tables, meets: NDArray[np.bool_], state: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Real actions that are accepted and stay in `meets`, shape (n, A)."""
    n_actions = waiting.n_actions - 1
    useful: NDArray[np.bool_] = waiting.accepted[state, :n_actions] & meets[waiting.next_state[state, :n_actions]]
    return useful


def _irredundant(waiting: Tables, targets: NDArray[np.bool_], sequences: NDArray[np.int64]) -> NDArray[np.bool_]:
    needed = np.ones(len(sequences), dtype=np.bool_)
    for position in range(sequences.shape[1]):
        dropped = np.delete(sequences, position, axis=1)
        waited = sequences.copy()
        waited[:, position] = waiting.n_actions - 1
        needed &= ~replay(waiting, dropped, targets) & ~replay(waiting, waited, targets)
    return needed


def _as_routes(found: Sequence[NDArray[np.int64]]) -> tuple[Route, ...]:
    return tuple(tuple(route) for sequences in found for route in sequences.tolist())
