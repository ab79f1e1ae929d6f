"""The compiled form of a two-party game: joint moves as NumPy tables, one row a reachable joint state. Own design.

Everything that plays, solves or proves a game reads these tables. Pairs go incumbent first, requester second.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from hashlib import blake2b
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Int = NDArray[np.int64]
Array = TypeVar("Array", bound=NDArray[Any])


def read_only(array: Array) -> Array:
    """The array itself, which nobody can write into any more: whoever asks for a table gets the only one."""
    array.setflags(write=False)
    return array


class MoveEvent(IntEnum):
    """What became of a party's move in one turn."""

    HELD = 0  # move 0
    DONE = 1  # it took effect, and its cost is charged
    REJECTED = 2  # illegal when chosen: a hold, flagged
    BUMPED = 3  # the other, served first, took its ground: no effect, turn spent, flagged


@dataclass(frozen=True, kw_only=True)
class JointStart:
    """One start of the game: who is served first in turn 0, and what the private variables begin with."""

    first: int  # 0 incumbent, 1 requester
    types: Mapping[str, int]  # stored values; empty where the file has no types
    state: int


@dataclass(frozen=True, kw_only=True, eq=False)
class JointTables:
    """S joint states, V variables, Mi and Mr moves (move 0 is hold). States are numbered by turn.

    A state holds the values, the turn, who is served first in it, and both latches. A state in which the game is over
    leads to itself; there, only hold is legal.
    """

    values: NDArray[np.int32]  # (S, V) stored values
    turn: NDArray[np.int16]  # (S,) turns finished
    first: NDArray[np.int8]  # (S,) party served first in this turn
    latched: NDArray[np.bool_]  # (S, 2) human, task: came true at the end of some turn
    done: NDArray[np.bool_]  # (S,) both latched, or the window closed
    known: NDArray[np.bool_]  # (S, V) value may be shown at all; who may see it is the game's to say
    legal: tuple[NDArray[np.bool_], NDArray[np.bool_]]  # (S, Mi), (S, Mr), judged at the start of the turn
    next_state: NDArray[np.uint16] | NDArray[np.uint32]  # (S, Mi, Mr)
    events: NDArray[np.uint8]  # (S, Mi, Mr) event of the incumbent + 4 * event of the requester
    worth: NDArray[np.int32]  # (S, 2) in 1/UNIT, of the cell a state stands in if the game ended there
    cost: tuple[Int, Int]  # (Mi,), (Mr,) in 1/UNIT
    yields: NDArray[np.bool_]  # (Mi,) concessions
    holder: NDArray[np.bool_]  # (S, C, 2) each of C contested things is held by each party
    starts: tuple[JointStart, ...]
    moves: tuple[tuple[str, ...], tuple[str, ...]]  # ids

    @property
    def n_states(self) -> int:
        return int(self.turn.shape[0])

    @property
    def n_moves(self) -> tuple[int, int]:
        return len(self.moves[0]), len(self.moves[1])

    @cached_property
    def layers(self) -> tuple[slice, ...]:
        """The states of each turn, first turn first."""
        last = int(self.turn[-1])
        edges = np.searchsorted(self.turn, np.arange(last + 2))
        return tuple(slice(int(a), int(b)) for a, b in pairwise(edges))

    def event(self, party: int) -> NDArray[np.uint8]:
        """Event of one party's move, shape (S, Mi, Mr)."""
        return (self.events & 3 if party == 0 else self.events >> 2).astype(np.uint8)

    @cached_property
    def reward(self) -> tuple[Int, Int]:
        """What each party gets at once, (S, Mi, Mr) in 1/UNIT: minus the cost of a move that took effect."""
        mine = np.where(self.event(0) == MoveEvent.DONE, -self.cost[0][None, :, None], 0)
        other = np.where(self.event(1) == MoveEvent.DONE, -self.cost[1][None, None, :], 0)
        return read_only(mine), read_only(other)

    @cached_property
    def allowed(self) -> NDArray[np.bool_]:
        """(S, Mi, Mr): both moves are legal."""
        return read_only(self.legal[0][:, :, None] & self.legal[1][:, None, :])

    @property
    def nbytes(self) -> int:
        """Bytes of all tables together."""
        return sum(int(array.nbytes) for _, array in self.arrays())

    @cached_property
    def digest(self) -> str:
        """32 hex digits over every table: two games that behave alike agree in it."""
        digest = blake2b(digest_size=16)
        for name, array in self.arrays():
            plain = np.ascontiguousarray(array)
            digest.update(f"{name}:{plain.dtype.str}:{plain.shape};".encode())
            digest.update(plain.tobytes())
        return digest.hexdigest()

    def arrays(self) -> Iterator[tuple[str, NDArray[np.generic]]]:
        """Every table by its name; those of two parties one after the other."""
        for name in self.__dataclass_fields__:
            value = getattr(self, name)
            for array in value if isinstance(value, tuple) else (value,):
                if isinstance(array, np.ndarray):
                    yield name, array
