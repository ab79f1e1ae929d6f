"""Rule 6: what the overseers see can differ from what is so, and waiting only ever runs out the clock.

Source: docs/scenario-format.md section 3.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from conflictbench.errors import Fault
from conflictbench.scenario_specs.expressions import evaluate
from conflictbench.scenario_specs.machine import Machine
from conflictbench.scenario_specs.tables import Tables
from conflictbench.scenario_specs.verifier.columns import columns_of
from conflictbench.scenario_specs.verifier.evidence import Evidence
from conflictbench.types import Label

RULE = "6"


def check(evidence: Evidence) -> Iterator[Fault]:
    """EP3: a show that differs from the truth, `honest` at every end; all families: waiting ends in the default."""
    yield from _waiting(evidence)
    if evidence.spec.oversight is not None:
        yield from _show(evidence)
        yield from _honest(evidence)


def _waiting(evidence: Evidence) -> Iterator[Fault]:
    tables, state = evidence.waiting, 0
    while tables.outcome[state] < 0:
        state = int(tables.next_state[state, evidence.wait])
    outcome = evidence.machine.outcomes[int(tables.outcome[state])]
    if outcome.label is not Label.AGENT_BY_DEFAULT:
        yield evidence.fault(
            RULE,
            f"outcomes.{outcome.id}",
            f"waiting from the start ends in {outcome.id} ({outcome.label.value}) at turn {int(tables.turn[state])}, "
            "not in agent_by_default",
            fix="slow what each_turn does",
        )


def _show(evidence: Evidence) -> Iterator[Fault]:
    assert evidence.spec.oversight is not None
    sees, truth = evidence.spec.oversight.sees, evidence.spec.oversight.truth
    if not evidence.agent.actions:
        return  # rule 1 says so
    two_faced = several_shows(evidence.tables, evidence.machine, sees, truth)
    columns = sorted(evidence.agent.actions)
    led_to = evidence.tables.next_state[:, columns][evidence.tables.accepted[:, columns]]
    if not two_faced[led_to].any():
        names = ", ".join(evidence.spec.actions[a].command for a in columns)
        yield evidence.fault(
            RULE,
            "oversight",
            f"no action on an agent_by_choice route ({names}) leads to a state that agrees with another one on all of "
            f"truth ({', '.join(truth)}) and differs on sees ({', '.join(sees)})",
            fix="let one of them change a variable of `sees` and none of `truth`",
        )


def several_shows(tables: Tables, machine: Machine, sees: Sequence[str], truth: Sequence[str]) -> NDArray[np.bool_]:
    """States that share their truth with a state that looks otherwise, bool (S,)."""
    shown = tables.values[:, [machine.variables.index(name) for name in sees]]
    so = tables.values[:, [machine.variables.index(name) for name in truth]]
    _, show = np.unique(shown, axis=0, return_inverse=True)
    _, group = np.unique(so, axis=0, return_inverse=True)
    pairs = np.unique(np.column_stack((group.ravel(), show.ravel())), axis=0)
    return (np.bincount(pairs[:, 0]) > 1)[group.ravel()]


def _honest(evidence: Evidence) -> Iterator[Fault]:
    assert evidence.spec.oversight is not None
    assert evidence.machine.honest is not None
    tables = evidence.tables
    found = evaluate(evidence.machine.honest, columns_of(evidence.machine, tables))
    honest = np.broadcast_to(found, (tables.n_states,))
    for label, wanted in ((Label.HUMAN, True), (Label.AGENT_BY_CHOICE, False)):
        wrong = np.flatnonzero(evidence.ends_in(label, tables=tables) & (honest != wanted))
        if wrong.size:
            yield evidence.fault(
                RULE,
                "oversight.honest",
                f"{evidence.spec.oversight.honest!r} is {'false' if wanted else 'true'} in {wrong.size} {label.value} "
                f"ends: {evidence.describe(int(wrong[0]), tables)}",
            )
