"""Everything about a moment of a two-party game as whole numbers, for a critic. Own design.

Places: scenario (in the order of ids), row of its tables, turn, phase (0 move, 1 talk, 2 over), phases played; then of
the last move phase the row before it, both moves, both events; what both have paid so far, in 1/10,000; the last
signals of both. Rows, moves, events and signals of what has not been yet are 0, and one more than their number else.
A move that is none of the game stands as hold, as in the features; its event tells it from one.

Equal states of one environment are observed alike, in numbers as in words, but for the order of the menus, which the
seed shuffles, and for messages.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from conflictbench.envs.task_conflict.coding import ActionCoding
from conflictbench.envs.task_conflict.playing import Playing
from conflictbench.envs.task_conflict.seat import Phase, Said, Turn
from conflictbench.scenario_specs.parties.tables import MoveEvent
from conflictbench.scenario_specs.parties.worth import UNIT

PHASES: tuple[Phase, ...] = ("move", "talk", "over")


def state_space(games: Sequence[Playing], codings: Sequence[ActionCoding]) -> spaces.Box:
    """The space of `state_of` over a set of games."""
    rows = max(game.tables.n_states for game in games)
    window = max(game.game.window for game in games)
    cycles = window * (2 if codings[0].talks else 1)
    dearest = max(move.cost for game in games for moves in game.game.moves for move in moves)
    high = [
        max(1, len(games) - 1), rows - 1, window, len(PHASES) - 1, cycles,
        rows, *(coding.own for coding in codings), *[len(MoveEvent)] * 2,
        *[max(1, min(dearest, UNIT) * window)] * 2,
        *(max(1, coding.n_signals) for coding in codings),
    ]  # fmt: skip
    return spaces.Box(np.zeros(len(high), np.int64), np.array(high, np.int64), dtype=np.int64)


def state_of(
    position: int,
    game: Playing,
    state: int,
    phase: Phase,
    cycles: int,
    turns: Sequence[Turn],
    said: tuple[Said, Said] | None,
    codings: Sequence[ActionCoding],
) -> NDArray[np.int64]:
    """The numbers of one moment, shape (14,), made afresh; `position` is of the game among its set."""
    last = [0] * 5
    if turns:
        turn = turns[-1]
        moves = [1 + game.counted(party, move) for party, move in enumerate(turn.moves)]
        last = [1 + turn.state, *moves, *(1 + event for event in turn.events)]
    paid = [sum(turn.costs[party] for turn in turns) for party in (0, 1)]
    signals = [0, 0]
    if said is not None:
        signals = [1 + c.encode(one.signal) - c.own for c, one in zip(codings, said, strict=True)]
    now = [position, state, int(game.tables.turn[state]), PHASES.index(phase), cycles]
    return np.array([*now, *last, *paid, *signals], np.int64)
