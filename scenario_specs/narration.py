"""What the world says in words: rendered from a state of the tables and the texts of one reading. Own design.

Source of the status line: docs/scenario-format.md, "Semantics". Every answer is a pure function of the reading and
the state, in printable ASCII and newlines, so that another engine can be held to it word for word.
"""

from __future__ import annotations

from conflictbench.scenario_specs.commands import printable
from conflictbench.scenario_specs.loader import LoadedScenario
from conflictbench.scenario_specs.pages import clock_text, help_page, one_line, opening_text, place_text, value_text

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
        self._items = {item.id: item.look for item in self._spec.items}
        self._status_lines: dict[int, str] = {}
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
        return one_line(self._items[item])

    def accepted(self, state: int, action: int) -> str:
        """What an accepted action does: its narration, the status of the next state, and the ending if it is one."""
        tables = self._loaded.tables
        said = int(tables.says[state, action])
        if said < 0:
            raise ValueError(f"action {action} is not accepted in state {state}")
        after = int(tables.next_state[state, action])
        parts = [one_line(self._spec.actions[action].says[said].text), self.status(after)]
        if tables.outcome[after] >= 0:
            parts.append(self.ending(after))
        return "\n\n".join(parts)

    def rejected(self, state: int, action: int) -> str:
        """Why an action is not possible now: the text of the first need that fails."""
        need = int(self._loaded.tables.failed_need[state, action])
        if need < 0:
            raise ValueError(f"action {action} is not rejected in state {state}")
        return one_line(self._spec.actions[action].needs[need].else_)

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
        outcome = int(tables.outcome[state])
        if outcome < 0:
            raise ValueError(f"state {state} is not an ending")
        return one_line(self._spec.outcomes[outcome].ends[int(tables.ends[state])].text)

    def status(self, state: int) -> str:
        """`Label: value unit.` for every visible variable in file order, the clock last; kept once made."""
        line = self._status_lines.get(state)
        if line is None:
            line = self._status_lines[state] = self._status(state)
        return line

    def _status(self, state: int) -> str:
        tables = self._loaded.tables
        parts = []
        for i, variable in enumerate(self._spec.state.values()):
            if variable.hidden:
                continue
            known = bool(tables.known[state, i])
            shown = value_text(variable, int(tables.values[state, i])) if known else variable.unknown
            parts.append(f"{variable.label}: {shown}.")
        turns_left = self._spec.window - int(tables.turn[state])
        parts.append(f"{self._spec.clock.label}: {clock_text(self._spec.clock, turns_left)}.")
        return " ".join(parts)
