"""One turn of two moves, read off the joint tables; what is legal now. Source: docs/two-party.md, rules 1-7."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from conflictbench.envs.task_conflict.coding import ActionCoding
from conflictbench.envs.task_conflict.playing import Playing
from conflictbench.envs.task_conflict.seat import Phase, Turn
from conflictbench.envs.task_conflict.speech import signal_mask
from conflictbench.scenario_specs.parties.tables import MoveEvent


def play_turn(game: Playing, state: int, moves: tuple[int, int]) -> tuple[Turn, int]:
    """What becomes of both moves in `state`, and the state they lead to.

    An index that is no move of this game does what hold does, as an illegal move does, and says so.
    """
    tables = game.tables
    counted = [game.counted(party, move) for party, move in enumerate(moves)]
    at = (state, counted[0], counted[1])
    both = int(tables.events[at])
    incumbent, requester = (
        MoveEvent(event) if moves[party] < tables.n_moves[party] else MoveEvent.REJECTED
        for party, event in enumerate((both & 3, both >> 2))
    )
    turn = Turn(
        state=state,
        first=int(tables.first[state]),
        moves=moves,
        events=(incumbent, requester),
        costs=(-int(tables.reward[0][at]), -int(tables.reward[1][at])),
    )
    return turn, int(tables.next_state[at])


def action_mask(game: Playing, party: int, coding: ActionCoding, state: int, phase: Phase) -> NDArray[np.int8]:
    """What is legal now, made afresh, int8, shape (coding.n,): signals, moves, or at the end hold alone."""
    if phase == "talk":
        return signal_mask(game, party, coding)
    mask = np.zeros(coding.n, np.int8)
    if phase == "over":
        mask[0] = 1
    else:
        mask[: game.tables.n_moves[party]] = game.tables.legal[party][state]
    return mask
