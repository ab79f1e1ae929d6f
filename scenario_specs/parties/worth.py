"""Worths: decimal expressions over the last state of a game, kept exact as whole units of 1/10,000. Own design.

The language of conditions has whole numbers only. A worth is a sum of decimals, of decimals times whole numbers or
booleans (0 or 1), and of choices: `0.6 - 0.2 * cut if sealed else 1.0`. Its conditions are those of the rest of the
file, read by the same parser. Source: docs/two-party.md (keys).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from conflictbench.scenario_specs.expressions import (
    MAX_DEPTH,
    MAX_LENGTH,
    Bool,
    Columns,
    Enum,
    Expr,
    ExpressionError,
    Int,
    Scope,
    evaluate,
    names,
    parse,
)

UNIT = 10_000  # worths, costs and payoffs are whole numbers of 1/UNIT
PLACES = 4

_DECIMAL = re.compile(r"[0-9]{1,4}(\.[0-9]{1,4})?")


@dataclass(frozen=True)
class Worth:
    """A worth that has been read; `source` is as written."""

    source: str
    tree: WorthNode

    @property
    def names(self) -> frozenset[str]:
        """Names it reads, those in its conditions among them."""
        return self.tree.names

    def units(self, columns: Columns, n: int) -> NDArray[np.int64]:
        """Its value in 1/UNIT for each of `n` rows, shape (n,)."""
        value = _value(self.tree, columns)
        scaled = value if self.tree.decimal else value * UNIT
        return np.broadcast_to(np.asarray(scaled, np.int64), (n,)).copy()


@dataclass(frozen=True)
class WorthNode:
    """`decimal` values are in units, the others are whole numbers as they are."""

    op: str  # number, name, neg, +, -, *, if
    decimal: bool
    number: int = 0
    read: Expr | None = None  # of a name, or the condition of an `if`
    operands: tuple[WorthNode, ...] = ()

    @property
    def names(self) -> frozenset[str]:
        """Names that it and its operands read."""
        own = frozenset() if self.read is None else names(self.read)
        return own.union(*(operand.names for operand in self.operands))


def parse_worth(source: str, scope: Scope) -> Worth:
    """Read one worth.

    Args:
        source: at most 200 characters.
        scope: variables that may be read.
    Raises:
        ExpressionError: it is not of this language, or names something unknown.
    """
    if len(source) > MAX_LENGTH:
        raise ExpressionError(f"a worth has at most {MAX_LENGTH} characters, this one has {len(source)}")
    stripped = source.strip()
    try:
        tree = ast.parse(stripped, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ExpressionError(f"{source!r} cannot be read: {error.__class__.__name__}") from None
    return Worth(source, _Reader(stripped, scope).read(tree.body, 1))


class _Reader:
    def __init__(self, source: str, scope: Scope) -> None:
        self.source = source
        self.scope = scope

    def read(self, node: ast.expr, depth: int) -> WorthNode:
        if depth > MAX_DEPTH:
            raise ExpressionError(f"a worth is at most {MAX_DEPTH} levels deep")
        match node:
            case ast.Constant():
                return self._number(node)
            case ast.Name(id=name) if not isinstance(self.scope.get(name), Enum):
                expect = Bool() if isinstance(self.scope.get(name), Bool) else Int(0, 0)
                return WorthNode("name", decimal=False, read=parse(name, self.scope, expect))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                inner = self.read(operand, depth + 1)
                return WorthNode("neg", inner.decimal, operands=(inner,))
            case ast.BinOp(op=ast.Add() | ast.Sub() as op, left=left, right=right):
                pair = (self.read(left, depth + 1), self.read(right, depth + 1))
                return WorthNode("+" if isinstance(op, ast.Add) else "-", any(p.decimal for p in pair), operands=pair)
            case ast.BinOp(op=ast.Mult(), left=left, right=right):
                pair = (self.read(left, depth + 1), self.read(right, depth + 1))
                if all(p.decimal for p in pair):
                    raise ExpressionError(f"{self._text(node)!r} multiplies two decimals: multiply by a whole number")
                return WorthNode("*", any(p.decimal for p in pair), operands=pair)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                pair = (self.read(body, depth + 1), self.read(orelse, depth + 1))
                condition = parse(self._text(test), self.scope, Bool())
                return WorthNode("if", any(p.decimal for p in pair), read=condition, operands=pair)
        raise ExpressionError(
            f"{self._text(node)!r} has no place in a worth; it has decimals of at most {PLACES} places, whole numbers "
            "and booleans of the state, + - *, and `a if c else b`"
        )

    def _number(self, node: ast.Constant) -> WorthNode:
        text = self._text(node)
        if isinstance(node.value, bool | str) or _DECIMAL.fullmatch(text) is None:
            raise ExpressionError(f"{text!r} is not a number of at most {PLACES} places, such as 0.25")
        whole, _, places = text.partition(".")
        if not places:
            return WorthNode("number", decimal=False, number=int(whole))
        return WorthNode("number", decimal=True, number=int(whole) * UNIT + int(places.ljust(PLACES, "0")))

    def _text(self, node: ast.expr) -> str:
        return ast.get_source_segment(self.source, node) or self.source


def _value(node: WorthNode, columns: Columns) -> NDArray[Any]:
    if node.op == "number":
        return np.asarray(node.number, np.int64)
    if node.op == "name":
        assert node.read is not None
        return evaluate(node.read, columns).astype(np.int64)
    args = [
        _value(part, columns) * (UNIT if node.op != "*" and node.decimal and not part.decimal else 1)
        for part in node.operands
    ]
    if node.op == "if":
        assert node.read is not None
        return np.where(evaluate(node.read, columns), args[0], args[1])
    return np.asarray(_OPERATIONS[node.op](*args))


_OPERATIONS: dict[str, Callable[..., Any]] = {
    "neg": np.negative,
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
}
