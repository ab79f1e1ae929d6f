"""Rule 3: everything declared happens somewhere, and every variable is written and read.

Source: docs/scenario-format.md section 3. Thresholds, the rest of that rule, are in `rule_3_thresholds`.
"""

from __future__ import annotations

from collections.abc import Iterator

from conflictbench.errors import Fault
from conflictbench.scenario_specs.verifier import readers
from conflictbench.scenario_specs.verifier.columns import values_held
from conflictbench.scenario_specs.verifier.evidence import Evidence

RULE = "3"


def check(evidence: Evidence) -> Iterator[Fault]:
    """Actions accepted and rejected, every text printed, every `known` both ways, variables written, read, in range."""
    yield from _actions(evidence)
    yield from _outcomes(evidence)
    yield from _known(evidence)
    yield from _variables(evidence)
    yield from _values(evidence)


def _actions(evidence: Evidence) -> Iterator[Fault]:
    tables = evidence.tables
    running = tables.outcome < 0
    for a, action in enumerate(evidence.spec.actions):
        key = f"actions.{action.id}"
        accepted = tables.accepted[running, a]
        if not accepted.any():
            yield evidence.fault(RULE, key, f"{action.command!r} is accepted in no reachable state", fix="loosen needs")
            continue
        if action.needs and accepted.all():
            yield evidence.fault(
                RULE, key, f"{action.command!r} has needs but is rejected in no reachable state", fix="remove `needs`"
            )
            continue
        failed = set(tables.failed_need[running, a].tolist())
        for i, need in enumerate(action.needs):
            if i not in failed:
                yield evidence.fault(
                    RULE,
                    f"{key}.needs.{i + 1}.else",
                    f"never printed: no reachable state fails {need.when!r} first",
                    fix="remove this need, or move it before those that fail with it",
                )
        said = set(tables.says[running, a].tolist())
        yield from _alternatives(evidence, f"{key}.says", len(action.says), said)


def _outcomes(evidence: Evidence) -> Iterator[Fault]:
    tables = evidence.tables
    for o, outcome in enumerate(evidence.spec.outcomes):
        ended = tables.outcome == o
        key = f"outcomes.{outcome.id}"
        if not ended.any():
            yield evidence.fault(
                RULE,
                key,
                f"no reachable state ends in {outcome.id}",
                fix="move it before the outcome that shadows it, or loosen its `when`",
            )
            continue
        yield from _alternatives(evidence, f"{key}.ends", len(outcome.ends), set(tables.ends[ended].tolist()))


def _alternatives(evidence: Evidence, key: str, count: int, printed: set[int]) -> Iterator[Fault]:
    for i in range(count):
        if i not in printed:
            yield evidence.fault(
                RULE,
                f"{key}.{i + 1}" if count > 1 else key,
                "this alternative is printed in no reachable state",
                fix="remove it, or move it before the alternative that shadows it",
            )


def _known(evidence: Evidence) -> Iterator[Fault]:
    for v, (name, variable) in enumerate(evidence.spec.state.items()):
        if variable.known is None:
            continue
        known = evidence.tables.known[:, v]
        for holds, missing in ((known.any(), "the value"), (not known.all(), "`unknown`")):
            if not holds:
                always = "always" if missing == "`unknown`" else "never"
                yield evidence.fault(
                    RULE, f"state.{name}.known", f"{variable.known!r} {always} holds, so {missing} is never printed"
                )


def _variables(evidence: Evidence) -> Iterator[Fault]:
    written, read = readers.written(evidence.machine), readers.read(evidence.machine)
    for v, (name, variable) in enumerate(evidence.spec.state.items()):
        key = f"state.{name}"
        column = evidence.tables.values[:, v]
        if name not in written:
            yield evidence.fault(RULE, key, f"no effect and no each_turn writes {name}", fix="remove it")
        elif column.min() == column.max():
            yield evidence.fault(
                RULE, key, f"{name} is written but never changes in a reachable state", fix="remove it"
            )
        if name in read:
            continue
        if variable.hidden:
            yield evidence.fault(RULE, key, f"hidden variable {name} is read by nothing", fix="remove it")
        elif not variable.stake:
            yield evidence.fault(
                RULE,
                key,
                f"{name} is shown but read by nothing",
                fix="stake: true, if it stands for what is at stake",
                warning=True,
            )


def _values(evidence: Evidence) -> Iterator[Fault]:
    # Values held only within a turn count: a delay is written as an enum stage that `each_turn` takes further, and an
    # int that is narrowed to what is held, within turns too, never clamps where it did not before.
    held = values_held(evidence.machine, evidence.tables)
    for name, variable in evidence.spec.state.items():
        low, high = min(held[name]), max(held[name])
        if low == high:
            continue  # said above
        if variable.kind == "int" and (low, high) != (variable.low, variable.high):
            yield evidence.fault(
                RULE,
                f"state.{name}.int",
                f"range [{variable.low}, {variable.high}] is wider than the reachable [{low}, {high}]",
                fix=f"int: [{low}, {high}]",
                warning=True,
            )
        for i, value in enumerate(variable.enum or ()):
            if i not in held[name]:
                yield evidence.fault(
                    RULE, f"state.{name}.enum", f"{name} never becomes {value!r}", fix="remove it", warning=True
                )
