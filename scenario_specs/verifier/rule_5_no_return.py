"""Rule 5: points of no return are marked, and the player is told. Source: docs/scenario-format.md section 3.

A human end "can be reached" when accepted actions alone lead to it. Points are looked for where a wait would not
itself end the episode: where it would, there is nothing left to close. The longer window is searched only from the
states that need it: those from which the ordinary window does not suffice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from conflictbench.errors import Fault
from conflictbench.scenario_specs.verifier.evidence import Evidence
from conflictbench.scenario_specs.verifier.finality import sounds_final
from conflictbench.scenario_specs.verifier.longer import reachable
from conflictbench.types import Label

RULE = "5"
MORE_TURNS = 4
LOSING = (Label.AGENT_BY_CHOICE, Label.BOTH_LOSE)


@dataclass(frozen=True, kw_only=True)
class NoReturn:
    """Where one action closes the way to a human end for good."""

    states: tuple[int, ...]  # rows of `evidence.waiting`
    ending: bool  # in some of them by ending the episode


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
    """Points of no return by action index.

    Raises:
        SpecError: the longer window has too many states to be searched (rule 10).
    """
    tables, playing = evidence.waiting, evidence.playing
    waited = tables.next_state[:, evidence.wait]
    states = playing[tables.outcome[waited[playing]] < 0]  # where a wait does not itself end the episode
    row, action = np.nonzero(tables.accepted[states, : evidence.n_actions])
    state = states[row]
    after = tables.next_state[state, action]
    ends = evidence.ends_in(*LOSING)[after]
    closes = evidence.to_human[state] & ~evidence.to_human[after]
    closes[closes] = ~_reaches_human(evidence, after[closes])
    closes[closes] = _reaches_human(evidence, waited[state[closes]])
    found = {}
    for a in np.unique(action[ends | closes]).tolist():
        here = action == a
        found[a] = NoReturn(states=tuple(state[here & (ends | closes)].tolist()), ending=bool((here & ends).any()))
    return found


def _reaches_human(evidence: Evidence, states: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Whether a human end can be reached from each of the states with four more turns, shape of `states`."""
    result = evidence.to_human.copy()
    asked = np.unique(states[~result[states]])
    values, turns = evidence.waiting.values[asked], evidence.waiting.turn[asked]
    window = evidence.machine.window + MORE_TURNS
    result[asked] = reachable(evidence.machine, values, turns, window=window, label=Label.HUMAN)
    return result[states]
