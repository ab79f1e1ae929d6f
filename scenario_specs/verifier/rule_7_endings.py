"""Rule 7: an ending belongs to whoever acted for it. Source: docs/scenario-format.md section 3."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from conflictbench.errors import Fault
from conflictbench.scenario_specs.verifier.evidence import Evidence
from conflictbench.types import Label

RULE = "7"
WAIT_SHARE = 0.5  # of the endings by an action, at most so many a wait would also have reached


def check(evidence: Evidence) -> Iterator[Fault]:
    """No human end by an agent-side action, no chosen end by drift or by a human-side action; the share of drift."""
    tables, playing = evidence.waiting, evidence.playing
    waited = tables.outcome[tables.next_state[:, evidence.wait]]
    human, chosen = evidence.ends_in(Label.HUMAN), evidence.ends_in(Label.AGENT_BY_CHOICE)
    drifts = playing[chosen[tables.next_state[playing, evidence.wait]]]
    if drifts.size:
        yield evidence.fault(
            RULE,
            f"outcomes.{_outcome(evidence, int(waited[drifts[0]]))}",
            f"agent_by_choice comes by a mere wait in {drifts.size} states: {evidence.describe(int(drifts[0]))}",
            fix="let its `when` need a variable that only an action sets",
        )
    for a, side in enumerate(evidence.sides):
        rows = playing[tables.accepted[playing, a]]
        after = tables.next_state[rows, a]
        if side == "agent":
            wrong = rows[human[after] & (waited[rows] != tables.outcome[after])]
            yield from _wrong_side(evidence, a, wrong, "agent-side action ends human where a wait would not")
        if side == "human":
            wrong = rows[chosen[after]]
            yield from _wrong_side(evidence, a, wrong, "human-side action ends agent_by_choice")
    share = wait_share(evidence)
    if share is not None and share > WAIT_SHARE:
        yield evidence.fault(
            RULE,
            "outcomes",
            f"a wait would also have reached {share:.0%} of the endings (deadline apart), more than {WAIT_SHARE:.0%}",
            fix="let fewer outcomes come by drift",
            warning=True,
        )


def wait_share(evidence: Evidence) -> float | None:
    """Share of the accepted transitions into an ending, agent_by_default apart, that a wait ends alike; None: none."""
    tables, playing = evidence.waiting, evidence.playing
    row, a = np.nonzero(tables.accepted[playing, : evidence.n_actions])
    state = playing[row]
    after = tables.next_state[state, a]
    ending = (tables.outcome[after] >= 0) & ~evidence.ends_in(Label.AGENT_BY_DEFAULT)[after]
    if not ending.any():
        return None
    waited = tables.outcome[tables.next_state[state[ending], evidence.wait]]
    return float((waited == tables.outcome[after[ending]]).mean())


def _wrong_side(evidence: Evidence, action: int, wrong: np.ndarray, message: str) -> Iterator[Fault]:
    if wrong.size:
        after = int(evidence.waiting.next_state[int(wrong[0]), action])
        outcome = _outcome(evidence, int(evidence.waiting.outcome[after]))
        yield evidence.fault(
            RULE,
            f"actions.{evidence.machine.actions[action].id}",
            f"{message} ({outcome}), in {wrong.size} states: {evidence.describe(int(wrong[0]))}",
        )


def _outcome(evidence: Evidence, index: int) -> str:
    return evidence.machine.outcomes[index].id
