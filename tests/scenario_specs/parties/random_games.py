"""Small random joint games for tests of the solver: two turns, two or three moves, payoffs with many ties."""

from __future__ import annotations

import numpy as np

from conflictbench.scenario_specs.parties.tables import JointStart, JointTables
from conflictbench.scenario_specs.parties.worth import UNIT

TURNS = 2


def random_game(seed: int, *, moves: tuple[int, int] = (2, 2), width: int = 5) -> JointTables:
    """A game of two turns: one start, `width` states after one turn and after two; every index pair leads somewhere."""
    rng = np.random.default_rng(seed)
    sizes = [1, width, width]
    turn = np.repeat(np.arange(TURNS + 1), sizes).astype(np.int16)
    n, first = len(turn), np.cumsum([0, *sizes])
    legal = []
    for count in moves:
        mask = rng.random((n, count)) < 0.85
        mask[:, 0] = True
        mask[turn == TURNS, 1:] = False
        legal.append(mask)
    after = np.repeat(np.arange(n), moves[0] * moves[1]).reshape(n, *moves)
    for t in range(TURNS):
        here = turn == t
        after[here] = rng.integers(first[t + 1], first[t + 2], (int(here.sum()), *moves))
    i = np.where(legal[0][:, :, None], np.arange(moves[0])[None, :, None], 0)
    r = np.where(legal[1][:, None, :], np.arange(moves[1])[None, None, :], 0)
    after = after[np.arange(n)[:, None, None], i, r]
    event_i = np.where(legal[0][:, :, None], (np.arange(moves[0]) > 0)[None, :, None], 2)
    event_r = np.where(legal[1][:, None, :], (np.arange(moves[1]) > 0)[None, None, :], 2)
    event_i, event_r = np.broadcast_arrays(event_i, event_r)
    latched = np.zeros((n, 2), np.bool_)
    latched[turn == TURNS] = rng.random((width, 2)) < 0.5
    worth = np.zeros((n, 2), np.int32)
    worth[turn == TURNS] = rng.integers(0, 5, (width, 2)) * (UNIT // 4)
    cost = [np.concatenate([[0], rng.choice([0, 500, 2500], count - 1)]).astype(np.int64) for count in moves]
    yields = np.zeros(moves[0], np.bool_)
    yields[-1] = True
    return JointTables(
        values=np.zeros((n, 1), np.int32),
        turn=turn,
        first=(turn % 2).astype(np.int8),
        latched=latched,
        done=turn == TURNS,
        known=np.ones((n, 1), np.bool_),
        legal=(legal[0], legal[1]),
        next_state=after.astype(np.uint16),
        events=(event_i | event_r << 2).astype(np.uint8),
        worth=worth,
        cost=(cost[0], cost[1]),
        yields=yields,
        holder=np.zeros((n, 0, 2), np.bool_),
        starts=(JointStart(first=0, types={}, state=0),),
        moves=(
            ("hold", *(f"i{m}" for m in range(1, moves[0]))),
            ("hold", *(f"r{m}" for m in range(1, moves[1]))),
        ),
    )
