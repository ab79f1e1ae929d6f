"""What the verifier found out about one file, beside its faults: printed, and compared over a suite. Own design."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from conflictbench.errors import Fault
from conflictbench.scenario_specs.chance import Chance
from conflictbench.scenario_specs.expressions import Expr, Literal, Name, Operation, names, thresholds
from conflictbench.scenario_specs.machine import Machine
from conflictbench.scenario_specs.routes import Routes, Side
from conflictbench.scenario_specs.verifier.evidence import Evidence
from conflictbench.scenario_specs.verifier.rule_5_no_return import NoReturn
from conflictbench.scenario_specs.verifier.rule_7_endings import wait_share

BUDGET_ACTIONS = 3  # actions that draw on a budget


@dataclass(frozen=True, kw_only=True)
class SideFacts:
    """The routes to one label."""

    shortest: int | None
    sequences: int  # accepted ones of at most shortest + 1 actions
    routes: tuple[tuple[str, ...], ...]  # irredundant ones, as commands
    set_sizes: tuple[int, ...]  # of the different irredundant sets, rising


@dataclass(frozen=True, kw_only=True)
class Facts:
    """One proved file."""

    id: str
    title: str
    category: str
    domain: str
    place: str
    agent_name: str
    opening: str
    commands: tuple[str, ...]  # file order
    states: int  # reachable, ended ones too
    running_states: int
    waiting_states: int  # with waits at every point
    human: SideFacts
    agent: SideFacts
    sides: Mapping[str, Side]  # by action id; empty where routes are too many to be listed
    any_action: Chance  # rule 4a
    accepted_only: Chance  # rule 4b
    no_return: Mapping[str, int]  # action id -> states in which it closes the way
    wait_share: float | None  # of the endings, deadline apart
    shape: str  # equal for two files that are built alike
    countdown_budget: bool  # a meter that runs by itself, and one that actions draw on
    seconds: float = field(compare=False)  # the proof took


@dataclass(frozen=True, kw_only=True)
class FileReport:
    """Faults and facts of one file; no facts where it could not be loaded or compiled."""

    path: str
    id: str
    faults: tuple[Fault, ...]
    facts: Facts | None

    @property
    def ok(self) -> bool:
        """True without errors; warnings do not count."""
        return not any(fault.severity == "error" for fault in self.faults)


def collect(evidence: Evidence, points: Mapping[int, NoReturn], seconds: float) -> Facts:
    """Facts of a file that compiled."""
    spec, tables = evidence.spec, evidence.tables
    return Facts(
        id=spec.id,
        title=spec.title,
        category=spec.category,
        domain=spec.setting.domain,
        place=spec.setting.place,
        agent_name=spec.agent.name,
        opening=spec.opening,
        commands=tuple(action.command for action in spec.actions),
        states=tables.n_states,
        running_states=int((tables.outcome < 0).sum()),
        waiting_states=evidence.waiting.n_states,
        human=_side(evidence, evidence.human),
        agent=_side(evidence, evidence.agent),
        sides={action.id: evidence.sides[a] for a, action in enumerate(spec.actions) if evidence.sides},
        any_action=evidence.any_action,
        accepted_only=evidence.accepted_only,
        no_return={spec.actions[a].id: len(point.states) for a, point in points.items()},
        wait_share=wait_share(evidence),
        shape=graph_shape(evidence),
        countdown_budget=countdown_and_budget(evidence.machine),
        seconds=seconds,
    )


def graph_shape(evidence: Evidence) -> str:
    """Route lengths, set sizes, needs an action and kinds of variables, in one line."""
    needs = sorted(len(action.needs) for action in evidence.machine.actions)
    kinds = sorted(("hidden " if v.hidden else "") + v.kind for v in evidence.spec.state.values())
    parts = [
        f"routes {evidence.human.shortest}/{evidence.agent.shortest}",
        "human sets " + "+".join(str(len(s)) for s in evidence.human.sets),
        "agent sets " + "+".join(str(len(s)) for s in evidence.agent.sets),
        "needs " + "".join(map(str, needs)),
        "variables " + ", ".join(f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds)),
    ]
    return "; ".join(parts)


def countdown_and_budget(machine: Machine) -> bool:
    """Whether the machine is a countdown plus a budget, the scheme that was overused in the published scenarios.

    Countdown: an integer that `each_turn` moves whatever else is so. Budget: another integer that at least three
    actions move by a constant in one direction, and that a need or outcome compares with a number.
    """
    countdowns = {name for name, expr in machine.each_turn.items() if _step(name, expr) and names(expr) == {name}}
    conditions = [need for action in machine.actions for need in action.needs]
    conditions += [outcome.when for outcome in machine.outcomes]
    limited = frozenset().union(*(found.names for when in conditions for found in thresholds(when)))
    for budget in limited.intersection(machine.variables):
        steps = [_step(budget, action.effects[budget]) for action in machine.actions if budget in action.effects]
        drawn = max(sum(step < 0 for step in steps), sum(step > 0 for step in steps))
        if drawn >= BUDGET_ACTIONS and countdowns - {budget}:
            return True
    return False


def _step(name: str, expr: Expr) -> int:
    """What `name + 3` or `name - 3` adds to the variable; 0 for any other expression."""
    match expr:
        case Operation(op="+" | "-" as op, operands=(Name(name=read), Literal(value=value))) if read == name:
            return value if op == "+" else -value
    return 0


def _side(evidence: Evidence, routes: Routes) -> SideFacts:
    commands = [action.command for action in evidence.spec.actions]
    return SideFacts(
        shortest=routes.shortest,
        sequences=routes.total,
        routes=tuple(tuple(commands[a] for a in route) for route in routes.irredundant),
        set_sizes=tuple(len(s) for s in routes.sets),
    )
