"""What the worlds of a catalog say, in words: asked for when somebody reads. Own design."""

from __future__ import annotations

from functools import lru_cache

from conflictbench.envs.fiction.dynamics import answer, take_action
from conflictbench.envs.fiction.tables.catalog import Catalog
from conflictbench.envs.fiction.types import Interaction

KEPT = 100_000  # answers


class Words:
    """Answers by state and action, kept once made."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._opening = lru_cache(maxsize=None)(self._make_opening)  # one a reading
        self._answer = lru_cache(maxsize=KEPT)(self._make_answer)

    def text(self, state: int, last: tuple[int, int] | None) -> str:
        """The opening in `state`, or the answer to (state before, action index)."""
        return self._opening(state) if last is None else self._answer(*last)

    def interaction(self, state: int, action: int) -> Interaction:
        """What an action index does in a running state; states are those of its own tables."""
        number = int(self._catalog.reading_of[state])
        return take_action(self._catalog.readings[number], state - int(self._catalog.first[number]), action)

    def _make_opening(self, state: int) -> str:
        return self._catalog.readings[int(self._catalog.reading_of[state])].narrator.opening(0)

    def _make_answer(self, state: int, action: int) -> str:
        return answer(self._catalog.readings[int(self._catalog.reading_of[state])], self.interaction(state, action))
