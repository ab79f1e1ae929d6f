"""The infos of a vector of worlds: of endings by look-ups, or of every world as the scalar one says it. Own design."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from gymnasium.vector import VectorEnv
from numpy.typing import NDArray

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
        which = outcome.astype(np.intp)
        return {
            "outcome": self._ids.take(which),
            "_outcome": terminated.copy(),
            "label": self._labels.take(which),
            "_label": terminated.copy(),
            "assigned_value": self._values.take(which),
            "_assigned_value": terminated.copy(),
            # a world pays nothing before its ending: the last reward is the return, and 0.0 where none has ended
            "episode": {"r": rewards.copy(), "_r": ended.copy(), "l": lengths * ended, "_l": ended.copy()},
            "_episode": ended.copy(),
        }


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
