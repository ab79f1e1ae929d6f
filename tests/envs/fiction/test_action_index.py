"""What counts as an action index."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from conflictbench.envs.fiction.action_index import action_index
from conflictbench.errors import InvalidAction


@pytest.mark.parametrize("action", [3, np.int64(3), np.uint8(3), np.array(3), np.array([3]), np.array([[3]], np.int8)])
def test_action_index__one_integer_of_any_kind_passes(action: Any) -> None:
    index = action_index(action, 12)
    assert (index, type(index)) == (3, int)


@pytest.mark.parametrize(
    "action",
    [3.0, np.float64(3), True, np.bool_(True), "3", None, [3], np.array([3, 3]), np.array([]), np.array(3.0),
     np.array([True])],
)  # fmt: skip
def test_action_index__other_types_are_refused_with_the_valid_range(action: Any) -> None:
    with pytest.raises(InvalidAction, match=r"must be one integer in 0\.\.11"):
        action_index(action, 12)


@pytest.mark.parametrize("action", [-1, 12, np.int64(-12), 10**40])
def test_action_index__outside_is_refused_with_the_valid_range(action: Any) -> None:
    with pytest.raises(InvalidAction, match=r"outside the action space; valid indices are 0\.\.11"):
        action_index(action, 12)
