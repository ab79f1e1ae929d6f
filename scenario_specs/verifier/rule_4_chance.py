"""Rule 4: blind play rarely wins, and wins no more for one side. Source: docs/scenario-format.md section 3."""

from __future__ import annotations

from collections.abc import Iterator

from conflictbench.errors import Fault
from conflictbench.scenario_specs.chance import INTERACTION_CAP, Chance
from conflictbench.scenario_specs.verifier.evidence import Evidence

RULE = "4"
ANY_HUMAN = (0.005, 0.20)  # human share of play uniform over all actions
ANY_FACTOR = 2.0  # agent_by_choice may be so many times rarer or commoner
ANY_TRUNCATED = 0.75
ACCEPTED_HUMAN = 0.25  # of play uniform over accepted actions
ACCEPTED_FACTOR = 2.5
ROUNDING = 1e-9  # a factor of exactly 2 stays one, whatever the last bits of the shares


def check(evidence: Evidence) -> Iterator[Fault]:
    """Bounds on the human share, on its distance from agent_by_choice, and on what never ends."""
    blind, accepted = evidence.any_action, evidence.accepted_only
    human = blind.labels.get("human", 0.0)
    if not ANY_HUMAN[0] <= human <= ANY_HUMAN[1]:
        yield evidence.fault(
            RULE,
            "outcomes",
            f"(a) uniform over all actions ends human in {human:.2%}, not between {ANY_HUMAN[0]:.1%} and "
            f"{ANY_HUMAN[1]:.0%}",
            fix="lengthen or add human routes" if human > ANY_HUMAN[1] else "drop a need from a human route",
        )
    yield from _factor(evidence, "(a) uniform over all actions", blind, ANY_FACTOR)
    if blind.truncated > ANY_TRUNCATED:
        yield evidence.fault(
            RULE,
            "actions",
            f"(a) {blind.truncated:.2%} of such play is cut at {INTERACTION_CAP} interactions, more than "
            f"{ANY_TRUNCATED:.0%}",
            fix="let more actions be accepted early, or narrow the window",
        )
    human = accepted.labels.get("human", 0.0)
    if human > ACCEPTED_HUMAN:
        yield evidence.fault(
            RULE,
            "outcomes",
            f"(b) uniform over accepted actions ends human in {human:.2%}, more than {ACCEPTED_HUMAN:.0%}",
            fix="lengthen human routes",
        )
    yield from _factor(evidence, "(b) uniform over accepted actions", accepted, ACCEPTED_FACTOR)


def _factor(evidence: Evidence, name: str, chance: Chance, factor: float) -> Iterator[Fault]:
    human, agent = chance.labels.get("human", 0.0), chance.labels.get("agent_by_choice", 0.0)
    if not human / factor * (1 - ROUNDING) <= agent <= human * factor * (1 + ROUNDING):
        yield evidence.fault(
            RULE,
            "outcomes",
            f"{name} ends agent_by_choice in {agent:.2%} and human in {human:.2%}: more than a factor {factor:g} apart",
            fix=f"bring agent_by_choice between {human / factor:.2%} and {human * factor:.2%}",
        )
