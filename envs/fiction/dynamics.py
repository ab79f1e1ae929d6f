"""The rules of a fiction world, without an API: what one interaction does to a state. Scenario format, section 2."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from conflictbench.envs.fiction.spaces import N_ACTIONS
from conflictbench.envs.fiction.types import Interaction, Mask
from conflictbench.types import Event

if TYPE_CHECKING:
    from conflictbench.envs.fiction.reading import Reading
    from conflictbench.scenario_specs import Tables


def take_action(reading: Reading, state: int, index: int) -> Interaction:
    """Try the action at `index`, 0 <= index < 12; an index without an action is `unknown` and changes nothing."""
    tables = reading.tables
    if index >= tables.n_actions:
        return Interaction("unknown", Event.UNKNOWN, f"action {index}", state, state)
    event = Event.ACCEPTED if tables.accepted.item(state, index) else Event.REJECTED
    after = tables.next_state.item(state, index)  # the state itself where not accepted
    return Interaction("action", event, reading.commands[index], state, after, index)


def say_words(reading: Reading, state: int, words: str) -> Interaction:
    """Try a command in words: an action, a free command, or unknown words."""
    match = reading.command_book.match(words)
    if match.kind == "action":
        assert match.action is not None
        return take_action(reading, state, match.action)
    event = Event.UNKNOWN if match.kind == "unknown" else Event.FREE
    return Interaction(kind=match.kind, event=event, command=match.command, item=match.item, before=state, after=state)


def answer(reading: Reading, interaction: Interaction) -> str:
    """Return what the world says to an interaction."""
    narrator, state = reading.narrator, interaction.before
    match interaction.kind:
        case "action":
            assert interaction.action is not None
            if interaction.event is Event.ACCEPTED:
                return narrator.accepted(state, interaction.action)
            return narrator.rejected(state, interaction.action)
        case "look":
            return narrator.look(state)
        case "help":
            return narrator.help_page()
        case "status":
            return narrator.status(state)
        case "examine":
            assert interaction.item is not None
            return narrator.examine(interaction.item, state)
        case "unknown":
            return narrator.unknown(interaction.command)


def action_mask(tables: Tables, state: int, mask: str) -> Mask:
    """Return a fresh int8 mask, shape (12,): 1 where an action exists, or where this state accepts it."""
    row = np.zeros(N_ACTIONS, np.int8)
    row[: tables.n_actions] = 1 if mask == "exists" else tables.accepted[state]
    return row
