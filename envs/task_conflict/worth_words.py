"""What an ending is worth to a party, in words and numbers. Own design.

A worth is an expression over the last state; it is told with the labels that the status line prints.
"""

from __future__ import annotations

from collections.abc import Mapping

from conflictbench.scenario_specs.expressions import Bool, Enum, Expr, Literal, Name, Operation
from conflictbench.scenario_specs.pages import value_text
from conflictbench.scenario_specs.parties.worth import UNIT, Worth, WorthNode
from conflictbench.scenario_specs.schema_parts import Variable

_COMPARED = {"<": "is below", "<=": "is at most", ">": "is above", ">=": "is at least"}


def worth_words(worth: Worth, variables: Mapping[str, Variable]) -> str:
    """A worth, such as `1, less 0.2 if the status says Batch run: cut`."""
    return _worth(worth.tree, variables)


def number(units: int) -> str:
    """A number of 1/10,000, such as `0.25`."""
    return f"{units / UNIT:g}"


def _worth(node: WorthNode, variables: Mapping[str, Variable]) -> str:
    parts = [_worth(part, variables) for part in node.operands]
    match node.op:
        case "number":
            return number(node.number) if node.decimal else str(node.number)
        case "name":
            assert isinstance(node.read, Name)
            return _counted(node.read, variables)
        case "neg":
            return f"minus {parts[0]}"
        case "+":
            return f"{parts[0]}, plus {parts[1]}"
        case "-":
            right = node.operands[1]
            if right.op == "if" and _is_zero(right.operands[1]):
                assert right.read is not None
                taken = _worth(right.operands[0], variables)
                return f"{parts[0]}, less {taken} if {condition_words(right.read, variables)}"
            return f"{parts[0]}, less {parts[1]}"
        case "*":
            for one, other in (node.operands, node.operands[::-1]):
                if one.op == "name" and isinstance(one.read, Name) and isinstance(one.read.type, Bool):
                    return f"{_worth(other, variables)} if {condition_words(one.read, variables)}"
            left, right = sorted(node.operands, key=lambda part: part.op == "name")
            return f"{_worth(left, variables)} times {_worth(right, variables)}"
    assert node.op == "if" and node.read is not None
    return f"{parts[0]} if {condition_words(node.read, variables)}, and {parts[1]} otherwise"


def condition_words(expr: Expr, variables: Mapping[str, Variable]) -> str:
    """A condition, such as `the status says Valve: sealed and Batch is at least 3 steps`."""
    match expr:
        case Literal(value=value, type=kind):
            return ("true" if value else "false") if isinstance(kind, Bool) else str(value)
        case Name(name=name, type=Bool()):
            return _reads(name, 1, variables)
        case Name(name=name):
            return _label(name, variables)
        case Operation(op="not", operands=(Name(name=name),)):
            return _reads(name, 0, variables)
        case Operation(op="not", operands=(inner,)):
            return f"it is not so that {condition_words(inner, variables)}"
        case Operation(op="and" | "or" as op, operands=operands):
            return f" {op} ".join(condition_words(part, variables) for part in operands)
        case Operation(op="==" | "!=" as op, operands=(Name(name=name), Literal(value=value))) if name in variables:
            return _reads(name, value, variables, so=op == "==")
        case Operation(op="==" | "!=" | "<" | "<=" | ">" | ">=" as op, operands=(left, right)):
            is_ = {"==": "is", "!=": "is not"}.get(op) or _COMPARED[op]
            return f"{condition_words(left, variables)} {is_} {_side(right, left, variables)}"
        case Operation(op=op, operands=operands):
            inner_words = [condition_words(part, variables) for part in operands]
            if op == "neg":
                return f"minus {inner_words[0]}"
            if op == "if":
                return f"{inner_words[0]} if {inner_words[1]}, and {inner_words[2]} otherwise"
            if op in ("min", "max"):
                return f"the {'smaller' if op == 'min' else 'greater'} of {' and '.join(inner_words)}"
            return f" {op} ".join(inner_words)


def _side(expr: Expr, other: Expr, variables: Mapping[str, Variable]) -> str:
    """The right side of a comparison: a value is told as the status line tells it."""
    if isinstance(expr, Literal) and isinstance(other, Name) and other.name in variables:
        return _value(other.name, expr.value, variables)
    if isinstance(expr, Literal) and isinstance(expr.type, Enum):
        return expr.type.names[expr.value].replace("_", " ")
    return condition_words(expr, variables)


def _reads(name: str, stored: int, variables: Mapping[str, Variable], *, so: bool = True) -> str:
    """That the status line has this value, as it prints it: labels are no parts of a sentence."""
    says = "says" if so else "does not say"
    return f"the status {says} {_label(name, variables)}: {_value(name, stored, variables)}"


def _counted(name: Name, variables: Mapping[str, Variable]) -> str:
    variable = variables.get(name.name)
    label = _label(name.name, variables)
    return f"{label} in {variable.unit}" if variable is not None and variable.unit is not None else label


def _label(name: str, variables: Mapping[str, Variable]) -> str:
    variable = variables.get(name)
    return variable.label if variable is not None and variable.label is not None else name.replace("_", " ")


def _value(name: str, stored: int, variables: Mapping[str, Variable]) -> str:
    variable = variables[name]
    if variable.words is None and variable.kind == "bool":  # hidden: nothing prints it
        return "true" if stored else "false"
    return value_text(variable, stored)


def _is_zero(node: WorthNode) -> bool:
    return node.op == "number" and node.number == 0
