"""The states of a table as the columns that expressions are evaluated over, and what effects do to them. Own design."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from conflictbench.scenario_specs.expressions import Bool, evaluate
from conflictbench.scenario_specs.machine import Machine
from conflictbench.scenario_specs.tables import Tables


def columns_of(machine: Machine, tables: Tables) -> dict[str, NDArray[Any]]:
    """Every name an expression may read: int64 or bool (S,)."""
    columns: dict[str, NDArray[Any]] = {}
    for v, (name, kind) in enumerate(zip(machine.variables, machine.types, strict=True)):
        stored = tables.values[:, v].astype(np.int64)
        columns[name] = stored != 0 if isinstance(kind, Bool) else stored
    columns["turn"] = tables.turn.astype(np.int64)
    columns["turns_left"] = machine.window - columns["turn"]
    return columns


def values_held(machine: Machine, tables: Tables) -> dict[str, frozenset[int]]:
    """Stored values each variable has in some state, or within a turn: between an effect and `each_turn`."""
    columns = columns_of(machine, tables)
    held = {name: set(np.unique(tables.values[:, v]).tolist()) for v, name in enumerate(machine.variables)}
    for a, action in enumerate(machine.actions):
        rows = np.flatnonzero(tables.accepted[:, a])
        here = {name: column[rows] for name, column in columns.items()}
        for name, effect in action.effects.items() if rows.size else ():
            v = machine.variables.index(name)
            after = np.clip(evaluate(effect, here).astype(np.int64), machine.low[v], machine.high[v])
            held[name] |= set(np.unique(after).tolist())
    return {name: frozenset(values) for name, values in held.items()}
