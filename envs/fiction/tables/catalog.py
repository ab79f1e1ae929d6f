"""The tables of several scenarios behind each other, in the form that a vector of worlds steps by. Own design.

Layout after measurements (docs/performance.md): one gather of 8 bytes a step says where a world is next, whether that
is an ending, and whether it was a new beginning. The cells of a state stand together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from conflictbench.envs.fiction.reading import Reading, read
from conflictbench.envs.fiction.reward import RewardWeights
from conflictbench.envs.fiction.spaces import N_ACTIONS, N_FEATURES, FeaturesDtype
from conflictbench.scenario_specs.tables import FEATURE_SLOTS
from conflictbench.types import Variant

CELLS = N_ACTIONS  # a state
CELL = np.dtype(
    [
        ("next", np.int32),
        ("outcome", np.int16),  # numbered from 1; 0 for none
        ("terminated", np.bool_),
        ("begins", np.bool_),
    ]
)
HOME = np.dtype([("first", np.int64), ("over", np.int64)])  # first state; first cell of `over`


def whole(rows: NDArray[Any]) -> NDArray[np.void]:
    """Rows, or records with fields, as plain bytes, of which NumPy gathers and scatters each at one go; a view."""
    size = rows.itemsize * (rows.shape[1] if rows.ndim == 2 else 1)
    return rows.view(np.dtype(f"V{size}")).reshape(-1)


@dataclass(frozen=True, kw_only=True, eq=False)
class Catalog:
    """R readings with S states in all, and one more state a reading: `over`, in which only a new beginning is left.

    States are numbered through, reading by reading, `over` last of each. Outcomes are numbered through from 1.
    """

    readings: tuple[Reading, ...]
    first: NDArray[np.int64]  # (R,) the start of each reading
    over: NDArray[np.int64]  # (R,)
    reading_of: NDArray[np.int32]  # (S + R,)
    cells: NDArray[np.void]  # ((S + R) * CELLS,) of CELL; ended states and `over` begin anew
    rewards: NDArray[np.float64]  # (O + 1,) of entering an outcome; 0.0 for none
    exists: NDArray[np.int8]  # (R, 12)

    @cached_property
    def packed(self) -> NDArray[np.void]:
        """The cells without their fields."""
        return whole(self.cells)

    @cached_property
    def homes(self) -> NDArray[np.void]:
        """(R,) of HOME without its fields: where a world goes that begins to play a reading."""
        homes = np.zeros(len(self.readings), HOME)
        homes["first"], homes["over"] = self.first, self.over * CELLS
        return whole(homes)

    @cached_property
    def masks(self) -> NDArray[np.void]:
        """(R,) the rows of `exists`, each as one."""
        return whole(self.exists)

    @cached_property
    def available(self) -> NDArray[np.int8]:
        """Accepted actions of each state, shape (S + R, 12)."""
        rows = np.zeros((len(self.reading_of), N_ACTIONS), np.int8)
        for number, reading in enumerate(self.readings):
            first, tables = int(self.first[number]), reading.tables
            rows[first : first + tables.n_states, : tables.n_actions] = tables.accepted
        rows.flags.writeable = False
        return rows

    def features(self, dtype: FeaturesDtype, *, bits: bool) -> NDArray[np.float32] | NDArray[np.uint8]:
        """Features of each state, shape (S + R, 32), as `FictionEnv` gives them."""
        rows = np.zeros((len(self.reading_of), N_FEATURES), np.float32)
        for number, reading in enumerate(self.readings):
            first, tables = int(self.first[number]), reading.tables
            rows[first : first + tables.n_states, :FEATURE_SLOTS] = tables.features
            if bits:
                rows[first : first + tables.n_states, FEATURE_SLOTS:] = reading.bits
        if dtype == "uint8":
            return np.rint(rows.astype(np.float64) * 255).astype(np.uint8)
        return rows

    @property
    def nbytes(self) -> int:
        """Bytes of what every vector needs: cells and numbers of states; features and masks come on top."""
        return sum(a.nbytes for a in (self.cells, self.reading_of, self.first, self.over, self.rewards, self.exists))


@lru_cache(maxsize=8)
def make_catalog(scenarios: tuple[str, ...], variant: Variant, pack: str, reward: RewardWeights) -> Catalog:
    """The catalog of these scenarios in one reading; vectors of the same arguments share it."""
    return catalog_of([read(scenario, variant, pack) for scenario in scenarios], reward)


def catalog_of(readings: Sequence[Reading], reward: RewardWeights) -> Catalog:
    """The catalog of readings, in their order."""
    sizes = [reading.tables.n_states + 1 for reading in readings]
    ends = np.cumsum(sizes)
    first = (ends - sizes).astype(np.int64)
    cells = np.zeros((int(ends[-1]), CELLS), CELL)
    exists = np.zeros((len(readings), N_ACTIONS), np.int8)
    rewards = [0.0]
    for number, reading in enumerate(readings):
        start, n_actions = int(first[number]), reading.tables.n_actions
        rows = cells[start : int(ends[number])]
        _fill(rows, reading, start, len(rewards))
        rewards += [reward.at_end(label, value) for label, value in zip(reading.labels, reading.assigned, strict=True)]
        exists[number, :n_actions] = 1
    for array in (cells, exists):
        array.flags.writeable = False
    return Catalog(
        readings=tuple(readings),
        first=first,
        over=(ends - 1).astype(np.int64),
        reading_of=np.repeat(np.arange(len(readings), dtype=np.int32), sizes),
        cells=cells.reshape(-1),
        rewards=np.array(rewards),
        exists=exists,
    )


def _fill(rows: NDArray[np.void], reading: Reading, start: int, first_outcome: int) -> None:
    """The cells of one reading, shape (n_states + 1, CELLS)."""
    tables = reading.tables
    own = np.arange(tables.n_states, dtype=np.int32)
    after = np.repeat(own[:, None], CELLS, axis=1)  # padding indices change nothing
    after[:, : tables.n_actions] = tables.next_state
    over = tables.outcome >= 0
    rows["next"][:-1] = start + after
    rows["outcome"][:-1] = np.where(over[after], first_outcome + tables.outcome[after].astype(np.int16), 0)
    rows["terminated"][:-1] = over[after]
    begins = np.append(over, True)
    rows["next"][begins] = start
    for nothing in ("outcome", "terminated"):
        rows[nothing][begins] = 0
    rows["begins"][begins] = True
