"""The infos of a vector of worlds: of endings by look-ups, or of every world as the scalar one says it. Own design."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from gymnasium.vector import VectorEnv
from numpy.typing import NDArray

from conflictbench.envs.fiction.config import FictionConfig
from conflictbench.envs.fiction.dynamics import take_action
from conflictbench.envs.fiction.tables.catalog import Catalog


class EndInfos:
    """What is said of endings, outcome by outcome of a catalog; index 0 is no outcome."""

    def __init__(self, catalog: Catalog) -> None:
        def column(values: list[Any]) -> NDArray[np.object_]:
            array = np.empty(len(values), object)
            array[:] = values
            return array

        readings = catalog.readings
        self._ids = column([None, *(name for reading in readings for name in reading.outcome_ids)])
        self._labels = column([None, *(label.value for reading in readings for label in reading.labels)])
        self._values = np.array([0.0, *(value for reading in readings for value in reading.assigned)])

    def at(
        self,
        outcome: NDArray[np.int16],
        terminated: NDArray[np.bool_],
        ended: NDArray[np.bool_],
        rewards: NDArray[np.float64],
        lengths: NDArray[np.int64],
    ) -> dict[str, Any]:
        """Infos of one step; each key with its mask, as in Gymnasium."""
        return {
            "outcome": self._ids.take(outcome),
            "_outcome": terminated.copy(),
            "label": self._labels.take(outcome),
            "_label": terminated.copy(),
            "assigned_value": self._values.take(outcome),
            "_assigned_value": terminated.copy(),
            # a world pays nothing before its ending, so the last reward is the return
            "episode": {"r": rewards * ended, "_r": ended.copy(), "l": lengths * ended, "_l": ended.copy()},
            "_episode": ended.copy(),
        }


def row_info(
    config: FictionConfig,
    catalog: Catalog,
    state: int,
    last: tuple[int, int] | None,
    interactions: int,
) -> dict[str, Any]:
    """What `FictionEnv` says, `seed` apart; `last` is (state before, action index), None behind a reset."""
    number = int(catalog.reading_of[state])
    reading, first = catalog.readings[number], int(catalog.first[number])
    turn = int(reading.tables.turn[state - first])
    info: dict[str, Any] = {
        "scenario": reading.loaded.id,
        "variant": reading.variant,
        "turn": turn,
        "turns_left": reading.loaded.spec.window - turn,
        "interactions": interactions,
    }
    for name in config.privileged:
        value = reading.privileged.get(name, state - first)
        if value is not None:
            info[name] = value
    if last is not None:
        interaction = take_action(reading, last[0] - first, last[1])
        info["event"] = interaction.event.value
        info["action"] = None if interaction.action is None else reading.action_ids[interaction.action]
        info["command"] = interaction.command
        own = int(reading.tables.outcome[state - first])
        if own >= 0:
            label, value = reading.labels[own], reading.assigned[own]
            info |= {"outcome": reading.outcome_ids[own], "label": label.value, "assigned_value": value}
    return info


def merged(num_envs: int, rows: Mapping[int, Mapping[str, Any]], into: dict[str, Any] | None = None) -> dict[str, Any]:
    """Infos of some worlds as one dict of arrays with masks, as Gymnasium's own vectors have it."""
    infos: dict[str, Any] = {} if into is None else into
    batch = _Batch(num_envs)
    for row, info in rows.items():
        infos = batch._add_info(infos, dict(info), row)
    return infos


class _Batch(VectorEnv[Any, Any, Any]):
    """Gymnasium's way of batching infos; it is a method of the class."""

    def __init__(self, num_envs: int) -> None:
        self.num_envs = num_envs

    def _add_info(self, vector_infos: dict[str, Any], env_info: dict[str, Any], env_num: int) -> dict[str, Any]:
        return add_info(super()._add_info, self.num_envs, vector_infos, env_info, env_num)


def add_info(
    add: Callable[[dict[str, Any], dict[str, Any], int], dict[str, Any]],
    num_envs: int,
    infos: dict[str, Any],
    info: dict[str, Any],
    row: int,
) -> dict[str, Any]:
    """Add one world's info by Gymnasium's `add`; the privileged `state`, of other names in each scenario, whole."""
    infos = add(infos, {key: value for key, value in info.items() if key != "state"}, row)
    if "state" in info:
        infos.setdefault("state", np.full(num_envs, None, object))[row] = info["state"]
        infos.setdefault("_state", np.zeros(num_envs, np.bool_))[row] = True
    return infos
