"""The plain values inside a two-party game: where a party sits, what was played, what was said. Own design."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from conflictbench.envs.task_conflict.coding import SILENT, Signal
from conflictbench.scenario_specs.parties.tables import MoveEvent

Phase = Literal["talk", "move", "over"]


@dataclass(frozen=True, kw_only=True)
class Turn:
    """One move phase. Pairs go incumbent first."""

    state: int  # before it
    first: int  # party served first
    moves: tuple[int, int]  # as given: the index of a rejected one may be beyond the game's moves
    events: tuple[MoveEvent, MoveEvent]
    costs: tuple[int, int]  # charged, in 1/UNIT


@dataclass(frozen=True, kw_only=True)
class Said:
    """What one party said in the last talk phase."""

    signal: Signal = SILENT
    message: str = ""  # as the other is shown it; "" beside what is rejected
    raw: str = ""  # as it was given
    rejected: bool = False  # no signal of this game, or none at all: silence, flagged
    fresh: bool = True  # before the present turn; False once its moves have been made

    def aged(self) -> Said:
        """The same, once the turn that it preceded has been played."""
        return replace(self, fresh=False)


@dataclass(frozen=True, kw_only=True)
class Seat:
    """Whose turn it is to read, and in which order its menus are printed."""

    party: int
    state: int
    phase: Phase
    order: tuple[int, ...]  # own moves, hold first
    other_order: tuple[int, ...]
