"""Whether the moves of a kept play are moves of its game, before anything is worked out from them. Own design."""

from __future__ import annotations

from conflictbench.benchmarks.crossplay.play_record import PlayRecord
from conflictbench.scenario_specs.parties.block import ROLES
from conflictbench.scenario_specs.parties.tables import JointTables


def fault_of(record: PlayRecord, tables: JointTables) -> str:
    """What is wrong with it, in words; "" for nothing.

    Args:
        tables: of the record's scenario.
    """
    if not 0 <= record.key.start < len(tables.starts):
        return f"start {record.key.start} is none of the {len(tables.starts)} of {record.key.scenario}"
    state = tables.starts[record.key.start].state
    for turn, pair in enumerate(record.moves, start=1):
        for role, move, moves in zip(ROLES, pair, tables.moves, strict=True):
            if not 0 <= move < len(moves):
                return f"moves: turn {turn}: {move} is no move of the {role}, which are 0 to {len(moves) - 1}"
        if tables.done[state]:
            return f"moves: the game ends after {turn - 1} turns, and {len(record.moves)} are kept"
        state = int(tables.next_state[(state, *pair)])
    if record.status.counts and not tables.done[state]:
        return f"moves: the game goes on after the {len(record.moves)} turns that are kept"
    return ""
