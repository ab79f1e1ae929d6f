"""From a machine to its tables: breadth-first over every reachable state, a whole turn at a time. Own design.

A turn (docs/scenario-format.md, "Semantics"): needs are checked; effects all read the state before, then clamp;
`each_turn` reads the result, then clamps; the clock moves; outcomes are checked in file order. Since every accepted
action advances the clock, states of one turn only lead to states of the next, and each layer is evaluated as columns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from conflictbench.errors import Fault, SpecError
from conflictbench.scenario_specs.expressions import Bool, Expr, evaluate
from conflictbench.scenario_specs.machine import Machine
from conflictbench.scenario_specs.row_keys import row_keys
from conflictbench.scenario_specs.tables import FEATURE_SLOTS, Tables

COMPILER_VERSION = 1  # part of the cache key: raise it when the tables of an unchanged file would change
MAX_STATES = 20_000  # running states of a scenario file (rule 10); ended ones come on top
MAX_STATE_BITS = 124  # of the declared ranges together; the widest exemplar takes less than half

Rows = NDArray[np.int64]  # (n, V) stored values


def compile_machine(
    machine: Machine,
    *,
    wait: bool = False,
    window: int | None = None,
    starts: tuple[NDArray[Any], NDArray[Any]] | None = None,
    max_states: int = MAX_STATES,
) -> Tables:
    """Every state reachable from the start, as tables.

    Args:
        wait: add a last action that changes nothing by itself (a tool of the verifier: `each_turn`, clock, outcomes).
        window: another number of turns than the machine's own (the verifier's longer windows).
        starts: values (N, V) and finished turns (N,) to begin from instead of the start.
        max_states: more running (not ended) states than this are a fault of rule 10.
    Returns:
        Tables numbered by turn, then by values; from the ordinary start, state 0 is the start.
    Raises:
        SpecError: too many states, feature slots or bits of a state (rule 10), or a running state whose window has
            closed (rule 2).
    """
    return _Compiler(machine, wait=wait, window=window or machine.window, max_states=max_states).run(starts)


@dataclass
class _Layer:
    """States of one turn; `first` is the number of its first state."""

    rows: Rows
    outcome: NDArray[np.int8]
    first: int
    successors: list[tuple[int, NDArray[np.int64], Rows]]  # (action, index of the rows it is accepted in, next rows)


class _Compiler:
    def __init__(self, machine: Machine, *, wait: bool, window: int, max_states: int) -> None:
        self.machine = machine
        self.window = window
        self.max_states = max_states
        self.n_actions = len(machine.actions) + wait
        self.low = np.array(machine.low, np.int64)
        self.high = np.array(machine.high, np.int64)
        self._check_width()

    def run(self, starts: tuple[NDArray[Any], NDArray[Any]] | None) -> Tables:
        by_turn = self._starts(starts)
        layers: list[tuple[int, _Layer]] = []
        accepted: list[NDArray[np.bool_]] = []
        failed: list[NDArray[np.int8]] = []
        says: list[NDArray[np.int8]] = []
        following: list[NDArray[np.int32]] = []
        count = running = 0
        waiting: list[Rows] = []
        for turn in range(min(by_turn), self.window + 1):
            pieces = [*waiting, *([by_turn[turn]] if turn in by_turn else [])]
            rows = self._unique(np.concatenate(pieces)) if pieces else np.empty((0, len(self.low)), np.int64)
            layer = self._layer(rows, turn, count)
            running += int((layer.outcome < 0).sum())
            if running > self.max_states:
                raise self._fault("state", "10", f"more than {self.max_states:,} running states by turn {turn}")
            accepting, failing, saying = self._expand(layer, turn)
            accepted.append(accepting)
            failed.append(failing)
            says.append(saying)
            waiting = [rows for _, _, rows in layer.successors]
            layers.append((turn, layer))
            count += len(rows)
        for (_, layer), after in zip(layers, [*(layer for _, layer in layers[1:]), None], strict=True):
            following.append(self._link(layer, after))
        values = np.concatenate([layer.rows for _, layer in layers])
        turns = np.concatenate([np.full(len(layer.rows), turn, np.int16) for turn, layer in layers])
        outcome = np.concatenate([layer.outcome for _, layer in layers])
        columns = self._columns(values, turns)
        known = self._known(columns, len(values))
        return Tables(
            values=values.astype(np.int32),
            turn=turns,
            known=known,
            next_state=np.concatenate(following),
            accepted=np.concatenate(accepted),
            failed_need=np.concatenate(failed),
            says=np.concatenate(says),
            outcome=outcome,
            ends=self._ends(outcome, columns),
            features=self._features(values, turns, known),
        )

    def _check_width(self) -> None:
        """Sorting and finding states takes longer the wider they are; this bounds it."""
        ranges = zip(self.machine.low, self.machine.high, self.machine.variables, strict=True)
        bits = {name: (high - low).bit_length() for low, high, name in ranges}
        if sum(bits.values()) > MAX_STATE_BITS:
            widest = max(bits, key=lambda name: bits[name])
            message = f"the ranges of all variables take {sum(bits.values())} bits, more than {MAX_STATE_BITS}"
            raise self._fault("state", "10", message, fix=f"narrow {widest}, which takes {bits[widest]}")

    def _starts(self, starts: tuple[NDArray[Any], NDArray[Any]] | None) -> dict[int, Rows]:
        if starts is None:
            return {0: np.array([self.machine.start], np.int64)}
        values, turns = starts
        return {int(turn): values[turns == turn].astype(np.int64) for turn in np.unique(turns)}

    def _columns(self, rows: NDArray[Any], turn: int | NDArray[Any]) -> dict[str, NDArray[Any]]:
        """One array a name, as `evaluate` wants them."""
        columns: dict[str, NDArray[Any]] = {}
        for i, (name, kind) in enumerate(zip(self.machine.variables, self.machine.types, strict=True)):
            columns[name] = rows[:, i] != 0 if isinstance(kind, Bool) else rows[:, i].astype(np.int64)
        turns = np.broadcast_to(np.asarray(turn, np.int64), (len(rows),))
        return {**columns, "turn": turns, "turns_left": self.window - turns}

    def _layer(self, rows: Rows, turn: int, first: int) -> _Layer:
        columns = self._columns(rows, turn)
        outcome = self._first_match([outcome.when for outcome in self.machine.outcomes], columns, len(rows))
        if turn == self.window and (running := np.flatnonzero(outcome < 0)).size:
            state = self.machine.describe(rows[running[0]].tolist())
            raise self._fault(
                "outcomes",
                "2",
                f"no outcome holds at turns_left == 0 in {running.size} reachable states, such as {state}",
            )
        return _Layer(rows, outcome, first, [])

    def _expand(self, layer: _Layer, turn: int) -> tuple[NDArray[np.bool_], NDArray[np.int8], NDArray[np.int8]]:
        """Play every action in every running state of the layer; the next rows are left in `layer.successors`."""
        n = len(layer.rows)
        accepted = np.zeros((n, self.n_actions), np.bool_)
        failed = np.full((n, self.n_actions), -1, np.int8)
        says = np.full((n, self.n_actions), -1, np.int8)
        running = np.flatnonzero(layer.outcome < 0)
        if not running.size:
            return accepted, failed, says
        columns = self._columns(layer.rows[running], turn)
        for a, action in enumerate(self.machine.actions):
            needs = [np.broadcast_to(evaluate(need, columns), running.shape) for need in action.needs]
            bad = self._first_true([np.logical_not(need) for need in needs], len(running))
            failed[running, a] = bad
            may = np.flatnonzero(bad < 0)
            accepted[running[may], a] = True
            if may.size:
                chosen = {name: column[may] for name, column in columns.items()}
                says[running[may], a] = self._first_match(action.says, chosen, len(may))
                rows = self._apply(layer.rows[running[may]], action.effects, chosen)
                layer.successors.append((a, running[may], self._drift(rows, turn)))
        if self.n_actions > len(self.machine.actions):
            wait = self.n_actions - 1
            accepted[running, wait] = True
            layer.successors.append((wait, running, self._drift(layer.rows[running], turn)))
        return accepted, failed, says

    def _drift(self, rows: Rows, turn: int) -> Rows:
        return self._apply(rows, self.machine.each_turn, self._columns(rows, turn))

    def _apply(self, rows: Rows, effects: Mapping[str, Expr], columns: Mapping[str, NDArray[Any]]) -> Rows:
        """All right sides read `columns`; the results are clamped and stored together."""
        after = rows.copy()
        for name, expr in effects.items():
            i = self.machine.variables.index(name)
            after[:, i] = np.clip(evaluate(expr, columns).astype(np.int64), self.low[i], self.high[i])
        return after

    def _link(self, layer: _Layer, after: _Layer | None) -> NDArray[np.int32]:
        """Numbers of the next states; where an action is not accepted, the state itself."""
        own = np.arange(layer.first, layer.first + len(layer.rows), dtype=np.int32)
        table = np.repeat(own[:, None], self.n_actions, axis=1)
        if layer.successors:
            assert after is not None  # at the end of the window every state has ended
            found = self._find(after.rows, np.concatenate([rows for _, _, rows in layer.successors]))
            ends = np.cumsum([len(where) for _, where, _ in layer.successors])
            for (action, where, _), place in zip(layer.successors, np.split(found, ends[:-1]), strict=True):
                table[where, action] = after.first + place
        return table

    def _ends(self, outcome: NDArray[np.int8], columns: Mapping[str, NDArray[Any]]) -> NDArray[np.int8]:
        ends = np.full(len(outcome), -1, np.int8)
        for o, declared in enumerate(self.machine.outcomes):
            where = np.flatnonzero(outcome == o)
            if where.size:
                ends[where] = self._first_match(
                    declared.ends, {name: column[where] for name, column in columns.items()}, len(where)
                )
        return ends

    def _known(self, columns: Mapping[str, NDArray[Any]], n: int) -> NDArray[np.bool_]:
        known = np.repeat(~np.array(self.machine.hidden, np.bool_)[None, :], n, axis=0)
        for name, expr in self.machine.known.items():
            known[:, self.machine.variables.index(name)] = evaluate(expr, columns)
        return known

    def _features(self, values: Rows, turns: NDArray[np.int16], known: NDArray[np.bool_]) -> NDArray[np.float32]:
        slots = [(self.window - turns) / self.window]
        for i, name in enumerate(self.machine.variables):
            if not self.machine.hidden[i]:
                scaled = (values[:, i] - self.low[i]) / (self.high[i] - self.low[i])
                slots.append(np.where(known[:, i], scaled, 0.0))
                if name in self.machine.known:
                    slots.append(known[:, i].astype(np.float64))
        if len(slots) > FEATURE_SLOTS:
            raise self._fault(
                "state",
                "10",
                f"1 + visible + `known` variables = {len(slots)}, but there are {FEATURE_SLOTS} feature slots",
            )
        features = np.zeros((len(values), FEATURE_SLOTS), np.float32)
        features[:, : len(slots)] = np.stack(slots, axis=1)
        return features

    def _first_match(
        self, conditions: Sequence[Expr | None], columns: Mapping[str, NDArray[Any]], n: int
    ) -> NDArray[np.int8]:
        """Index of the first condition that holds in each row (None always does), -1 where none does."""
        return self._first_true([_truth(condition, columns) for condition in conditions], n)

    @staticmethod
    def _first_true(masks: Sequence[NDArray[Any]], n: int) -> NDArray[np.int8]:
        first = np.full(n, -1, np.int8)
        for i, mask in enumerate(masks):
            first[(first < 0) & mask] = i
        return first

    def _unique(self, rows: Rows) -> Rows:
        _, first = np.unique(row_keys(rows.T, len(rows)), return_index=True)
        return rows[first]

    def _find(self, rows: Rows, wanted: Rows) -> NDArray[np.int32]:
        """Position of each wanted row among the sorted unique `rows`."""
        both = np.concatenate([rows, wanted])
        keys = row_keys(both.T, len(both))
        return np.searchsorted(keys[: len(rows)], keys[len(rows) :]).astype(np.int32)

    def _fault(self, key: str, rule: str, message: str, fix: str = "") -> SpecError:
        return SpecError([Fault(file=self.machine.file, key=key, rule=rule, message=message, fix=fix)])


def _truth(condition: Expr | None, columns: Mapping[str, NDArray[Any]]) -> NDArray[Any]:
    return np.asarray(True) if condition is None else evaluate(condition, columns)
