"""Scenario specs with a single fact changed: a constant, an operator, a value, a bound, an order, something left out.

Sources are changed through Python's own syntax tree, so nothing here depends on expressions.py.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

from conflictbench.scenario_specs.schema import Scenario

Data = dict[str, Any]
Edit = Callable[[Any], None]  # changes a place inside a fresh copy of the file
Mutant = tuple[str, Data]

SWAPPED = {ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
SWAPPED |= {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.And: ast.Or, ast.Or: ast.And, ast.In: ast.NotIn, ast.NotIn: ast.In}


def mutants(spec: Scenario) -> Iterator[Mutant]:
    """Every mutant of a spec, in file order, with a line that says what was changed."""
    data = spec.model_dump(by_alias=True)
    for name, change in _changes(data):
        mutant = deepcopy(data)
        change(mutant)
        yield name, mutant


def _changes(data: Data) -> Iterator[tuple[str, Edit]]:
    enums = {name: variable["enum"] for name, variable in data["state"].items() if variable["enum"] is not None}
    yield from _bounds(data)
    for at, action in enumerate(data["actions"]):
        key = f"actions.{action['id']}"
        yield from _list(f"{key}.needs", ("actions", at, "needs"), action["needs"], "when", enums)
        yield from _sources(f"{key}.effects", ("actions", at, "effects"), action["effects"], enums)
        yield from _order(f"{key}.says", ("actions", at, "says"), action["says"])
    yield from _sources("each_turn", ("each_turn",), data["each_turn"], enums)
    yield from _list("outcomes", ("outcomes",), data["outcomes"], "when", enums)
    for at, outcome in enumerate(data["outcomes"]):
        yield from _order(f"outcomes.{outcome['id']}.ends", ("outcomes", at, "ends"), outcome["ends"])


def _bounds(data: Data) -> Iterator[tuple[str, Edit]]:
    yield "window + 1", _set(("window",), data["window"] + 1)
    yield "window - 1", _set(("window",), data["window"] - 1)
    for name, variable in data["state"].items():
        path = ("state", name)
        if variable["int"] is not None:
            low, high = variable["int"]
            for shown, range_ in (("low - 1", (low - 1, high)), ("low + 1", (low + 1, high))):
                yield f"{name} {shown}", _set((*path, "int"), range_)
            for shown, range_ in (("high - 1", (low, high - 1)), ("high + 1", (low, high + 1))):
                yield f"{name} {shown}", _set((*path, "int"), range_)
            yield f"{name} starts one higher", _set((*path, "start"), variable["start"] + 1)
            yield f"{name} starts one lower", _set((*path, "start"), variable["start"] - 1)
        elif variable["enum"] is not None:
            for other in variable["enum"]:
                if other != variable["start"]:
                    yield f"{name} starts {other}", _set((*path, "start"), other)
            first, second, *rest = variable["enum"]
            yield f"{name} names swapped", _set((*path, "enum"), (second, first, *rest))
        else:
            yield f"{name} starts {not variable['bool']}", _set((*path, "bool"), not variable["bool"])
        if variable["known"] is not None:
            for shown, source in _variants(variable["known"], {}):
                yield f"{name} known {shown}", _set((*path, "known"), source)


def _list(
    key: str, path: tuple[Any, ...], items: tuple[Data, ...], source: str, enums: dict[str, Any]
) -> Iterator[tuple[str, Edit]]:
    """Each condition changed, each element left out, each pair of neighbours swapped."""
    for i, item in enumerate(items):
        for shown, changed in _variants(item[source], enums):
            yield f"{key}.{i + 1}: {shown}", _set((*path, i, source), changed)
        yield f"{key}.{i + 1} left out", _set(path, (*items[:i], *items[i + 1 :]))
    yield from _order(key, path, items)


def _order(key: str, path: tuple[Any, ...], items: tuple[Data, ...]) -> Iterator[tuple[str, Edit]]:
    """Neighbours swapped; of texts, the conditions stay where the last one has none."""
    for i in range(len(items) - 1):
        a, b = items[i], items[i + 1]
        if "text" in a:
            a, b = {**a, "when": b["when"]}, {**b, "when": a["when"]}
        yield f"{key}.{i + 1} and {i + 2} swapped", _set(path, (*items[:i], b, a, *items[i + 2 :]))


def _sources(
    key: str, path: tuple[Any, ...], sources: dict[str, str], enums: dict[str, Any]
) -> Iterator[tuple[str, Edit]]:
    """Each effect changed, and each left out."""
    for name, source in sources.items():
        values = enums.get(name, ())
        if source.strip() in values:
            for other in values:
                if other != source.strip():
                    yield f"{key}.{name}: {other}", _set((*path, name), other)
        else:
            for shown, changed in _variants(source, enums):
                yield f"{key}.{name}: {shown}", _set((*path, name), changed)
        yield f"{key}.{name} left out", _set(path, {other: s for other, s in sources.items() if other != name})


def _variants(source: str, enums: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The source with one node changed; the new source twice, to be shown and to be set."""
    count = len(list(ast.walk(ast.parse(source.strip(), mode="eval"))))
    for i in range(count):
        for way in range(4):
            tree = ast.parse(source.strip(), mode="eval")
            node = list(ast.walk(tree))[i]
            if _change_node(node, way, enums):
                changed = ast.unparse(tree)
                yield changed, changed


def _change_node(node: ast.AST, way: int, enums: dict[str, Any]) -> bool:
    """Change one node in its `way`-th way; False if it has none."""
    match node:
        case ast.Constant(value=bool()):
            node.value = not node.value
            return way == 0
        case ast.Constant(value=int()):
            node.value += (1, -1)[way % 2]
            return way < 2 and node.value >= 0
        case ast.Constant(value=str()):
            others = [n for names in enums.values() if node.value in names for n in names if n != node.value]
            node.value = others[way] if way < len(others) else node.value
            return way < len(others)
        case ast.Compare(ops=[op]) if type(op) in SWAPPED:
            node.ops = [SWAPPED[type(op)]()]
            return way == 0
        case ast.BinOp(op=op) | ast.BoolOp(op=op) if type(op) in SWAPPED:
            node.op = SWAPPED[type(op)]()  # type: ignore[assignment]
            return way == 0
        case ast.IfExp():
            node.body, node.orelse = node.orelse, node.body
            return way == 0
        case ast.Name(id="min" | "max"):
            node.id = "max" if node.id == "min" else "min"
            return way == 0
        case ast.UnaryOp(op=ast.Not()):
            node.operand = ast.UnaryOp(ast.Not(), node.operand)
            return way == 0
    return False


def _set(path: tuple[Any, ...], value: Any) -> Edit:
    def edit(data: Any) -> None:
        for part in path[:-1]:
            if isinstance(data[part], tuple):
                data[part] = list(data[part])
            data = data[part]
        data[path[-1]] = value

    return edit
