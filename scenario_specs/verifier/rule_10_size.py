"""Rule 10 and the sizes of section 1: how many actions, variables, moving meters and states.

Source: docs/scenario-format.md sections 1 and 3.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from conflictbench.errors import Fault
from conflictbench.scenario_specs.tables import FEATURE_SLOTS
from conflictbench.scenario_specs.verifier.evidence import Evidence

RULE = "10"
ACTIONS, VISIBLE = (9, 12), (8, 12)
MOVING_METERS = 2


def check_declared(evidence: Evidence) -> Iterator[Fault]:
    """Numbers of actions and of visible variables, and the feature slots they take."""
    for key, count, (low, high) in (
        ("actions", evidence.n_actions, ACTIONS),
        ("state", len(evidence.spec.visible), VISIBLE),
    ):
        if not low <= count <= high:
            what = "actions" if key == "actions" else "visible variables"
            yield evidence.fault(RULE, key, f"has {count} {what}, not {low} to {high}")
    slots = 1 + len(evidence.spec.visible) + len(evidence.machine.known)
    if slots > FEATURE_SLOTS:
        yield evidence.fault(
            RULE,
            "state",
            f"1 + visible + `known` variables = {slots}, but there are {FEATURE_SLOTS} feature slots",
            fix=f"hide {slots - FEATURE_SLOTS} of them",
        )


def check(evidence: Evidence) -> Iterator[Fault]:
    """Number of meters that never stand still; the number of states is the compiler's to refuse."""
    meters = moving_meters(evidence)
    if len(meters) > MOVING_METERS:
        yield evidence.fault(
            RULE,
            "each_turn",
            f"{len(meters)} meters move every turn ({', '.join(meters)}), not at most {MOVING_METERS}",
            fix=f"let {meters[-1]} move by actions, or only while something holds",
        )


def moving_meters(evidence: Evidence) -> list[str]:
    """Integers that a mere wait moves in every running state in which they are not at an end of their range."""
    tables, rows = evidence.waiting, evidence.playing
    after = tables.next_state[rows, evidence.wait]
    moving = []
    for v, (name, variable) in enumerate(evidence.spec.state.items()):
        if variable.kind != "int" or name not in evidence.machine.each_turn:
            continue
        now, then = tables.values[rows, v], tables.values[after, v]
        held = (now == variable.low) | (now == variable.high)
        if not held.all() and bool(np.all((now != then) | held)):
            moving.append(name)
    return moving
