"""What counts as an action index: one whole number inside the action space. Own design."""

from __future__ import annotations

from typing import Any

import numpy as np

from conflictbench.errors import InvalidAction


def action_index(action: Any, n_actions: int) -> int:
    """Return `action` as an int in [0, n_actions).

    Python and NumPy integers pass, and integer arrays of one element (SB3's `predict` returns them); bools and
    floats do not, even where they hold a whole number.

    Raises:
        InvalidAction: anything else, or an index outside the space.
    """
    if action.__class__ is np.int64 and 0 <= action < n_actions:  # what a space samples; the rest costs more
        return int(action)
    if isinstance(action, np.ndarray) and action.size == 1 and np.issubdtype(action.dtype, np.integer):
        action = action.item()
    if isinstance(action, bool) or not isinstance(action, int | np.integer):
        raise InvalidAction(
            f"action {action!r} is a {type(action).__name__}; it must be one integer in 0..{n_actions - 1}"
        )
    index = int(action)
    if not 0 <= index < n_actions:
        raise InvalidAction(f"action {index} is outside the action space; valid indices are 0..{n_actions - 1}")
    return index
