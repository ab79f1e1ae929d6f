"""What an action index means: a move, or in talk a signal. Own design (docs/two-party.md, "As an environment")."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from conflictbench.envs.arguments import one_of, whole_number
from conflictbench.errors import InvalidAction, InvalidValue, shown

SILENT_PLACES = 1  # the first signal

Kind = Literal["silent", "ask", "promise"]
KINDS: tuple[str, ...] = get_args(Kind)


@dataclass(frozen=True, kw_only=True)
class Signal:
    """What a party says by its choice: nothing, a wish for a move of the other, a promise of a move of its own.

    Raises:
        UnknownName: another kind.  InvalidValue: a move that is no whole number >= 0.
    """

    kind: Kind = "silent"
    move: int = 0  # index into the other's moves for "ask", into its own for "promise"

    def __post_init__(self) -> None:
        one_of("kind of signal", self.kind, KINDS)
        move = whole_number(self.move)
        if move is None or move < 0:
            raise InvalidValue(f"move {shown(self.move)} of a signal must be a whole number >= 0")

    def told(self, own: tuple[str, ...], other: tuple[str, ...]) -> str:
        """The signal in ids: "silent", "ask X" or "promise X"."""
        if self.kind == "silent":
            return self.kind
        return f"{self.kind} {(other if self.kind == 'ask' else own)[self.move]}"


SILENT = Signal()


@dataclass(frozen=True, kw_only=True)
class ActionCoding:
    """Actions of one party: `own` moves, then, where it talks, 1 + `other` + `own` signals.

    The numbers are the most there are over a set of scenarios; what one of them does not have is never legal.
    """

    own: int
    other: int
    talks: bool

    @property
    def n_signals(self) -> int:
        """Signals there are: silent, one wish a move of the other, one promise a move of its own."""
        return SILENT_PLACES + self.other + self.own if self.talks else 0

    @property
    def n(self) -> int:
        """Size of the Discrete space."""
        return self.own + self.n_signals

    def encode(self, signal: Signal) -> int:
        """The action that says `signal`.

        Raises:
            InvalidValue: there is no talk, or the signal is of a move that there is not.
        """
        if not self.talks:
            raise InvalidValue(f"signal {signal.kind!r} in a game without talk: its actions are moves alone")
        if signal.kind == "silent":
            return self.own
        before, moves = (0, self.other) if signal.kind == "ask" else (self.other, self.own)
        if signal.move >= moves:
            raise InvalidValue(f"move {shown(signal.move)} of {signal.kind!r}: valid moves are 0..{moves - 1}")
        return self.own + SILENT_PLACES + before + int(signal.move)

    def index(self, action: Any, whose: str = "action") -> int:
        """Read an action index: a whole number inside the space, or an array of one.

        Args:
            whose: what the message calls it.
        Raises:
            InvalidAction: another type, or outside.
        """
        one = action.reshape(-1)[0] if isinstance(action, np.ndarray) and action.size == 1 else action
        index = whole_number(one)
        if index is None:
            raise InvalidAction(f"{whose} {shown(action)} is a {type(action).__name__}; {self._valid}")
        if not 0 <= index < self.n:
            raise InvalidAction(f"{whose} {shown(index)} is outside its space; {self._valid}")
        return index

    def decode(self, action: int) -> Signal | None:
        """The signal of an action; None for a move. Raises InvalidAction as `index`."""
        place = self.index(action) - self.own
        if place < 0:
            return None
        if place < SILENT_PLACES:
            return SILENT
        if place < SILENT_PLACES + self.other:
            return Signal(kind="ask", move=place - SILENT_PLACES)
        return Signal(kind="promise", move=place - SILENT_PLACES - self.other)

    @property
    def _valid(self) -> str:
        return f"valid indices are 0..{self.n - 1}"
