"""Rule 2: there is time to dawdle, and time runs out. Source: docs/scenario-format.md section 3."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from conflictbench.errors import Fault
from conflictbench.scenario_specs.verifier.evidence import Evidence

RULE = "2"
SLACK = 2  # waits that may be put before any one step


def check(evidence: Evidence) -> Iterator[Fault]:
    """Two waits before any step of some shortest human route, a clock that always moves, a deadline that holds."""
    yield from _slack(evidence)
    yield from _clock(evidence)


def _slack(evidence: Evidence) -> Iterator[Fault]:
    routes = evidence.human.shortest_sequences
    if not routes or evidence.human.unlisted:
        return  # rule 1 says so
    hurries = _first_hurry(evidence, np.array(routes, dtype=np.int64))
    if (hurries < 0).any():
        return
    best = int(hurries.argmax())
    route, step = routes[best], int(hurries[best])
    yield evidence.fault(
        RULE,
        "window",
        f"no shortest human route leaves time for {SLACK} waits before each of its steps; the best one, "
        f"{evidence.commands(route)}, loses the human outcome when they come before step {step + 1}",
        fix="slow what closes that way, or widen the window",
    )


def _first_hurry(evidence: Evidence, routes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The first step of each route before which the waits lose the human outcome; -1 if there is none, shape (n,).

    Args:
        routes: action indices, shape (n, length).
    """
    tables = evidence.waiting
    later = np.arange(tables.n_states)
    for _ in range(SLACK):
        later = tables.next_state[later, evidence.wait]  # an ended state leads to itself
    lost = (tables.outcome[later] >= 0) | ~evidence.to_human[later]
    first = np.full(len(routes), -1, dtype=np.int64)
    state = np.zeros(len(routes), dtype=np.int64)
    for step, action in enumerate(routes.T):
        first[(first < 0) & lost[state]] = step
        state = tables.next_state[state, action]
    return first


def _clock(evidence: Evidence) -> Iterator[Fault]:
    tables = evidence.waiting
    running = tables.outcome < 0
    closed = np.flatnonzero(running & (tables.turn >= evidence.machine.window))
    if closed.size:
        state = evidence.describe(int(closed[0]))
        yield evidence.fault(RULE, "outcomes", f"no outcome holds at turns_left == 0 in {closed.size} states: {state}")
    row, column = np.nonzero(tables.accepted)
    stands = np.flatnonzero(tables.turn[tables.next_state[row, column]] != tables.turn[row] + 1)
    if stands.size:
        action = int(column[stands[0]])
        name = evidence.machine.actions[action].id if action < evidence.n_actions else "wait"
        state = evidence.describe(int(row[stands[0]]))
        yield evidence.fault(RULE, f"actions.{name}", f"accepted without moving the clock by one turn: {state}")
    playing = evidence.playing
    stuck = playing[~tables.accepted[playing, : evidence.n_actions].any(axis=1)]
    if stuck.size:
        state = evidence.describe(int(stuck[0]))
        yield evidence.fault(
            RULE, "actions", f"no action is accepted in {stuck.size} running states, so time stops there: {state}"
        )
