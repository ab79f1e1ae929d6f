"""What a party is told must not hang on what is private to the other. Own design.

A party sees which of its moves are possible and why not, what an ending is worth to it, which values are known, and
whether its own outcome has come true. Where such a condition reads a private variable of the other's, the answer gives
that variable away. What happens in the world may depend on it all the same: that is for the other to find out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from conflictbench.scenario_specs.expressions import names
from conflictbench.scenario_specs.machine import Machine
from conflictbench.scenario_specs.parties.block import CELLS, ROLES, Parties, Role
from conflictbench.scenario_specs.parties.worth import Worth
from conflictbench.scenario_specs.schema import Variable
from conflictbench.types import Label

OWN_LABEL: Mapping[Role, Label] = {"incumbent": Label.AGENT_BY_CHOICE, "requester": Label.HUMAN}
Told = tuple[str, frozenset[str], str]  # key of the file as two play it, variables that are read, what reads them


def leaks(
    block: Parties,
    machine: Machine,
    variables: Mapping[str, Variable],
    worth: Sequence[Sequence[Worth]],
) -> Iterator[tuple[str, str]]:
    """Key and message of everything that would tell one party what is private to the other.

    Args:
        machine: of two-party play.
        variables: declarations of the machine's variables.
        worth: a party -> its worths, in the order of CELLS.
    """
    for party, role in enumerate(ROLES):
        other = ROLES[1 - party]
        private = frozenset(getattr(block.private, other))
        for key, read, what in _told(role, block, machine, variables, worth[party]):
            if hidden := sorted(read & private):
                message = (
                    f"{what} reads {', '.join(hidden)}, private to the {other}: what the {role} is told gives it away"
                )
                yield key, message


def _told(
    role: Role,
    block: Parties,
    machine: Machine,
    variables: Mapping[str, Variable],
    worth: Sequence[Worth],
) -> Iterator[Told]:
    """Every condition whose answer `role` is told."""
    moves = {*block.own(role).actions, *block.both}
    for action in machine.actions:
        if action.id in moves:
            for number, need in enumerate(action.needs, 1):
                yield (
                    f"actions.{action.id}.needs.{number}.when",
                    names(need),
                    f"a need of the {role}'s move {action.id!r}",
                )
    for cell, expression in zip(CELLS, worth, strict=True):
        yield f"parties.worth.{role}.{cell}", expression.names, f"what {cell!r} is worth to the {role}"
    unseen = getattr(block.private, ROLES[1 - ROLES.index(role)])
    for name, known in machine.known.items():
        if name not in unseen and not variables[name].hidden:
            yield f"state.{name}.known", names(known), f"whether {name!r} is known"
    for outcome in machine.outcomes:
        if outcome.label is OWN_LABEL[role]:
            yield f"outcomes.{outcome.id}.when", names(outcome.when), f"the {role}'s own outcome {outcome.id!r}"
