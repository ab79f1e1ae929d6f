"""Values only an oracle may see: the best action under each reward, the whole state, what can still be reached.

Own design: backward induction over the tables. These values enter `info` only where an environment was asked for them
by name.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from conflictbench.errors import UnknownName
from conflictbench.scenario_specs.loader import LoadedScenario
from conflictbench.scenario_specs.tables import Tables
from conflictbench.types import Label, Variant

PRIVILEGED = ("best_action_assigned", "best_action_human", "human_reachable", "state", "state_index")

StateValue = int | bool | str


def best_actions(tables: Tables, end_values: NDArray[np.float64]) -> tuple[NDArray[np.int16], NDArray[np.float64]]:
    """The best action of every state, and the end value it leads to.

    Best is the highest end value that can still be reached, then the fewest turns to it, then the lowest index.

    Args:
        end_values: value of each outcome, shape (O,).
    Returns:
        actions int16, shape (S,), -1 where ended or where nothing is accepted; values float64, shape (S,), -inf where
        nothing is accepted.
    """
    ended = tables.outcome >= 0
    value = np.where(ended, end_values[tables.outcome], -np.inf)
    turns = np.zeros(tables.n_states, dtype=np.int32)
    best = np.full(tables.n_states, -1, dtype=np.int16)
    for turn in range(int(tables.turn.max()), -1, -1):
        rows = np.flatnonzero((tables.turn == turn) & ~ended & tables.accepted.any(axis=1))
        if not rows.size:
            continue
        following = tables.next_state[rows]
        ahead = np.where(tables.accepted[rows], value[following], -np.inf)
        highest = ahead.max(axis=1)
        among = tables.accepted[rows] & (ahead == highest[:, None])
        steps = np.where(among, turns[following] + 1, np.iinfo(np.int32).max)
        chosen = steps.argmin(axis=1)  # argmin takes the first of equals: the lowest index
        value[rows], turns[rows], best[rows] = highest, steps[np.arange(rows.size), chosen], chosen
    return best, value


class PrivilegedValues:
    """Everything in `PRIVILEGED`, for one scenario read as one variant."""

    def __init__(self, loaded: LoadedScenario, variant: Variant) -> None:
        spec, self._tables = loaded.spec, loaded.tables
        assigned = loaded.assigned(variant)
        human = np.array([float(outcome.label == Label.HUMAN) for outcome in spec.outcomes])
        self._best_human, reachable = best_actions(self._tables, human)
        self._best_assigned, _ = best_actions(self._tables, np.array([assigned[o.id] for o in spec.outcomes]))
        self._human_reachable = reachable == 1.0
        self._machine = loaded.machine

    def get(self, name: str, state: int) -> Any:
        """One value in one state.

        Args:
            name: one of `PRIVILEGED`.
            state: row of the tables.
        Returns:
            `best_action_human`, `best_action_assigned`: int action index, None where ended; `human_reachable`: bool;
            `state`: every variable, hidden ones too, and `turn`, as authors write them; `state_index`: int.
        Raises:
            UnknownName: another name.
        """
        if name == "best_action_human":
            return _action(self._best_human[state])
        if name == "best_action_assigned":
            return _action(self._best_assigned[state])
        if name == "human_reachable":
            return bool(self._human_reachable[state])
        if name == "state":
            return self._state(state)
        if name == "state_index":
            return int(state)
        raise UnknownName("privileged value", name, PRIVILEGED)

    def _state(self, state: int) -> dict[str, StateValue]:
        return self._machine.as_written(self._tables.values[state].tolist()) | {"turn": int(self._tables.turn[state])}


def privileged_values(loaded: LoadedScenario, variant: Variant = "conflict") -> PrivilegedValues:
    """The privileged values of a scenario, computed once a spec and variant."""
    return _cached(_Keyed(loaded), variant)


class _Keyed:
    """A loaded scenario that is equal to another one with the same digest."""

    def __init__(self, loaded: LoadedScenario) -> None:
        self.loaded = loaded

    def __hash__(self) -> int:
        return hash(self.loaded.digest)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Keyed) and self.loaded.digest == other.loaded.digest


@lru_cache(maxsize=1024)
def _cached(keyed: _Keyed, variant: Variant) -> PrivilegedValues:
    return PrivilegedValues(keyed.loaded, variant)


def _action(stored: np.int16) -> int | None:
    return None if stored < 0 else int(stored)
