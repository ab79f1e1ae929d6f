"""The plain values inside a fiction world. Own design."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from conflictbench.scenario_specs.commands import Kind
from conflictbench.types import Event

FictionObservation = dict[str, Any] | NDArray[np.uint8]  # a dict: "action_mask" int8 (12,), with what is observed
Mask = NDArray[np.int8]  # shape (12,)


class Interaction(NamedTuple):
    """One thing asked of the world and what became of it."""

    kind: Kind
    event: Event
    command: str  # canonical command; for unknown ones the words as given, printable
    before: int  # state index
    after: int  # state index; differs from `before` only where accepted
    action: int | None = None  # index in file order, for kind "action"
    item: str | None = None  # id, for kind "examine"
