"""What an action index means: a move, or in talk a signal. Own design (docs/two-party.md, "As an environment")."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

SILENT_PLACES = 1  # the first signal

Kind = Literal["silent", "ask", "promise"]


@dataclass(frozen=True, kw_only=True)
class Signal:
    """What a party says by its choice: nothing, a wish for a move of the other, a promise of a move of its own."""

    kind: Kind = "silent"
    move: int = 0  # index into the other's moves for "ask", into its own for "promise"

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
        """The action that says `signal`."""
        if signal.kind == "silent":
            return self.own
        before = 0 if signal.kind == "ask" else self.other
        return self.own + SILENT_PLACES + before + signal.move

    def decode(self, action: int) -> Signal | None:
        """The signal of an action; None for a move."""
        place = action - self.own
        if place < 0:
            return None
        if place < SILENT_PLACES:
            return SILENT
        if place < SILENT_PLACES + self.other:
            return Signal(kind="ask", move=place - SILENT_PLACES)
        return Signal(kind="promise", move=place - SILENT_PLACES - self.other)
