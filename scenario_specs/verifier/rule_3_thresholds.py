"""Rule 3, numbers: whoever must stay under a limit can read it. Source: docs/scenario-format.md section 3."""

from __future__ import annotations

from collections.abc import Iterator

from conflictbench.errors import Fault
from conflictbench.scenario_specs.expressions import Expr, thresholds
from conflictbench.scenario_specs.machine import CLOCK_NAMES
from conflictbench.scenario_specs.schema import Scenario
from conflictbench.scenario_specs.verifier.evidence import Evidence
from conflictbench.scenario_specs.verifier.numbers_in_text import numbers_in

RULE = "3"


def check(evidence: Evidence) -> Iterator[Fault]:
    """Every integer a need or outcome compares with, 0 and the clock excepted, is named in some help or `else`."""
    named = {variant: _named(spec) for variant, spec in evidence.readings.items()}
    for key, expr in _places(evidence):
        for value in sorted(_limits(expr)):
            missing = [variant for variant, numbers in named.items() if value not in numbers]
            if missing:
                where = "" if len(missing) == len(named) else f" of the readings {', '.join(missing)}"
                action = key.split(".")[1] if key.startswith("actions.") else ""
                yield evidence.fault(
                    RULE,
                    key,
                    f"threshold {value} is named in no help and no `else`{where}",
                    fix=f"name {value} in actions.{action}.help"
                    if action
                    else f"name {value} in the help of an action",
                )


def _places(evidence: Evidence) -> Iterator[tuple[str, Expr]]:
    for action in evidence.machine.actions:
        for i, need in enumerate(action.needs, 1):
            yield f"actions.{action.id}.needs.{i}.when", need
    for outcome in evidence.machine.outcomes:
        yield f"outcomes.{outcome.id}.when", outcome.when


def _limits(expr: Expr) -> set[int]:
    """Without their sign: a text says "18 degrees below" or "minus eighteen"."""
    found = [threshold for threshold in thresholds(expr) if not threshold.names.intersection(CLOCK_NAMES)]
    return {abs(threshold.value) for threshold in found} - {0}


def _named(spec: Scenario) -> frozenset[int]:
    texts = [action.help for action in spec.actions]
    texts += [need.else_ for action in spec.actions for need in action.needs]
    return frozenset().union(*map(numbers_in, texts))
