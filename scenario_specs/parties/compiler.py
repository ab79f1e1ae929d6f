"""From a two-party game to its joint tables: breadth-first over every reachable state, a whole turn at a time.

Source: docs/two-party.md, rules 1-7. A turn: legality of both moves is judged on the state at its start; moves are
applied in order of precedence, the second one's needs checked again on what the first has left; `each_turn` resolves
what was filed; the clock moves; the latches are read. Precedence alternates.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from conflictbench.errors import Fault, SpecError
from conflictbench.scenario_specs.expressions import Bool, Expr, evaluate
from conflictbench.scenario_specs.parties.block import CELLS
from conflictbench.scenario_specs.parties.game import Game, GameMove
from conflictbench.scenario_specs.parties.tables import JointStart, JointTables, MoveEvent
from conflictbench.scenario_specs.parties.worth import UNIT
from conflictbench.scenario_specs.row_keys import row_keys

MAX_JOINT_STATES = 60_000  # of all starts together; what a scenario may have is bar 1

Rows = NDArray[np.int64]  # (n, V + 3): values, human latch, task latch, party served first
HUMAN, TASK, FIRST = -3, -2, -1  # columns after the values


def compile_game(game: Game, *, max_states: int = MAX_JOINT_STATES) -> JointTables:
    """Every joint state reachable from any start, as tables.

    Raises:
        SpecError: more than `max_states` states, or a worth outside 0..1 at the end of some game.
    """
    return _Compiler(game, max_states).run()


@dataclass
class _Turn:
    """Joint states of one turn, and where their legal pairs of moves lead."""

    rows: Rows
    done: NDArray[np.bool_]
    legal: tuple[NDArray[np.bool_], NDArray[np.bool_]]
    row: Rows  # (E,) one entry a legal pair
    pair: Rows  # (E, 2)
    event: Rows  # (E, 2)
    after: NDArray[np.int64]  # (E,) index into the rows of the next turn


class _Compiler:
    def __init__(self, game: Game, max_states: int) -> None:
        self.game, self.machine, self.max_states = game, game.machine, max_states
        self.low, self.high = np.array(self.machine.low, np.int64), np.array(self.machine.high, np.int64)
        self.n_moves = (len(game.moves[0]), len(game.moves[1]))

    def run(self) -> JointTables:
        rows, starts = self._starts()
        turns: list[_Turn] = []
        count = 0
        for turn in range(self.machine.window + 1):
            count += len(rows)
            if count > self.max_states:
                raise self._fault("parties", f"more than {self.max_states:,} joint states by turn {turn}")
            layer, rows = self._play(rows, turn)
            turns.append(layer)
        return self._tables(turns, starts)

    def _starts(self) -> tuple[Rows, list[JointStart]]:
        rows: list[list[int]] = []
        starts: list[JointStart] = []
        for types in self.game.types:
            values = list(self.machine.start)
            for name, value in types.items():
                values[self.machine.variables.index(name)] = value
            for first in (0, 1):
                starts.append(JointStart(first=first, types=types, state=len(rows)))
                rows.append([*values, 0, 0, first])
        return np.array(rows, np.int64), starts

    def _play(self, rows: Rows, turn: int) -> tuple[_Turn, Rows]:
        """One layer, with its edges; and the rows of the next."""
        done = (rows[:, HUMAN] != 0) & (rows[:, TASK] != 0) | (turn == self.machine.window)
        columns = self._columns(rows, turn)
        legal = self._legal(columns, done, 0), self._legal(columns, done, 1)
        edges: list[tuple[Rows, Rows, Rows, Rows]] = []
        for first in (0, 1):
            serving = np.flatnonzero(~done & (rows[:, FIRST] == first))
            for a in range(self.n_moves[first]):
                chosen = serving[legal[first][serving, a]]
                if chosen.size:
                    edges.extend(self._second(rows, chosen, turn, first, a, legal))
        if not edges:
            empty = np.empty(0, np.int64)
            pairs = np.empty((0, 2), np.int64)
            return _Turn(rows, done, legal, empty, pairs, pairs, empty), rows[:0]
        row, pair, event, moved = (np.concatenate(parts) for parts in zip(*edges, strict=True))
        after, places = self._close(moved, turn)
        return _Turn(rows, done, legal, row, pair, event, places), after

    def _second(
        self, rows: Rows, chosen: Rows, turn: int, first: int, a: int, legal: tuple[NDArray[np.bool_], ...]
    ) -> list[tuple[Rows, Rows, Rows, Rows]]:
        """The first party's move `a` in the chosen rows, then every legal move of the other."""
        edges = []
        leading = self.game.moves[first][a]
        between = self._effect(rows[chosen], leading, turn)
        columns = self._columns(between, turn)
        for b, move in enumerate(self.game.moves[1 - first]):
            here = np.flatnonzero(legal[1 - first][chosen, b])
            if not here.size:
                continue
            mine = {name: column[here] for name, column in columns.items()}
            stands = self._holds(move, mine, len(here))
            moved = between[here]
            moved[stands] = self._effect(moved[stands], move, turn)
            event = np.empty((len(here), 2), np.int64)
            event[:, first] = MoveEvent.DONE if a else MoveEvent.HELD
            event[:, 1 - first] = np.where(stands, MoveEvent.DONE if b else MoveEvent.HELD, MoveEvent.BUMPED)
            pair = np.empty((len(here), 2), np.int64)
            pair[:, first], pair[:, 1 - first] = a, b
            edges.append((chosen[here], pair, event, moved))
        return edges

    def _close(self, moved: Rows, turn: int) -> tuple[Rows, NDArray[np.int64]]:
        """End of turn: what was filed is resolved, the clock moves, the latches are read, precedence alternates."""
        drifted = self._assign(moved, self.machine.each_turn, self._columns(moved, turn))
        columns = self._columns(drifted, turn + 1)
        for column, conditions in zip((HUMAN, TASK), self.game.latches, strict=True):
            for condition in conditions:
                drifted[:, column] |= np.broadcast_to(evaluate(condition, columns), len(drifted)).astype(np.int64)
        drifted[:, FIRST] = 1 - drifted[:, FIRST]
        _, where, places = np.unique(row_keys(drifted.T, len(drifted)), return_index=True, return_inverse=True)
        return drifted[where], places.astype(np.int64)

    def _legal(self, columns: Mapping[str, NDArray[Any]], done: NDArray[np.bool_], party: int) -> NDArray[np.bool_]:
        legal = np.zeros((len(done), self.n_moves[party]), np.bool_)
        for m, move in enumerate(self.game.moves[party]):
            legal[:, m] = self._holds(move, columns, len(done)) & (~done | (m == 0))
        return legal

    def _holds(self, move: GameMove, columns: Mapping[str, NDArray[Any]], n: int) -> NDArray[np.bool_]:
        """Whether every need of a move is met."""
        holds = np.ones(n, np.bool_)
        if move.index >= 0:
            for need in self.machine.actions[move.index].needs:
                holds &= evaluate(need, columns)
        return holds

    def _effect(self, rows: Rows, move: GameMove, turn: int) -> Rows:
        if move.index < 0:
            return rows
        return self._assign(rows, self.machine.actions[move.index].effects, self._columns(rows, turn))

    def _assign(self, rows: Rows, effects: Mapping[str, Expr], columns: Mapping[str, NDArray[Any]]) -> Rows:
        """All right sides read `columns`; the results are clamped and stored together."""
        after = rows.copy()
        for name, expr in effects.items():
            v = self.machine.variables.index(name)
            after[:, v] = np.clip(evaluate(expr, columns).astype(np.int64), self.low[v], self.high[v])
        return after

    def _columns(self, rows: Rows, turn: int | NDArray[Any]) -> dict[str, NDArray[Any]]:
        columns: dict[str, NDArray[Any]] = {}
        for v, (name, kind) in enumerate(zip(self.machine.variables, self.machine.types, strict=True)):
            columns[name] = rows[:, v] != 0 if isinstance(kind, Bool) else rows[:, v]
        turns = np.broadcast_to(np.asarray(turn, np.int64), (len(rows),))
        return {**columns, "turn": turns, "turns_left": self.machine.window - turns}

    def _tables(self, turns: list[_Turn], starts: list[JointStart]) -> JointTables:
        rows = np.concatenate([layer.rows for layer in turns])
        turn = np.concatenate([np.full(len(layer.rows), t, np.int16) for t, layer in enumerate(turns)])
        done = np.concatenate([layer.done for layer in turns])
        legal = tuple(np.concatenate([layer.legal[p] for layer in turns]) for p in (0, 1))
        latched = rows[:, [HUMAN, TASK]] != 0
        columns = self._columns(rows, turn)
        known = np.repeat(~np.array(self.machine.hidden, np.bool_)[None, :], len(rows), axis=0)
        for name, expr in self.machine.known.items():
            known[:, self.machine.variables.index(name)] = evaluate(expr, columns)
        holder = np.zeros((len(rows), len(self.game.contested), 2), np.bool_)
        for c, thing in enumerate(self.game.contested):
            for party in (0, 1):
                holder[:, c, party] = evaluate(thing.by[party], columns)
        next_state, events = self._edges(turns, legal[0], legal[1])
        costs = tuple(np.array([move.cost for move in moves], np.int64) for moves in self.game.moves)
        return JointTables(
            values=rows[:, :FIRST][:, :-2].astype(np.int32),
            turn=turn,
            first=rows[:, FIRST].astype(np.int8),
            latched=latched,
            done=done,
            known=known,
            legal=(legal[0], legal[1]),
            next_state=next_state,
            events=events,
            worth=self._worth(columns, latched, done),
            cost=(costs[0], costs[1]),
            yields=np.array([move.yields for move in self.game.moves[0]], np.bool_),
            holder=holder,
            starts=tuple(starts),
            moves=(tuple(m.id for m in self.game.moves[0]), tuple(m.id for m in self.game.moves[1])),
        )

    def _edges(
        self, turns: list[_Turn], legal_i: NDArray[np.bool_], legal_r: NDArray[np.bool_]
    ) -> tuple[NDArray[np.uint16] | NDArray[np.uint32], NDArray[np.uint8]]:
        """Next states and events of every pair; an illegal move does what hold does, and says so."""
        n = len(legal_i)
        after = np.repeat(np.arange(n, dtype=np.int64), self.n_moves[0] * self.n_moves[1]).reshape(n, *self.n_moves)
        event = np.zeros((n, *self.n_moves, 2), np.uint8)
        first = 0
        for layer in turns:
            where = layer.row + first
            first += len(layer.rows)
            after[where, layer.pair[:, 0], layer.pair[:, 1]] = layer.after + first
            event[where, layer.pair[:, 0], layer.pair[:, 1]] = layer.event
        s, i, r = np.indices((n, *self.n_moves), sparse=True)
        as_if_i, as_if_r = np.where(legal_i[:, :, None], i, 0), np.where(legal_r[:, None, :], r, 0)
        after, event = after[s, as_if_i, as_if_r], event[s, as_if_i, as_if_r]
        event[..., 0] = np.where(legal_i[:, :, None], event[..., 0], MoveEvent.REJECTED)
        event[..., 1] = np.where(legal_r[:, None, :], event[..., 1], MoveEvent.REJECTED)
        events = (event[..., 0] | event[..., 1] << 2).astype(np.uint8)
        if n <= np.iinfo(np.uint16).max:
            return after.astype(np.uint16), events
        return after.astype(np.uint32), events

    def _worth(
        self, columns: Mapping[str, NDArray[Any]], latched: NDArray[np.bool_], done: NDArray[np.bool_]
    ) -> NDArray[np.int32]:
        n = len(done)
        cell = np.where(latched[:, 0], np.where(latched[:, 1], 0, 1), np.where(latched[:, 1], 2, 3))  # as in CELLS
        worth = np.zeros((n, 2), np.int64)
        for party, role in enumerate(("incumbent", "requester")):
            for c, expression in enumerate(self.game.worth[party]):
                units = expression.units(columns, n)
                worth[cell == c, party] = units[cell == c]
                wrong = np.flatnonzero((cell == c) & done & ((units < 0) | (units > UNIT)))
                if wrong.size:
                    value = units[wrong[0]] / UNIT
                    where = self.machine.describe([int(columns[name][wrong[0]]) for name in self.machine.variables])
                    message = f"{expression.source!r} is {value} in {wrong.size} endings, outside 0..1, such as {where}"
                    raise self._fault(f"parties.worth.{role}.{CELLS[c]}", message)
        return worth.astype(np.int32)

    def _fault(self, key: str, message: str) -> SpecError:
        return SpecError([Fault(file=self.machine.file, key=key, rule="parties", message=message)])
