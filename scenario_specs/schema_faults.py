"""What pydantic finds wrong with a file, as faults that name the key path, the line and the valid names. Own design."""

from __future__ import annotations

import types
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from conflictbench.errors import Fault, shown
from conflictbench.scenario_specs.key_paths import Location, join, nearest_line
from conflictbench.scenario_specs.schema import ID_PATTERN, SCENARIO_ID_PATTERN, Scenario

_PATTERNS = {
    ID_PATTERN: "a name has a-z, 0-9 and _, begins with a letter, and at most 32 characters",
    SCENARIO_ID_PATTERN: "an id is EP1, EP2 or EP3, a dash and three digits, such as EP1-001",
    r"^[a-z0-9]+( [a-z0-9]+){1,3}$": "a command is two to four words of a-z and 0-9, such as open west shaft",
    r"^[a-z0-9]+( [a-z0-9]+){0,3}$": "a name of a thing is one to four words of a-z and 0-9",
}


def schema_faults(
    error: ValidationError,
    paths: Mapping[Location, str],
    lines: Mapping[str, int],
    file: str,
    *,
    most: int,
    model: type[BaseModel] = Scenario,
) -> list[Fault]:
    """One fault for each key that the schema refuses.

    Args:
        paths: key path of every location in the data that were validated.
        lines: 1-based line of each key path.
        most: faults wanted.
        model: what the data were validated as.
    """
    faults = []
    problems = error.errors(include_url=False)
    for problem in problems[:most]:
        if problem["type"] == "too_short" and _deeper(problems, problem["loc"]):
            continue  # only empty because its elements are wrong, which is said there
        location: Location = tuple(part for part in problem["loc"] if part != "[key]")
        known = next(location[:n] for n in range(len(location), -1, -1) if location[:n] in paths)
        path = paths[known]
        rest = location[len(known) :]
        # What is left of the location is a missing key, or the name of a branch that pydantic tried.
        if problem["type"] == "missing" and rest:
            path = join(path, str(rest[0] + 1 if isinstance(rest[0], int) else rest[0]))
        message, fix = _words(problem, location, model)
        faults.append(
            Fault(file=file, key=path, rule="schema", message=message, fix=fix, line=nearest_line(lines, path))
        )
    return faults


def _deeper(problems: Sequence[ErrorDetails], location: Location) -> bool:
    return any(len(p["loc"]) > len(location) and p["loc"][: len(location)] == location for p in problems)


def _words(problem: ErrorDetails, location: Location, model: type[BaseModel]) -> tuple[str, str]:
    value = shown(problem["input"], 60)
    context = problem.get("ctx", {})
    match problem["type"]:
        case "missing" if isinstance(location[-1], int):
            return f"the list has {location[-1]} entries, and one more is missing", "add it"
        case "missing":
            return f"missing key {location[-1]!r}; {_keys(model, location[:-1])}", f"add {location[-1]}: ..."
        case "extra_forbidden":
            name = str(location[-1])
            near = get_close_matches(name, [key for keys in _allowed(model, location[:-1]) for key in keys], n=1)
            return f"unknown key {name!r}; {_keys(model, location[:-1])}", near[0] if near else f"remove {name}"
        case "string_pattern_mismatch":
            return f"{value} does not fit: {_PATTERNS.get(context['pattern'], context['pattern'])}", ""
        case "literal_error" | "enum":
            return f"{value} is not valid; valid: {context['expected']}", ""
        case "value_error":
            return str(context["error"]), ""
        case "string_type":
            quoted = f'"{value}"' if isinstance(problem["input"], bool | int | float) else ""
            return f"a text is wanted, not {value}", quoted
        case "model_type" | "dict_type":
            valid = f"; {_keys(model, location)}" if _block(model, location) else ""
            return f"a block of keys is wanted, not {value}{valid}", ""
        case "tuple_type":
            return f"a list is wanted, not {value}", ""
        case "too_long":
            count, most = len(problem["input"]), context["max_length"]
            return f"has {count} entries, at most {most} are valid", f"leave {count - most} out"
        case "string_too_long":
            count, most = len(problem["input"]), context["max_length"]
            return f"has {count:,} characters, at most {most:,} are valid: {value}", f"cut {count - most:,} characters"
        case "string_too_short":
            return "the text is empty", "write it, or leave the key out"
    return f"{problem['msg']}; found {value}", ""


def _keys(model: type[BaseModel], location: Location) -> str:
    required, optional = _allowed(model, location)
    if not required and not optional:
        return "no keys are valid here"
    also = f"; optional: {', '.join(optional)}" if optional else ""
    return f"valid: {', '.join(required) or 'none'}{also}"


def _allowed(model: type[BaseModel], location: Location) -> tuple[list[str], list[str]]:
    """Required and optional keys of the block at `location`."""
    block = _block(model, location)
    if block is None:
        return [], []
    fields = [(field.alias or name, field.is_required()) for name, field in block.model_fields.items()]
    return [name for name, required in fields if required], [name for name, required in fields if not required]


def _block(annotation: Any, location: Location) -> type[BaseModel] | None:
    """The model that validates the place at `location`, found by walking the annotations."""
    if get_origin(annotation) is Annotated:
        return _block(get_args(annotation)[0], location)
    if get_origin(annotation) in (Union, types.UnionType):
        found = (_block(branch, location) for branch in get_args(annotation))
        return next((block for block in found if block is not None), None)
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        if not location:
            return annotation
        named = {field.alias or name: field for name, field in annotation.model_fields.items()}
        return _block(named[location[0]].annotation, location[1:]) if location[0] in named else None
    if not location or not get_args(annotation):
        return None
    inner = get_args(annotation)[-1 if get_origin(annotation) is dict else 0]
    return _block(inner, location[1:])
