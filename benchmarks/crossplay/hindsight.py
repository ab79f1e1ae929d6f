"""The best a party could have had against the very moves that the other played: regret, exact for any play. Own design.

Source: docs/two-party.md ("Cross-play"). The other's moves are fixed by turn; one that is illegal where a different
play leads is a hold, as in the game itself.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from conflictbench.scenario_specs.parties.tables import JointTables
from conflictbench.scenario_specs.parties.worth import UNIT


def best_in_hindsight(tables: JointTables, party: int, state: int, other_moves: Sequence[int]) -> float:
    """The highest payoff of any sequence of own moves, on the scale of the file.

    Args:
        party: who looks back, 0 the incumbent.
        state: where the play began.
        other_moves: the other's move of each turn; from the end of the list on it holds.
    """
    states, paid = np.array([state]), np.zeros(1, np.int64)
    best = -(10**9)
    for turn in range(int(tables.turn[-1]) + 1):
        over = tables.done[states]
        if over.any():
            best = max(best, int((paid[over] + tables.worth[states[over], party]).max()))
            states, paid = states[~over], paid[~over]
        if not states.size:
            break
        move = other_moves[turn] if turn < len(other_moves) else 0
        pick = (states, slice(None), move) if party == 0 else (states, move, slice(None))
        # an illegal move of one's own is in there too: it comes to a hold
        reached = tables.next_state[pick].astype(np.int64).ravel()
        gained = (paid[:, None] + tables.reward[party][pick]).ravel()
        states, place = np.unique(reached, return_inverse=True)
        paid = np.full(states.size, -(10**9), np.int64)
        np.maximum.at(paid, place.ravel(), gained)
    return best / UNIT


def regrets(
    tables: JointTables, state: int, moves: Sequence[tuple[int, int]], payoffs: tuple[float, float]
) -> tuple[float, float]:
    """What each party could have had more; never below 0.

    Args:
        moves: (incumbent, requester) of each turn.
        payoffs: what each had, on the scale of the file.
    """
    mine = best_in_hindsight(tables, 0, state, [requester for _, requester in moves]) - payoffs[0]
    other = best_in_hindsight(tables, 1, state, [incumbent for incumbent, _ in moves]) - payoffs[1]
    return max(0.0, round(mine, 9)), max(0.0, round(other, 9))
