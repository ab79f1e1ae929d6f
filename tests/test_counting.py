"""Numbers agree with their nouns."""

from __future__ import annotations

import pytest

from conflictbench.counting import counted


@pytest.mark.parametrize(
    "number, words",
    [
        (0, "0 episodes"),
        (1, "1 episode"),
        (2, "2 episodes"),
        (1200, "1,200 episodes"),
        (1.0, "1 episode"),
        (0.5, "0.5 episodes"),
    ],
)
def test_counted__one_is_singular_and_nothing_else_is(number: float, words: str) -> None:
    assert counted(number, "episode") == words
