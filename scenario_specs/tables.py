"""The compiled form of a scenario: one NumPy table a question, one row a reachable state. Own design.

Everything that plays, proves or draws a scenario reads these tables; nobody else evaluates its expressions.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

FEATURE_SLOTS = 16  # turns left, then visible variables and their known bits, zero padded
SCENARIO_BITS = 16  # bits of blake2b(scenario id); together float32[32]


@dataclass(frozen=True, kw_only=True, eq=False)
class Tables:
    """S states, A actions (file order), V variables (file order, hidden ones too), O outcomes (file order).

    State 0 is the start. States are numbered in breadth-first order: by turn, then by values.
    An ended state (`outcome >= 0`) leads to itself and accepts nothing.
    """

    values: NDArray[np.int32]  # (S, V) stored values: int as is, enum index, bool 0/1
    turn: NDArray[np.int16]  # (S,) turns finished
    known: NDArray[np.bool_]  # (S, V) value may be shown; False for hidden variables
    next_state: NDArray[np.int32]  # (S, A); the state itself where not accepted
    accepted: NDArray[np.bool_]  # (S, A)
    failed_need: NDArray[np.int8]  # (S, A) index of the first need that fails, -1 where accepted or ended
    says: NDArray[np.int8]  # (S, A) index of the alternative that is said, -1 where not accepted
    outcome: NDArray[np.int8]  # (S,) index into outcomes, -1 while running
    ends: NDArray[np.int8]  # (S,) index of the ending's alternative, -1 while running
    features: NDArray[np.float32]  # (S, FEATURE_SLOTS) in 0..1, without the scenario's bits

    @property
    def n_states(self) -> int:
        return int(self.values.shape[0])

    @property
    def n_actions(self) -> int:
        return int(self.next_state.shape[1])

    @cached_property
    def digest(self) -> str:
        """32 hex digits over every table: two scenarios that behave alike agree in it."""
        digest = blake2b(digest_size=16)
        for name in TABLE_NAMES:
            array = np.ascontiguousarray(getattr(self, name))
            digest.update(f"{name}:{array.dtype.str}:{array.shape};".encode())
            digest.update(array.tobytes())
        return digest.hexdigest()

    @property
    def nbytes(self) -> int:
        """Bytes of all tables together."""
        return sum(int(getattr(self, name).nbytes) for name in TABLE_NAMES)


TABLE_NAMES = tuple(Tables.__dataclass_fields__)
