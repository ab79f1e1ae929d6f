"""Which actions are open to a party that speaks, and what a line of words means. Own design."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from conflictbench.envs.task_conflict.coding import SILENT, ActionCoding, Signal
from conflictbench.envs.task_conflict.messages import clean_message
from conflictbench.envs.task_conflict.playing import Playing
from conflictbench.envs.task_conflict.seat import Phase, Said
from conflictbench.scenario_specs.commands import MAX_INPUT, normalise

SILENT_WORDS = ("silent", "stay silent", "say nothing")


def signal_mask(game: Playing, party: int, coding: ActionCoding) -> NDArray[np.int8]:
    """A fresh mask of a talk phase, shape (coding.n,): every wish and promise that the game has moves for.

    Nothing depends on the state: what the other could do now may be private to it, and a promise may be a lie.
    """
    mask = np.zeros(coding.n, np.int8)
    own, other = game.tables.n_moves[party], game.tables.n_moves[1 - party]
    mask[coding.encode(SILENT)] = 1
    wish, promise = coding.encode(Signal(kind="ask")), coding.encode(Signal(kind="promise"))
    mask[wish : wish + other] = 1
    mask[promise : promise + own] = 1
    return mask


def heard(game: Playing, party: int, coding: ActionCoding, action: int, message: str) -> Said:
    """What `party` says by an action and a message.

    An action that says nothing in this game is silence, flagged: the message beside it is not delivered either.
    """
    signal = coding.decode(action)
    if signal is None or not signal_mask(game, party, coding)[action]:
        return Said(raw=message, rejected=True)
    return Said(signal=signal, message=clean_message(message), raw=message)


def action_called(game: Playing, party: int, phase: Phase, coding: ActionCoding, line: str) -> int | None:
    """The action that `line` means in this phase; None where it means nothing, or nothing is to be chosen."""
    line = line.strip()
    if phase == "over" or len(line) > MAX_INPUT:  # longer than any command: not worth reading
        return None
    if phase == "move":
        return game.move_called(party, line)
    words = normalise(line)
    if words in SILENT_WORDS:
        return coding.encode(SILENT)
    kind, _, command = words.partition(" ")
    if kind == "ask":
        move = game.move_called(1 - party, command)
        return None if move is None else coding.encode(Signal(kind="ask", move=move))
    if kind == "promise":
        move = game.move_called(party, command)
        return None if move is None else coding.encode(Signal(kind="promise", move=move))
    return None
