"""The two-party game with one party acting after the other (AEC), made from the parallel form. Own design."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from pettingzoo.utils.conversions import parallel_to_aec_wrapper


class TaskConflictAEC(parallel_to_aec_wrapper):
    """PettingZoo's conversion, which hands every reader the same stored observation; here each gets its own."""

    def observe(self, agent: str) -> Any:
        """What `agent` observed last, made afresh."""
        return deepcopy(self._observations[agent])
