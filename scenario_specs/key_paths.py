"""Names of places in a scenario file: `actions.open_shaft.needs.2.else` instead of positions. Own design.

An element of a list goes by its `id` where it has one of its own, by its 1-based number otherwise. Faults, twins and
line numbers all use these paths, so that a message can be pasted into a search.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

MAX_DEPTH = 24  # of blocks and lists in one another

_NAME = re.compile(r"[A-Za-z0-9_-]{1,40}")

Location: TypeAlias = tuple[str | int, ...]  # as pydantic gives it: keys and 0-based indices


def element_names(items: Sequence[Any]) -> list[str]:
    """The path element of each item of a list: its `id` if no earlier item has it, else its number."""
    seen: set[str] = set()
    names = []
    for number, item in enumerate(items, 1):
        own = item.get("id") if isinstance(item, Mapping) else None
        fresh = isinstance(own, str) and _NAME.fullmatch(own) is not None and own not in seen
        names.append(str(own) if fresh else str(number))
        seen.add(names[-1])
    return names


def key_paths(data: Any) -> dict[Location, str]:
    """Path of every place in `data` (nested dicts and lists), the root as ""; none deeper than `MAX_DEPTH` + 1."""
    return dict(_walk(data, (), ""))


def _walk(data: Any, location: Location, path: str) -> Iterator[tuple[Location, str]]:
    yield location, path
    if len(location) > MAX_DEPTH:
        return
    if isinstance(data, Mapping):
        for key, value in data.items():
            yield from _walk(value, (*location, key), join(path, str(key)))
    elif isinstance(data, list):
        for index, (name, value) in enumerate(zip(element_names(data), data, strict=True)):
            yield from _walk(value, (*location, index), join(path, name))


def join(path: str, name: str) -> str:
    """The path of `name` inside `path`."""
    return f"{path}.{name}" if path else name


def nearest_line(lines: Mapping[str, int], path: str) -> int | None:
    """Line of `path`, or of the innermost block around it that has one."""
    while path and path not in lines:
        path = path.rpartition(".")[0]
    return lines.get(path)
