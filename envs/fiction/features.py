"""Numbers for a policy without words: the state's slots, then the bits that tell scenarios apart. Own design."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from conflictbench.envs.fiction.spaces import N_FEATURES, FeaturesDtype
from conflictbench.scenario_specs.tables import FEATURE_SLOTS, Tables


def feature_row(
    tables: Tables, state: int, bits: NDArray[np.uint8] | None, dtype: FeaturesDtype
) -> NDArray[np.float32] | NDArray[np.uint8]:
    """Return a fresh vector, shape (32,): the state's slots, then the scenario's bits (zeros without them).

    float32 lies in 0..1; uint8 is round(255 x).
    """
    row = np.zeros(N_FEATURES, np.float32)
    row[:FEATURE_SLOTS] = tables.features[state]
    if bits is not None:
        row[FEATURE_SLOTS:] = bits
    if dtype == "uint8":
        # in float64: 255 times a float32 such as 1/6 would round to a tie that the exact product is not
        return np.rint(row.astype(np.float64) * 255).astype(np.uint8)
    return row
