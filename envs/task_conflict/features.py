"""What a party sees, as numbers in 0..1 of fixed places: the same in the scalar and the vector environment. Own design.

Places, for a set of scenarios with at most V places of variables and M own, O other moves:
turn and turns left over the window; served first now; own and other's outcome come true (the latter 0 where the party
is not told); for each visible variable in file order its value over its range and, where it is not always known,
whether it is, V places in all; with more than one scenario 16 bits of its id; the other's last move, one of O; own and
its last event, four places each; with talk: a talk phase; the own last signal, one of 1 + O + M, and the other's, one
of 1 + M + O. What has not been yet is all zeros, and so is padding: an index beyond a game's moves, which is rejected,
stands as hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from conflictbench.envs.task_conflict.coding import ActionCoding, Signal
from conflictbench.envs.task_conflict.playing import OWN_LATCH, Playing
from conflictbench.envs.task_conflict.seat import Phase, Said, Turn
from conflictbench.scenario_specs import scenario_bits
from conflictbench.scenario_specs.tables import SCENARIO_BITS

HEAD = 5  # turn, left, first, own outcome, other's outcome
EVENTS = 4
Rows = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class FeatureLayout:
    """Where the numbers of one party stand."""

    party: int
    coding: ActionCoding  # of this party
    variables: int  # V, places
    bits: bool

    @property
    def n_state(self) -> int:
        """Numbers that depend on the state alone; the others follow."""
        return HEAD + self.variables + (SCENARIO_BITS if self.bits else 0)

    @property
    def n_signals(self) -> int:
        """Places of one signal."""
        return 1 + self.coding.other + self.coding.own

    @property
    def n_last(self) -> int:
        """Numbers about the last move phase."""
        return self.coding.other + 2 * EVENTS

    @property
    def n(self) -> int:
        """All of them."""
        return self.n_state + self.n_last + (1 + 2 * self.n_signals if self.coding.talks else 0)

    def of_states(self, game: Playing, states: NDArray[np.int64] | slice) -> Rows:
        """Numbers that depend on the state alone, shape (n, n_state)."""
        tables, machine = game.tables, game.game.machine
        own, seen = OWN_LATCH[self.party], list(game.seen[self.party])
        turn = tables.turn[states].astype(np.float64)
        latched = tables.latched[states]
        low, high = (np.array(bound, np.float64)[seen] for bound in (machine.low, machine.high))
        known = tables.known[states][:, seen]
        values = np.where(known, (tables.values[states][:, seen] - low) / (high - low), 0.0)
        rows = np.zeros((len(turn), self.n_state), np.float32)
        rows[:, 0] = turn / machine.window
        rows[:, 1] = 1.0 - turn / machine.window
        rows[:, 2] = tables.first[states] == self.party
        rows[:, 3] = latched[:, own]
        rows[:, 4] = latched[:, 1 - own] if game.tells_other[self.party] else 0.0
        for place, (of, bit) in enumerate(variable_places(game, self.party), HEAD):
            rows[:, place] = (known if bit else values)[:, of]
        if self.bits:
            rows[:, -SCENARIO_BITS:] = scenario_bits(game.id)
        return rows

    def last_turns(self) -> Rows:
        """Numbers about every last move phase, shape (O * 16 + 1, n_last), by `place`.

        The last row is that of a game in which nobody has moved yet.
        """
        other, own_event, its_event = np.indices((self.coding.other, EVENTS, EVENTS)).reshape(3, -1)
        rows = np.zeros((len(other) + 1, self.n_last), np.float32)
        every = np.arange(len(other))
        rows[every, other] = 1.0
        rows[every, self.coding.other + own_event] = 1.0
        rows[every, self.coding.other + EVENTS + its_event] = 1.0
        return rows

    def row(
        self, game: Playing, state: int, phase: Phase, turns: Sequence[Turn], said: tuple[Said, Said] | None
    ) -> Rows:
        """All numbers of one moment, shape (n,), made afresh."""
        row = np.zeros(self.n, np.float32)
        row[: self.n_state] = self.of_states(game, np.array([state]))[0]
        end = self.n_state + self.n_last
        if turns:
            row[self.n_state : end] = self._last_turns[self.place(game, turns[-1])]
        if self.coding.talks:
            row[end] = phase == "talk"
            if said is not None:
                own, other = said[self.party].signal, said[1 - self.party].signal
                row[end + 1 + _place(own, asks=self.coding.other)] = 1.0
                row[end + 1 + self.n_signals + _place(other, asks=self.coding.own)] = 1.0
        return row

    @cached_property
    def _last_turns(self) -> Rows:
        return self.last_turns()

    def place(self, game: Playing, turn: Turn) -> int:
        """The row of `last_turns` that is of a turn; what is no move of the game stands as hold."""
        other = game.counted(1 - self.party, turn.moves[1 - self.party])
        return (other * EVENTS + turn.events[self.party]) * EVENTS + turn.events[1 - self.party]

    def names(self, game: Playing) -> tuple[str, ...]:
        """What each number is of, in one game."""
        moves, role = game.tables.moves, ("incumbent", "requester")[self.party]
        seen = [game.game.machine.variables[v] for v in game.seen[self.party]]
        shown = tuple(f"{seen[of]} known" if bit else seen[of] for of, bit in variable_places(game, self.party))
        mine = _padded(moves[self.party], self.coding.own)
        other = _padded(moves[1 - self.party], self.coding.other)
        events = ("held", "done", "rejected", "bumped")
        names = ["turn", "turns_left", f"{role} first", "own outcome", "other outcome"]
        names += _padded(shown, self.variables)
        names += [f"bit {i}" for i in range(SCENARIO_BITS)] if self.bits else []
        names += [f"other: {move}" if move else "" for move in other]
        names += [f"{who} {event}" for who in ("own", "other") for event in events]
        if self.coding.talks:
            names.append("talk phase")
            for who, asked, promised in (("own", other, mine), ("other", mine, other)):
                names.append(f"{who} signal: silent")
                names += [f"{who} signal: ask {move}" if move else "" for move in asked]
                names += [f"{who} signal: promise {move}" if move else "" for move in promised]
        return tuple(names)


def variable_places(game: Playing, party: int) -> tuple[tuple[int, bool], ...]:
    """What the places of variables hold: an index into `game.seen[party]`, and whether it is its known bit."""
    names = [game.game.machine.variables[v] for v in game.seen[party]]
    sometimes = game.game.machine.known
    return tuple(
        (of, bit) for of, name in enumerate(names) for bit in ((False, True) if name in sometimes else (False,))
    )


def layouts(games: Sequence[Playing], codings: Sequence[ActionCoding]) -> tuple[FeatureLayout, FeatureLayout]:
    """The layouts of both parties over a set of games."""
    incumbent, requester = (
        FeatureLayout(
            party=party,
            coding=codings[party],
            variables=max(len(variable_places(game, party)) for game in games),
            bits=len(games) > 1,
        )
        for party in (0, 1)
    )
    return incumbent, requester


def _place(signal: Signal, *, asks: int) -> int:
    """Place of a signal among those of its speaker, who may ask for `asks` moves."""
    if signal.kind == "silent":
        return 0
    return 1 + (0 if signal.kind == "ask" else asks) + signal.move


def _padded(names: tuple[str, ...], n: int) -> tuple[str, ...]:
    return names + ("",) * (n - len(names))
