"""The small typed language of conditions and effects: parsed against a whitelist, never evaluated as Python.

Own design (docs/scenario-format.md, "Expressions"). A source string becomes a tree of frozen nodes whose types carry
integer intervals, so that every intermediate value is proved to stay within +-1,000,000 before anything runs. The
same tree feeds the tables (`evaluate`, over whole columns of states at once), the verifier (`names`, `thresholds`)
and writers of other languages (`to_source`).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

MAX_LENGTH = 200  # characters of a source
MAX_DEPTH = 12  # nested nodes
MAX_MAGNITUDE = 1_000_000  # of any intermediate integer

_ALPHABET = re.compile(r"[A-Za-z0-9_ '\"()+\-*/<>=!,\n]*")
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_GLUED = re.compile(r"(?<![A-Za-z0-9_])[0-9]+[A-Za-z_][A-Za-z0-9_]*")  # Python reads `1if` with a warning, or not
_COMPARISONS = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
_ARITHMETIC = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//"}
_BOOLEANS = {"true": True, "false": False}


class ExpressionError(ValueError):
    """A source string is not an expression of this language; the message says where and what would be."""


@dataclass(frozen=True)
class Int:
    """An integer known to lie in [low, high]."""

    low: int
    high: int

    def __str__(self) -> str:
        return "a number"


@dataclass(frozen=True)
class Enum:
    """One of `names`, stored as its index."""

    names: tuple[str, ...]

    def __str__(self) -> str:
        return f"one of {', '.join(self.names)}"


@dataclass(frozen=True)
class Bool:
    """True or false."""

    def __str__(self) -> str:
        return "true or false"


Type: TypeAlias = Int | Enum | Bool
Scope: TypeAlias = Mapping[str, Type]
Columns: TypeAlias = Mapping[str, NDArray[Any]]


@dataclass(frozen=True)
class Literal:
    """An integer, a boolean (0 or 1), or an enum name as its index; `type` says which."""

    value: int
    type: Type


@dataclass(frozen=True)
class Name:
    """A variable, `turn` or `turns_left`."""

    name: str
    type: Type


@dataclass(frozen=True)
class Operation:
    """`op` applied to `operands`: neg + - * // min max == != < <= > >= and or not if (then, test, otherwise)."""

    op: str
    operands: tuple[Expr, ...]
    type: Type


Expr: TypeAlias = Literal | Name | Operation


def parse(source: str, scope: Scope, expect: Type) -> Expr:
    """Read one expression.

    Args:
        source: at most 200 characters.
        scope: the names that may be read, with their types.
        expect: the type it must have; of an `Int` only the kind counts, the value is clamped by whoever stores it.
    Raises:
        ExpressionError: it is not of this language, names something unknown, clashes in type, is too long, too deep,
            or could leave +-1,000,000.
    """
    if len(source) > MAX_LENGTH:
        raise ExpressionError(f"an expression has at most {MAX_LENGTH} characters, this one has {len(source)}")
    stripped = source.strip()
    if isinstance(expect, Enum) and stripped in expect.names:
        # A bare enum name is allowed as a whole effect only; inside an expression names are variables.
        if stripped in scope:
            raise ExpressionError(f"{stripped!r} is a variable and a value: write '{stripped}' in quotes for the value")
        return Literal(expect.names.index(stripped), expect)
    if bad := next((c for c in source if not _ALPHABET.fullmatch(c)), None):
        raise ExpressionError(f"character {bad!r} has no place in an expression")
    if glued := _GLUED.search(_QUOTED.sub("''", source)):
        raise ExpressionError(
            f"{glued[0]!r} is not a whole number of at most seven digits; a blank stands between a number and a word"
        )
    try:
        tree = ast.parse(stripped, mode="eval")
    except (SyntaxError, ValueError) as error:
        reason = error.msg if isinstance(error, SyntaxError) else str(error)
        raise ExpressionError(f"{source!r} cannot be read: {reason}") from None
    except (RecursionError, MemoryError):
        raise ExpressionError(f"an expression is at most {MAX_DEPTH} levels deep") from None
    return _Reader(stripped, scope).read(tree.body, expect, 1)


class _Reader:
    """Turns Python's syntax tree into ours, one whitelisted node at a time."""

    def __init__(self, source: str, scope: Scope) -> None:
        self.source = source
        self.scope = scope

    def read(self, node: ast.expr, expect: Type | None, depth: int) -> Expr:
        if depth > MAX_DEPTH:
            raise ExpressionError(f"an expression is at most {MAX_DEPTH} levels deep")
        result = self._node(node, expect, depth)
        if expect is not None:
            self._agree(result.type, expect, node)
        if isinstance(result.type, Int) and max(-result.type.low, result.type.high) > MAX_MAGNITUDE:
            raise ExpressionError(
                f"{self._text(node)!r} could reach {result.type.low} to {result.type.high}; "
                f"values stay within +-{MAX_MAGNITUDE:,}"
            )
        return result

    def _node(self, node: ast.expr, expect: Type | None, depth: int) -> Expr:
        match node:
            case ast.Constant():
                return self._constant(node, expect)
            case ast.Name(id=name):
                return self._name(name)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return Operation("not", (self.read(operand, Bool(), depth + 1),), Bool())
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                inner = self.read(operand, Int(0, 0), depth + 1)
                low, high = _interval(inner)
                return Operation("neg", (inner,), Int(-high, -low))
            case ast.BinOp(op=op, left=left, right=right) if type(op) in _ARITHMETIC:
                return self._arithmetic(_ARITHMETIC[type(op)], left, right, depth)
            case ast.BoolOp(op=op, values=values):
                operands = tuple(self.read(value, Bool(), depth + 1) for value in values)
                return Operation("and" if isinstance(op, ast.And) else "or", operands, Bool())
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return self._compare(op, left, right, depth)
            case ast.Compare():
                raise ExpressionError(f"{self._text(node)!r} chains comparisons: join them with `and`")
            case ast.IfExp(test=test, body=body, orelse=orelse):
                hint = expect or self._enum_in(node)
                then = self.read(body, hint, depth + 1)
                condition = self.read(test, Bool(), depth + 1)
                otherwise = self.read(orelse, hint or then.type, depth + 1)
                return Operation("if", (then, condition, otherwise), self._join(then, otherwise, node))
            case ast.Call(func=ast.Name(id=("min" | "max") as name), args=args, keywords=[]) if len(args) >= 2:
                operands = tuple(self.read(arg, Int(0, 0), depth + 1) for arg in args)
                ends = [_interval(operand) for operand in operands]
                pick = min if name == "min" else max
                return Operation(name, operands, Int(pick(e[0] for e in ends), pick(e[1] for e in ends)))
        raise ExpressionError(
            f"{self._text(node)!r} is not part of the language; it has numbers, quoted names, variables, + - * //, "
            "min(), max(), comparisons, in, not in, and, or, not, and `a if c else b`"
        )

    def _constant(self, node: ast.Constant, expect: Type | None) -> Expr:
        value, text = node.value, self._text(node)
        if isinstance(value, bool):
            return Literal(int(value), Bool())
        if isinstance(value, int) and text.isdigit() and len(text) <= 7:
            return Literal(value, Int(value, value))
        if isinstance(value, str) and text[1:-1] == value:
            if not isinstance(expect, Enum):
                wanted = f"; {expect} is wanted here" if expect else ", nothing beside it says of which variable"
                raise ExpressionError(f"{text} is the value of an enum{wanted}")
            if value not in expect.names:
                raise ExpressionError(
                    f"{text} is not a value here; valid: {', '.join(expect.names)}{_close(value, expect.names)}"
                )
            return Literal(expect.names.index(value), expect)
        raise ExpressionError(f"{text!r} is not a whole number of at most seven digits, a quoted name, true or false")

    def _name(self, name: str) -> Expr:
        if name in self.scope:
            return Name(name, self.scope[name])
        if name in _BOOLEANS:
            return Literal(int(_BOOLEANS[name]), Bool())
        enums = [v for v, t in self.scope.items() if isinstance(t, Enum) and name in t.names]
        hint = f"; as a value of {enums[0]} write it in quotes" if enums else _close(name, self.scope)
        raise ExpressionError(f"unknown name {name!r}; known: {', '.join(self.scope)}{hint}")

    def _arithmetic(self, op: str, left: ast.expr, right: ast.expr, depth: int) -> Expr:
        a, b = self.read(left, Int(0, 0), depth + 1), self.read(right, Int(0, 0), depth + 1)
        (al, ah), (bl, bh) = _interval(a), _interval(b)
        if op == "+":
            low, high = al + bl, ah + bh
        elif op == "-":
            low, high = al - bh, ah - bl
        elif op == "*":
            ends = (al * bl, al * bh, ah * bl, ah * bh)
            low, high = min(ends), max(ends)
        else:
            if not isinstance(b, Literal) or b.value <= 0:
                raise ExpressionError(f"the right side of // is a positive constant, not {self._text(right)!r}")
            low, high = al // b.value, ah // b.value
        return Operation(op, (a, b), Int(low, high))

    def _compare(self, op: ast.cmpop, left: ast.expr, right: ast.expr, depth: int) -> Expr:
        hint = self._enum_in(left) or self._enum_in(right)
        if isinstance(op, ast.In | ast.NotIn):
            if hint is None or not isinstance(right, ast.Tuple | ast.List | ast.Set) or not right.elts:
                raise ExpressionError("`in` asks whether an enum variable is one of (quoted, names)")
            member = self.read(left, hint, depth + 1)
            tests = tuple(Operation("==", (member, self.read(item, hint, depth + 1)), Bool()) for item in right.elts)
            inside = tests[0] if len(tests) == 1 else Operation("or", tests, Bool())
            return inside if isinstance(op, ast.In) else Operation("not", (inside,), Bool())
        if type(op) not in _COMPARISONS:
            raise ExpressionError(f"`is` has no place here: compare with {' '.join(_COMPARISONS.values())}")
        symbol = _COMPARISONS[type(op)]
        a = self.read(left, hint, depth + 1)
        b = self.read(right, hint or (Bool() if isinstance(a.type, Bool) else Int(0, 0)), depth + 1)
        if symbol not in ("==", "!=") and not isinstance(a.type, Int):
            raise ExpressionError(f"{symbol} compares numbers; {self._text(left)!r} is {a.type}")
        return Operation(symbol, (a, b), Bool())

    def _enum_in(self, node: ast.expr) -> Enum | None:
        """The enum whose value `node` gives, if a variable in it says so."""
        if isinstance(node, ast.Name):
            found = self.scope.get(node.id)
            return found if isinstance(found, Enum) else None
        if isinstance(node, ast.IfExp):
            return self._enum_in(node.body) or self._enum_in(node.orelse)
        return None

    def _join(self, a: Expr, b: Expr, node: ast.expr) -> Type:
        if isinstance(a.type, Int) and isinstance(b.type, Int):
            return Int(min(a.type.low, b.type.low), max(a.type.high, b.type.high))
        self._agree(b.type, a.type, node)
        return a.type

    def _agree(self, found: Type, expect: Type, node: ast.expr) -> None:
        same_kind = type(found) is type(expect)
        if not same_kind or (isinstance(found, Enum) and found != expect):
            raise ExpressionError(f"{self._text(node)!r} is {found}, but {expect} is wanted here")

    def _text(self, node: ast.expr) -> str:
        return ast.get_source_segment(self.source, node) or self.source


def evaluate(expr: Expr, columns: Columns) -> NDArray[Any]:
    """Value of `expr` for every row.

    Args:
        columns: one array of shape (n,) for each name it reads: int64, or bool for booleans; enums as their index.
    Returns:
        int64 (n,) or bool (n,); a constant comes back as a zero-dimensional array, to be broadcast by the caller.
    """
    match expr:
        case Literal(value=value, type=kind):
            return np.asarray(bool(value) if isinstance(kind, Bool) else value)
        case Name(name=name):
            return columns[name]
        case Operation(op=op, operands=operands):
            args = [evaluate(operand, columns) for operand in operands]
            if op == "if":
                return np.where(args[1], args[0], args[2])
            if op in ("not", "neg"):
                return np.asarray(np.logical_not(args[0]) if op == "not" else np.negative(args[0]))
            result: NDArray[Any] = args[0]
            for other in args[1:]:
                result = np.asarray(_UFUNCS[op](result, other))
            return result


_UFUNCS: dict[str, np.ufunc] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "//": np.floor_divide,  # floors toward minus infinity, as the language says
    "min": np.minimum,
    "max": np.maximum,
    "and": np.logical_and,
    "or": np.logical_or,
    "==": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}


def walk(expr: Expr) -> Iterator[Expr]:
    """Every node, parents first."""
    yield expr
    if isinstance(expr, Operation):
        for operand in expr.operands:
            yield from walk(operand)


def names(expr: Expr) -> frozenset[str]:
    """Names the expression reads, `turn` and `turns_left` among them."""
    return frozenset(node.name for node in walk(expr) if isinstance(node, Name))


@dataclass(frozen=True)
class Threshold:
    """An integer that something is compared with."""

    names: frozenset[str]  # what the other side reads
    op: str
    value: int


def thresholds(expr: Expr) -> tuple[Threshold, ...]:
    """Every comparison of something variable with an integer, in source order."""
    found = []
    for node in walk(expr):
        if isinstance(node, Operation) and node.op in ("==", "!=", "<", "<=", ">", ">="):
            for side, other in (node.operands, node.operands[::-1]):
                value = _constant(side)
                if value is not None and names(other):
                    found.append(Threshold(names(other), node.op, value))
    return tuple(found)


def _constant(expr: Expr) -> int | None:
    """The integer an expression writes, such as 18 or -18; None if it is something else."""
    match expr:
        case Literal(value=value, type=Int()):
            return value
        case Operation(op="neg", operands=(Literal(value=value, type=Int()),)):
            return -value
    return None


def to_source(expr: Expr) -> str:
    """The expression again, fully bracketed: equal sources are equal trees."""
    match expr:
        case Literal(value=value, type=kind):
            if isinstance(kind, Enum):
                return f"'{kind.names[value]}'"
            return str(bool(value)) if isinstance(kind, Bool) else str(value)
        case Name(name=name):
            return name
        case Operation(op=op, operands=operands):
            args = [to_source(operand) for operand in operands]
            if op == "if":
                return f"({args[0]} if {args[1]} else {args[2]})"
            if op in ("min", "max"):
                return f"{op}({', '.join(args)})"
            if op in ("not", "neg"):
                return f"({'not ' if op == 'not' else '-'}{args[0]})"
            return f"({f' {op} '.join(args)})"


def _interval(expr: Expr) -> tuple[int, int]:
    assert isinstance(expr.type, Int)
    return expr.type.low, expr.type.high


def _close(name: str, known: Any) -> str:
    near = get_close_matches(name, list(known), n=1)
    return f" (did you mean {near[0]}?)" if near else ""
