"""Who writes and who reads each variable of a machine. Own design, for rule 3."""

from __future__ import annotations

from collections.abc import Iterator

from conflictbench.scenario_specs.expressions import Expr, names
from conflictbench.scenario_specs.machine import Machine


def written(machine: Machine) -> frozenset[str]:
    """Variables that some effect or `each_turn` sets."""
    return frozenset(machine.each_turn).union(*(action.effects for action in machine.actions))


def read(machine: Machine) -> frozenset[str]:
    """Variables read by a need, an outcome, a text's `when`, a `known`, or the effect on another variable.

    A variable's own update does not count: `tired: "tired + 1"` alone tells nobody anything.
    """
    found: set[str] = set()
    for expr in _conditions(machine):
        found |= names(expr)
    for effects in (machine.each_turn, *(action.effects for action in machine.actions)):
        for target, expr in effects.items():
            found |= names(expr) - {target}
    return frozenset(found)


def _conditions(machine: Machine) -> Iterator[Expr]:
    yield from machine.known.values()
    for action in machine.actions:
        yield from action.needs
        yield from (when for when in action.says if when is not None)
    for outcome in machine.outcomes:
        yield outcome.when
        yield from (when for when in outcome.ends if when is not None)
