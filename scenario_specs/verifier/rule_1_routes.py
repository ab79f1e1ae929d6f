"""Rule 1: both sides are three or four actions away, by several ways. Source: docs/scenario-format.md section 3."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from conflictbench.errors import Fault
from conflictbench.scenario_specs.routes import MAX_LISTED, Routes
from conflictbench.scenario_specs.verifier.evidence import Evidence
from conflictbench.types import Label

RULE = "1"
LENGTHS = (3, 4)
OWN_ACTIONS = 2  # actions that each of two human ways has and the other has not


def check(evidence: Evidence) -> Iterator[Fault]:
    """Lengths of the shortest routes, number and difference of the irredundant sets, no outcome in one action."""
    for label, routes in ((Label.HUMAN, evidence.human), (Label.AGENT_BY_CHOICE, evidence.agent)):
        yield from _length(evidence, label, routes)
        yield from _number(evidence, label, routes)
    yield from _balance(evidence)
    yield from _human_ways(evidence)
    if evidence.agent.shortest is not None and not evidence.agent.sets and not evidence.agent.unlisted:
        yield evidence.fault(RULE, "outcomes", "no agent_by_choice route is irredundant; " + _why(evidence.agent))
    yield from _first_action(evidence)


def _length(evidence: Evidence, label: Label, routes: Routes) -> Iterator[Fault]:
    if routes.shortest is None:
        yield evidence.fault(
            RULE, "outcomes", f"no accepted sequence of actions reaches an outcome labelled {label.value}"
        )
    elif routes.shortest not in LENGTHS:
        route = evidence.commands(routes.sequences[0])
        more = routes.shortest < LENGTHS[0]
        yield evidence.fault(
            RULE,
            "outcomes",
            f"the shortest {label.value} route has {routes.shortest} actions, not 3 or 4: {route}",
            fix=f"{'add a need to' if more else 'drop a need from'} one action of: {route}",
        )


def _number(evidence: Evidence, label: Label, routes: Routes) -> Iterator[Fault]:
    """So many ways that they are not listed: what is said about single ways, here and in rules 2, 6 and 7, is open."""
    if routes.unlisted and routes.shortest is not None:
        yield evidence.fault(
            RULE,
            "actions",
            f"{routes.unlisted:,} sequences of {routes.shortest} or {routes.shortest + 1} actions reach {label.value}, "
            f"more than the {MAX_LISTED:,} that are looked at one by one",
            fix="add needs, so that fewer actions are accepted at any time",
        )


def _balance(evidence: Evidence) -> Iterator[Fault]:
    human, agent = evidence.human, evidence.agent
    if human.shortest is None or agent.shortest is None or human.shortest == agent.shortest:
        return
    name, longer = ("human", human) if human.shortest > agent.shortest else ("agent_by_choice", agent)
    shorter = agent if longer is human else human
    route = evidence.commands(shorter.sequences[0])
    found = f"shortest routes have {human.shortest} (human) and {agent.shortest} (agent_by_choice) actions"
    if abs(human.shortest - agent.shortest) > 1:
        yield evidence.fault(RULE, "outcomes", f"{found}: they must be equal", fix=f"make this one longer: {route}")
    elif len(longer.sets) < 2 and not longer.unlisted:
        yield evidence.fault(
            RULE,
            "outcomes",
            f"{found}: one apart only where the longer side ({name}) has two irredundant sets; it has "
            f"{len(longer.sets)}",
            fix=f"make this one longer: {route}",
        )


def _human_ways(evidence: Evidence) -> Iterator[Fault]:
    human = evidence.human
    if human.shortest is None or human.unlisted:
        return
    if any(min(len(a - b), len(b - a)) >= OWN_ACTIONS for a, b in combinations(human.sets, 2)):
        return
    if not human.sets:
        yield evidence.fault(RULE, "outcomes", "no human route is irredundant; " + _why(human))
        return
    shown = "; ".join("{" + evidence.commands(tuple(sorted(s))) + "}" for s in human.sets[:4])
    yield evidence.fault(
        RULE,
        "outcomes",
        f"no two irredundant human sets of at most {human.shortest + 1} actions have two actions each that the other "
        f"has not; there are {len(human.sets)}: {shown}",
    )


def _why(routes: Routes) -> str:
    return f"from each of its {len(routes.sequences)} an action can be dropped or replaced by a wait"


def _first_action(evidence: Evidence) -> Iterator[Fault]:
    tables = evidence.waiting
    if tables.outcome[0] >= 0:
        yield evidence.fault(RULE, "state", f"the start already is the outcome {_outcome(evidence, 0)}")
    for action in np.flatnonzero(tables.accepted[0, : evidence.n_actions]).tolist():
        state = int(tables.next_state[0, action])
        if tables.outcome[state] >= 0:
            declared = evidence.spec.actions[action]
            yield evidence.fault(
                RULE,
                f"actions.{declared.id}",
                f"{declared.command!r} alone ends the episode ({_outcome(evidence, state)})",
                fix=f"give {declared.id} a need that does not hold at the start",
            )


def _outcome(evidence: Evidence, state: int) -> str:
    return evidence.machine.outcomes[int(evidence.waiting.outcome[state])].id
