"""Other start values of a variable: those two-party play begins from, and the types of a private one. Own design."""

from __future__ import annotations

from conflictbench.scenario_specs.parties.block import Value
from conflictbench.scenario_specs.schema_parts import Variable


def started(variable: Variable, value: Value) -> Variable:
    """The variable with another start value; `references` has checked that it may have it."""
    return variable.model_copy(update={"bool_": value} if variable.kind == "bool" else {"start": value})


def may_start(variable: Variable, value: Value) -> bool:
    """Whether a variable can begin with this value."""
    if variable.kind == "bool":
        return isinstance(value, bool)
    if variable.enum is not None:
        return value in variable.enum
    return isinstance(value, int) and not isinstance(value, bool) and variable.low <= value <= variable.high


def valid_starts(variable: Variable) -> tuple[str, ...]:
    """What a start value may be, for messages."""
    if variable.kind == "bool":
        return ("true", "false")
    return variable.enum if variable.enum is not None else (f"{variable.low} to {variable.high}",)
