"""Whether a label can be reached from given states in a window of another length, without compiling whole tables.

Own design, for rule 5. Layer by layer like the compiler, but only what the question needs: a state is followed no
further once a way from it is found, nor once all the states asked about that lead to it have one. On a file of 20,000
states this is several times faster than its tables, most of which the answer would throw away.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from conflictbench.errors import Fault, SpecError
from conflictbench.scenario_specs.expressions import Bool, Expr, evaluate
from conflictbench.scenario_specs.machine import Machine
from conflictbench.scenario_specs.row_keys import row_keys
from conflictbench.types import Label

# One stored value a state. No value, nor any on the way to one, leaves +-1,000,000: half the width is half the time.
Columns = dict[str, NDArray[np.int32]]
_FIX = "let fewer variables keep what was done in earlier turns"
MAX_CELLS = (
    120_000_000  # variables times accepted actions of a search; 20,000 states that merge nowhere take 90 million
)


@dataclass
class _Layer:
    """States of one turn, and the accepted actions that led to them from the turn before."""

    columns: Columns
    asked: NDArray[np.bool_]
    running: NDArray[np.bool_]
    reaches: NDArray[np.bool_]
    parents: NDArray[np.int64]  # (edges,) rows of the layer before
    children: NDArray[np.int64]  # (edges,) rows of this layer


def reachable(
    machine: Machine,
    values: NDArray[Any],
    turns: NDArray[Any],
    *,
    window: int,
    label: Label,
    max_cells: int = MAX_CELLS,
) -> NDArray[np.bool_]:
    """Whether accepted actions lead from each state to an end with the label, shape (N,).

    Args:
        values: stored values, shape (N, V).
        turns: finished turns, shape (N,), none above `window`.
        window: turns until `turns_left` is 0; the machine's own number is not used.
        max_cells: more variables times accepted actions than this are a fault of rule 10.
    Raises:
        SpecError: too many of them.
    """
    search = _Search(machine, window, label, max_cells)
    asked = np.arange(len(turns))
    rows = np.empty(len(turns), dtype=np.int64)  # of its layer, for each state asked about
    for turn in range(int(turns.min(initial=0)), window + 1):
        here = asked[turns == turn]
        starts = {name: values[here, v].astype(np.int32) for v, name in enumerate(machine.variables)}
        rows[here] = search.add(turn, starts, len(here))
    found = np.zeros(len(turns), dtype=np.bool_)
    for layer, turn in zip(search.layers, search.turns, strict=True):
        found[turns == turn] = layer.reaches[rows[turns == turn]]
    return found


class _Search:
    def __init__(self, machine: Machine, window: int, label: Label, max_cells: int) -> None:
        self.machine, self.window, self.label = machine, window, label
        self.max_cells, self.cells = max_cells, 0
        self.layers: list[_Layer] = []
        self.turns: list[int] = []
        self.limits = {
            name: (low, high) for name, low, high in zip(machine.variables, machine.low, machine.high, strict=True)
        }
        self.bools = {
            name for name, kind in zip(machine.variables, machine.types, strict=True) if isinstance(kind, Bool)
        }

    def add(self, turn: int, starts: Columns, count: int) -> NDArray[np.int64]:
        """Append the layer of the next turn; the rows of its `count` states asked about come back."""
        parents, pieces = self._expand(turn - 1) if self.layers else (np.empty(0, np.int64), [])
        columns = {name: np.concatenate([starts[name], *(piece[name] for piece in pieces)]) for name in starts}
        first, row = self._unique(columns)
        columns = {name: column[first] for name, column in columns.items()}
        asked = np.zeros(len(first), dtype=np.bool_)
        asked[row[:count]] = True
        outcome = self._outcome(columns, turn, len(first))
        wanted = [i for i, declared in enumerate(self.machine.outcomes) if declared.label is self.label]
        layer = _Layer(columns, asked, outcome < 0, np.isin(outcome, wanted), parents, row[count:])
        self.layers.append(layer)
        self.turns.append(turn)
        if layer.reaches.any():
            for before, after in zip(self.layers[-2::-1], self.layers[:0:-1], strict=True):
                before.reaches[after.parents[after.reaches[after.children]]] = True
        return row[:count]

    def _expand(self, turn: int) -> tuple[NDArray[np.int64], list[Columns]]:
        """Accepted actions from the states of the last layer that still matter: their rows, and what follows."""
        layer = self.layers[-1]
        rows = np.flatnonzero(self._needed() & layer.running)
        parents, pieces = [np.empty(0, np.int64)], []
        before = {name: column[rows] for name, column in layer.columns.items()}
        for action in self.machine.actions:
            seen = self._seen(before, turn, len(rows))
            accepted = np.ones(len(rows), dtype=np.bool_)
            for need in action.needs:
                accepted &= evaluate(need, seen)
            may = np.flatnonzero(accepted)
            self.cells += may.size * len(before)
            if self.cells > self.max_cells:
                raise self._too_many(turn)
            if may.size:
                chosen = {name: column[may] for name, column in before.items()}
                between = self._assign(action.effects, chosen, turn, may.size)
                parents.append(rows[may])
                pieces.append(self._assign(self.machine.each_turn, between, turn, may.size))
        return np.concatenate(parents), pieces

    def _too_many(self, turn: int) -> SpecError:
        message = (
            f"in a window of {self.window} turns, which rule 5 looks at, more than {self.max_cells:,} values of "
            f"variables have to be worked out by turn {turn}"
        )
        return SpecError([Fault(file=self.machine.file, key="state", rule="10", message=message, fix=_FIX)])

    def _needed(self) -> NDArray[np.bool_]:
        """States of the last layer to which a state asked about, and not yet decided, leads."""
        needed = np.empty(0, dtype=np.bool_)
        for layer in self.layers:
            open_parents = needed[layer.parents] if layer.parents.size else np.empty(0, np.bool_)
            needed = layer.asked.copy()
            needed[layer.children[open_parents]] = True
            needed &= ~layer.reaches
        return needed

    def _assign(self, sources: Mapping[str, Expr], columns: Columns, turn: int, n: int) -> Columns:
        seen = self._seen(columns, turn, n)
        after = dict(columns)
        for name, source in sources.items():
            after[name] = np.broadcast_to(np.clip(evaluate(source, seen).astype(np.int32), *self.limits[name]), (n,))
        return after

    def _outcome(self, columns: Columns, turn: int, n: int) -> NDArray[np.int64]:
        seen = self._seen(columns, turn, n)
        outcome = np.full(n, -1, dtype=np.int64)
        for i, declared in enumerate(self.machine.outcomes):
            outcome[(outcome < 0) & evaluate(declared.when, seen)] = i
        return outcome

    def _seen(self, columns: Columns, turn: int, n: int) -> dict[str, NDArray[Any]]:
        """The columns as expressions read them."""
        seen: dict[str, NDArray[Any]] = {
            name: column != 0 if name in self.bools else column for name, column in columns.items()
        }
        return {**seen, "turn": np.full(n, turn), "turns_left": np.full(n, self.window - turn)}

    def _unique(self, columns: Columns) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Index of one row of each kind, and the kind of each row."""
        keys = row_keys(columns.values(), len(next(iter(columns.values()))))
        _, first, row = np.unique(keys, return_index=True, return_inverse=True)
        return first, row
