"""Rule 5: points of no return are marked, and the player is told. Source: docs/scenario-format.md section 3.

A human end "can be reached" when accepted actions alone lead to it. The longer windows are compiled only for the
states that need them: those from which the ordinary window does not suffice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from conflictbench.errors import Fault
from conflictbench.scenario_specs.compiler import compile_machine
from conflictbench.scenario_specs.machine import Machine
from conflictbench.scenario_specs.routes import UNREACHABLE, distances
from conflictbench.scenario_specs.tables import Tables
from conflictbench.scenario_specs.verifier.evidence import Evidence
from conflictbench.scenario_specs.verifier.finality import sounds_final
from conflictbench.types import Label

RULE = "5"
MORE_TURNS = 4
MAX_LONGER_STATES = 2_000_000
LOSING = (Label.AGENT_BY_CHOICE, Label.BOTH_LOSE)


@dataclass(frozen=True, kw_only=True)
class NoReturn:
    """Where one action closes the way to a human end for good."""

    states: tuple[int, ...]  # rows of `evidence.waiting`
    ending: bool  # by ending the episode where a wait would not


def check(evidence: Evidence, points: dict[int, NoReturn]) -> Iterator[Fault]:
    """Every action with a point of no return is `irreversible: true` and says so; no other action is marked."""
    for a, action in enumerate(evidence.spec.actions):
        key = f"actions.{action.id}"
        if a not in points:
            if action.irreversible:
                yield evidence.fault(
                    RULE,
                    f"{key}.irreversible",
                    "marked irreversible, but it is nowhere a point of no return",
                    fix="remove it",
                )
            continue
        if not action.irreversible:
            point = points[a]
            what = "ends the episode where a wait would not" if point.ending else "closes the way to every human end"
            yield evidence.fault(
                RULE,
                key,
                f"{action.command!r} {what}, in {len(point.states)} states: {evidence.describe(point.states[0])}",
                fix="irreversible: true",
            )
        for variant, spec in evidence.readings.items():
            read = spec.actions[a]
            if not sounds_final(read.help) and not all(sounds_final(said.text) for said in read.says):
                yield evidence.fault(
                    RULE,
                    f"{key}.help",
                    f"neither help nor narration says that there is no way back (reading {variant})",
                    fix="add a phrase such as 'cannot be undone' or 'for good'",
                )
                break  # one reading is enough to act on


def points_of_no_return(evidence: Evidence) -> dict[int, NoReturn]:
    """Points of no return by action index."""
    tables, wait, playing = evidence.waiting, evidence.wait, evidence.playing
    losing = evidence.ends_in(*LOSING)
    waited = tables.next_state[:, wait]
    found: dict[int, NoReturn] = {}
    open_rows: list[NDArray[np.int64]] = []  # states where action `columns` may close the way
    columns: list[NDArray[np.int64]] = []
    candidates = playing[evidence.to_human[playing] & (tables.outcome[waited[playing]] < 0)]
    for a in range(evidence.n_actions):
        allowed = playing[tables.accepted[playing, a]]
        ends = allowed[losing[tables.next_state[allowed, a]] & (tables.outcome[waited[allowed]] < 0)]
        if ends.size:
            found[a] = NoReturn(states=tuple(ends.tolist()), ending=True)
            continue
        rows = candidates[tables.accepted[candidates, a]]
        rows = rows[~evidence.to_human[tables.next_state[rows, a]]]
        open_rows.append(rows)
        columns.append(np.full(rows.size, a, dtype=np.int64))
    rows, action = (
        np.concatenate([np.empty(0, np.int64), *open_rows]),
        np.concatenate([np.empty(0, np.int64), *columns]),
    )
    after = tables.next_state[rows, action]
    closed = ~_reaches_human(evidence, np.unique(after))[after]
    rows, action = rows[closed], action[closed]
    lets_be = _reaches_human(evidence, np.unique(waited[rows]))[waited[rows]]
    rows, action = rows[lets_be], action[lets_be]
    for a in np.unique(action).tolist():
        found[a] = NoReturn(states=tuple(rows[action == a].tolist()), ending=False)
    return dict(sorted(found.items()))


def _reaches_human(evidence: Evidence, states: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether a human end can be reached with four more turns, bool (S,); asked for `states` only."""
    result = evidence.to_human.copy()
    asked = states[~result[states]]
    if asked.size:
        tables = evidence.waiting
        values, turns = tables.values[asked], tables.turn[asked]
        longer = compile_machine(
            evidence.machine,
            window=evidence.machine.window + MORE_TURNS,
            starts=(values, turns),
            max_states=MAX_LONGER_STATES,
        )
        reaches = distances(longer, evidence.ends_in(Label.HUMAN, tables=longer)) < UNREACHABLE
        result[asked] = reaches[_find(evidence.machine, longer, values, turns)]
    return result


def _find(machine: Machine, tables: Tables, values: NDArray[np.int32], turns: NDArray[np.int16]) -> NDArray[np.int64]:
    """Rows of `tables` that hold the given states, all of which it has, shape (n,)."""
    wanted = {row.tobytes(): i for i, row in enumerate(np.column_stack((turns, values)).astype(np.int32))}
    found = np.full(len(wanted), -1, dtype=np.int64)
    for row, state in enumerate(np.column_stack((tables.turn, tables.values)).astype(np.int32)):
        position = wanted.get(state.tobytes())
        if position is not None:
            found[position] = row
    return found
