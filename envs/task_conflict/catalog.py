"""The joint tables of several games one after another, in the form that a vector of games steps by. Own design.

One gather of 8 bytes a step says where a game is next, what both get, what became of both moves and whether it is over.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from conflictbench.envs.fiction.tables.draws import splitmix64_rows
from conflictbench.envs.task_conflict.coding import ActionCoding
from conflictbench.envs.task_conflict.draws import START
from conflictbench.envs.task_conflict.features import EVENTS, FeatureLayout, Rows, layouts
from conflictbench.envs.task_conflict.playing import Playing
from conflictbench.scenario_specs.parties.tables import MoveEvent, read_only
from conflictbench.scenario_specs.parties.worth import UNIT

CELL = np.dtype([("next", np.int32), ("rewards", np.uint16), ("events", np.uint8), ("done", np.bool_)])
# `events` holds that of the incumbent, 4 times that of the requester, and a bit each for an index that is no move
NO_MOVE = (16, 32)
CELL_EVENTS = 64
HALF = 16  # places of a party's mask, at least
MOST_REWARDS = np.iinfo(np.uint16).max + 1


@dataclass(frozen=True, kw_only=True, eq=False)
class JointCatalog:
    """G games with S states in all, numbered through game by game; I and R are the most moves of either party."""

    games: tuple[Playing, ...]
    first: NDArray[np.int64]  # (G,) first state of each game
    game_of: NDArray[np.int32]  # (S,)
    packed: NDArray[np.int64]  # (S * I * R,) a CELL as one number
    rewards: NDArray[np.float64]  # (K, 2) every pair of rewards there is
    legal: NDArray[np.int8]  # (S, 2 * half) masks of both parties, each padded: a gather of 32 bytes is a fast one
    come_true: NDArray[np.uint8]  # (S,) the human outcome, 1, plus the task, 2
    starts: NDArray[np.int64]  # (G, most starts), padded with -1
    n_starts: NDArray[np.int64]  # (G,)
    widths: tuple[int, int]  # I, R

    @cached_property
    def layouts(self) -> tuple[FeatureLayout, FeatureLayout]:
        """Where the numbers of each party stand, without talk."""
        codings = [ActionCoding(own=self.widths[p], other=self.widths[1 - p], talks=False) for p in (0, 1)]
        return layouts(self.games, codings)

    @cached_property
    def states(self) -> tuple[Rows, Rows]:
        """Numbers of each party that depend on the state alone, (S, n_state) each."""
        incumbent, requester = (
            read_only(np.concatenate([layout.of_states(game, slice(None)) for game in self.games]))
            for layout in self.layouts
        )
        return incumbent, requester

    @cached_property
    def turns(self) -> tuple[Rows, Rows]:
        """Numbers of each party about the last turn, by CELL_EVENTS times the other's index plus a cell's events.

        The last row is that of a game in which nobody has moved yet.
        """
        incumbent, requester = (_turns(layout) for layout in self.layouts)
        return incumbent, requester

    @cached_property
    def pairs(self) -> NDArray[np.complex128]:
        """(K,) the pairs of rewards as one value each, which is one gather; a view."""
        return self.rewards.view(np.complex128).reshape(-1)

    def __deepcopy__(self, memo: dict[int, Any]) -> JointCatalog:
        """Return the catalog itself: nothing in it changes, so copies of a vector share it."""
        return self

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        """Pickle as what it is made of."""
        return joint_catalog, (self.games,)

    @property
    def half(self) -> int:
        """Places of a party's mask."""
        return int(self.legal.shape[1]) // 2

    def begins(self, drawn: NDArray[np.uint64]) -> NDArray[np.int64]:
        """The state that a reset begins in, from its draw: scenario and start as in the scalar environment."""
        game = (drawn % np.uint64(len(self.games))).astype(np.int64)
        return self.begins_in(game, drawn)

    def begins_in(self, game: NDArray[np.int64], drawn: NDArray[np.uint64]) -> NDArray[np.int64]:
        """The same with the games given."""
        start = splitmix64_rows(drawn, np.array(START, np.uint64)) % self.n_starts[game].astype(np.uint64)
        return np.asarray(self.starts[game, start.astype(np.int64)])


@lru_cache(maxsize=8)
def joint_catalog(games: tuple[Playing, ...]) -> JointCatalog:
    """The catalog of games, in their order; vectors of the same games share it.

    Raises:
        ValueError: more than 65,536 different pairs of rewards.
    """
    sizes = [game.tables.n_states for game in games]
    first = np.cumsum([0, *sizes[:-1]]).astype(np.int64)
    widths = max(game.tables.n_moves[0] for game in games), max(game.tables.n_moves[1] for game in games)
    total = sum(sizes)
    cells = np.zeros((total, *widths), CELL)
    units = np.zeros((total, *widths, 2), np.int64)
    for start, size, game in zip(first, sizes, games, strict=True):
        rows = slice(int(start), int(start) + size)
        _fill(cells[rows], units[rows], game, int(start), widths)
    pairs, which = np.unique(units.reshape(-1, 2), axis=0, return_inverse=True)
    if len(pairs) > MOST_REWARDS:
        raise ValueError(f"{len(pairs):,} pairs of rewards; a cell has room for {MOST_REWARDS:,}")
    cells["rewards"] = which.reshape(cells.shape)
    most = max(len(game.tables.starts) for game in games)
    starts = np.full((len(games), most), -1, np.int64)
    for number, game in enumerate(games):
        begun = [start.state for start in game.tables.starts]
        starts[number, : len(begun)] = first[number] + np.array(begun)
    catalog = JointCatalog(
        games=tuple(games),
        first=first,
        game_of=np.repeat(np.arange(len(games), dtype=np.int32), sizes),
        packed=cells.reshape(-1).view(np.int64),
        rewards=pairs / UNIT,
        legal=_legal(games, max(HALF, *widths)),
        come_true=np.concatenate([game.tables.latched @ np.array([1, 2], np.uint8) for game in games]),
        starts=starts,
        n_starts=np.array([len(game.tables.starts) for game in games], np.int64),
        widths=widths,
    )
    for value in vars(catalog).values():
        if isinstance(value, np.ndarray):
            read_only(value)
    return catalog


def _fill(
    cells: NDArray[np.void], units: NDArray[np.int64], game: Playing, start: int, widths: tuple[int, int]
) -> None:
    """The cells (n, I, R) and rewards (n, I, R, 2) of one game; what is no move of it does what hold does, flagged.

    A step out of a game that is over is none: it pays nothing, and does not end it again.
    """
    tables = game.tables
    own = [np.where(np.arange(width) < n, np.arange(width), 0) for width, n in zip(widths, tables.n_moves, strict=True)]
    at = (slice(None), own[0][:, None], own[1][None, :])
    after = tables.next_state[at].astype(np.int64)
    cells["next"] = start + after
    cells["done"] = tables.done[after] & ~tables.done[:, None, None]
    events = [tables.event(party)[at] for party in (0, 1)]
    events[0][:, tables.n_moves[0] :, :] = MoveEvent.REJECTED
    events[1][:, :, tables.n_moves[1] :] = MoveEvent.REJECTED
    cells["events"] = events[0] | events[1] << 2
    cells["events"][:, tables.n_moves[0] :, :] |= NO_MOVE[0]
    cells["events"][:, :, tables.n_moves[1] :] |= NO_MOVE[1]
    for party in (0, 1):
        worth = np.where(cells["done"], tables.worth[after, party], 0)
        units[..., party] = tables.reward[party][at] + worth


def _turns(layout: FeatureLayout) -> Rows:
    other, cell = np.indices((layout.coding.other, CELL_EVENTS)).reshape(2, -1)
    events = cell % EVENTS, cell // EVENTS % EVENTS
    counted = np.where(cell & NO_MOVE[1 - layout.party], 0, other)  # as hold
    rows = layout.last_turns()
    places = (counted * EVENTS + events[layout.party]) * EVENTS + events[1 - layout.party]
    return read_only(rows[np.append(places, len(rows) - 1)])


def _legal(games: Sequence[Playing], half: int) -> NDArray[np.int8]:
    rows = np.zeros((sum(game.tables.n_states for game in games), 2 * half), np.int8)
    first = 0
    for game in games:
        last = first + game.tables.n_states
        for party, legal in enumerate(game.tables.legal):
            rows[first:last, party * half : party * half + legal.shape[1]] = legal
        first = last
    return rows
