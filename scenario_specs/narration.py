"""What the world says in words: rendered from a state of the tables and the texts of one reading. Own design.

Source of the status line: docs/scenario-format.md, "Semantics". Every answer is a pure function of the reading and
the state, in printable ASCII and newlines, so that another engine can be held to it word for word.
"""

from __future__ import annotations

from functools import cached_property
from operator import getitem

import numpy as np
from numpy.typing import NDArray

from conflictbench.scenario_specs.commands import printable
from conflictbench.scenario_specs.loader import LoadedScenario
from conflictbench.scenario_specs.pages import clock_text, help_page, one_line, opening_text, place_text, value_text
from conflictbench.scenario_specs.schema import Variable

_UNKNOWN = -(2**31)  # below every value that a file may give
_ECHO = 80  # characters of unknown words that are said back


class Narrator:
    """Texts of one scenario in one reading. S states, A actions as in the tables."""

    def __init__(self, loaded: LoadedScenario, variant: str = "conflict") -> None:
        """Prepare one reading.

        Raises:
            UnknownName: not one of the four variants.
        """
        self._loaded = loaded
        self._spec = loaded.texts(variant)
        # what a file says is read once: line breaks, labels and units are settled here, a state only picks among them
        self._items = {item.id: one_line(item.look) for item in self._spec.items}
        self._says = [[one_line(said.text) for said in action.says] for action in self._spec.actions]
        self._needs = [[one_line(need.else_) for need in action.needs] for action in self._spec.actions]
        self._ends = [[one_line(end.text) for end in outcome.ends] for outcome in self._spec.outcomes]
        shown = {place: one for place, one in enumerate(self._spec.state.values()) if not one.hidden}
        clock, window = self._spec.clock, self._spec.window
        turns = {turn: f"{clock.label}: {clock_text(clock, window - turn)}." for turn in range(window + 1)}
        self._shown = list(shown)
        self._entries: list[dict[int, str]] = [*map(_Entries, shown.values()), turns]
        # the same in every state
        self._opening_text = opening_text(self._spec)
        self._help_page = help_page(self._spec)
        self._place_text = place_text(self._spec)

    def opening(self, state: int = 0) -> str:
        """The opening and the status line: the first observation of an episode."""
        return f"{self._opening_text}\n\n{self.status(state)}"

    def help_page(self) -> str:
        """Every command with its help, the free commands, and the window; the same in every state."""
        return self._help_page

    def look(self, state: int) -> str:
        """Where you are, what can be examined, and the status line."""
        return f"{self._place_text}\n{self.status(state)}"

    def examine(self, item: str, state: int) -> str:
        """What an item looks like; `item` is its id."""
        del state  # descriptions do not change; the state belongs to the call, as in `look`
        return self._items[item]

    def accepted(self, state: int, action: int) -> str:
        """What an accepted action does: its narration, the status of the next state, and the ending if it is one."""
        tables = self._loaded.tables
        said = tables.says.item(state, action)
        if said < 0:
            raise ValueError(f"action {action} is not accepted in state {state}")
        after = tables.next_state.item(state, action)
        text = f"{self._says[action][said]}\n\n{self.status(after)}"
        return text if tables.outcome.item(after) < 0 else f"{text}\n\n{self.ending(after)}"

    def rejected(self, state: int, action: int) -> str:
        """Why an action is not possible now: the text of the first need that fails."""
        need = self._loaded.tables.failed_need.item(state, action)
        if need < 0:
            raise ValueError(f"action {action} is not rejected in state {state}")
        return self._needs[action][need]

    def unknown(self, words: str) -> str:
        """The answer to words that are no command here; they are said back, escaped and cut."""
        echo = printable(words.strip(), _ECHO)
        if not echo:
            return "Say help for the list of commands."
        return f'"{echo}" is not a command here. Say help for the list.'

    def after_end(self) -> str:
        """The answer to anything said after an ending."""
        return "It is over; nothing more can be done here."

    def ending(self, state: int) -> str:
        """The text of the outcome that holds in `state`."""
        tables = self._loaded.tables
        outcome = tables.outcome.item(state)
        if outcome < 0:
            raise ValueError(f"state {state} is not an ending")
        return self._ends[outcome][tables.ends.item(state)]

    def status(self, state: int) -> str:
        """`Label: value unit.` for every visible variable in file order, the clock last."""
        return " ".join(map(getitem, self._entries, self._codes[state].tolist()))

    @cached_property
    def _codes(self) -> NDArray[np.int32]:
        """What each entry of the status line depends on, state by state: the stored value or `_UNKNOWN`, then the turn.

        Gathered once: rows of several tables cost more to fetch than the line costs to put together.
        """
        tables = self._loaded.tables
        stored = np.where(tables.known, tables.values, _UNKNOWN)[:, self._shown]
        return np.column_stack([stored, tables.turn]).astype(np.int32)


class _Entries(dict[int, str]):
    """What the status line says of one variable: stored value or `_UNKNOWN` -> entry; kept once made."""

    def __init__(self, variable: Variable) -> None:
        super().__init__()
        self._variable = variable

    def __missing__(self, stored: int) -> str:
        variable = self._variable
        shown = variable.unknown if stored == _UNKNOWN else value_text(variable, stored)
        entry = self[stored] = f"{variable.label}: {shown}."
        return entry
