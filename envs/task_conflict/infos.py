"""What a party is told beside its observation: nothing that is private to the other. Own design.

The seed is not among it: whoever knows it can work out the start, and with it what is private. `result` has it, at the
end.
"""

from __future__ import annotations

from collections.abc import Sequence

from conflictbench.envs.task_conflict.playing import Playing
from conflictbench.envs.task_conflict.seat import Said, Seat, Turn
from conflictbench.scenario_specs.parties.block import ROLES
from conflictbench.types import Info


def info_of(game: Playing, seat: Seat, turns: Sequence[Turn], said: tuple[Said, Said] | None) -> Info:
    """The infos of one party, made afresh; keys as `TaskConflictEnv` says."""
    tables, party = game.tables, seat.party
    turn = int(tables.turn[seat.state])
    info: Info = {
        "scenario": game.id,
        "role": ROLES[party],
        "phase": seat.phase,
        "turn": turn,
        "turns_left": game.game.window - turn,
        "served_first": ROLES[int(tables.first[seat.state])],
        "event": None,
        "events": None,
        "last_moves": None,
        "signal_event": None,
        "said": None,
        "heard": None,
    }
    if turns:
        last = turns[-1]
        info["event"] = last.events[party].name.lower()
        info["events"] = {role: last.events[p].name.lower() for p, role in enumerate(ROLES)}
        info["last_moves"] = {role: _move_id(game, p, last.moves[p]) for p, role in enumerate(ROLES)}
    if said is not None:
        own, other = said[party], said[1 - party]
        info["signal_event"] = "rejected" if own.rejected else "done"
        told = [said[p].signal.told(tables.moves[p], tables.moves[1 - p]) for p in (0, 1)]
        info["said"] = {"signal": told[party], "message": own.message, "raw": own.raw}
        info["heard"] = {"signal": told[1 - party], "message": other.message}
    return info


def _move_id(game: Playing, party: int, move: int) -> str | None:
    """None for what is no move of this game."""
    return game.tables.moves[party][move] if move < game.tables.n_moves[party] else None
