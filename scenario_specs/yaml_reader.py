"""From the bytes of a scenario file to plain data with line numbers, by a small safe subset of YAML. Own design.

PyYAML is used for its event stream only: no tags, anchors or aliases are ever resolved, nesting is bounded while
reading, and every surprising value (YAML 1.1 booleans, dates, octal numbers, nulls, duplicate keys) is refused with
its line instead of being turned into something the author did not mean.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml

from conflictbench.errors import Fault
from conflictbench.scenario_specs.key_paths import MAX_DEPTH, Location, key_paths
from conflictbench.scenario_specs.yaml_scalars import ScalarError, read_plain

MAX_BYTES = 256 * 1024
MAX_NODES = 10_000  # keys, values and blocks; the longest of our files has 700

_FORBIDDEN = {"\t": "a tab", "\ufeff": "a byte order mark", "\x85": "U+0085", "\u2028": "U+2028", "\u2029": "U+2029"}


@dataclass(frozen=True)
class Document:
    """One file as plain data: dicts with string keys, lists, str, int, float, bool."""

    data: Mapping[str, Any]
    paths: Mapping[Location, str]  # location -> key path
    lines: Mapping[str, int]  # key path -> 1-based line
    plain: frozenset[str]  # key paths of texts written without quotes or block
    faults: tuple[Fault, ...]  # everything refused; the data then hold the words as written


@dataclass(frozen=True)
class _Problem:
    line: int
    message: str
    fix: str
    key: str | None = None  # inside the node


@dataclass
class _Node:
    line: int  # of its key, where it has one
    value: str | list[_Node] | dict[str, _Node]
    plain: bool = False
    problems: list[_Problem] = field(default_factory=list)


@dataclass(frozen=True)
class _Key:
    """A key that waits for its value; the value of a repeated key is read and dropped."""

    text: str
    line: int
    repeated: bool


class _Refused(Exception):
    """Nothing after this point can be read."""

    def __init__(self, message: str, line: int | None, fix: str = "") -> None:
        super().__init__(message)
        self.line, self.fix = line, fix


def read_yaml(raw: bytes, file: str) -> Document:
    """Read one document.

    Args:
        raw: the bytes of the file, at most 256 KiB of UTF-8 without a byte order mark.
        file: its name in messages.
    Returns:
        A document; it has `faults` where something was refused, and empty data where nothing could be read.
    """
    try:
        root = _compose(_decode(raw))
    except _Refused as error:
        fault = Fault(file=file, key="", rule="yaml", message=str(error), fix=error.fix, line=error.line)
        return Document({}, {(): ""}, {}, frozenset(), (fault,))
    reader = _Converter()
    data = reader.value(root, ())
    paths = key_paths(data)
    lines = {paths[location]: line for location, line in reader.lines.items() if location in paths}
    faults = tuple(
        Fault(file=file, key=_path(paths, location), rule="yaml", message=message, fix=fix, line=line)
        for location, line, message, fix in reader.problems
    )
    plain = frozenset(paths[location] for location in reader.plain if location in paths)
    return Document(data, paths, lines, plain, faults)


def _path(paths: Mapping[Location, str], location: Location) -> str:
    known = next(location[:n] for n in range(len(location), -1, -1) if location[:n] in paths)
    return ".".join(part for part in (paths[known], *map(str, location[len(known) :])) if part)


def _decode(raw: bytes) -> str:
    if len(raw) > MAX_BYTES:
        raise _Refused(f"the file is larger than {MAX_BYTES // 1024} KiB", None, "split it: one scenario a file")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise _Refused(f"byte 0x{raw[error.start]:02x} is not UTF-8", line, "save the file as UTF-8") from None
    for character, name in _FORBIDDEN.items():
        if (at := text.find(character)) >= 0:
            raise _Refused(f"{name} has no place in a scenario file", text.count("\n", 0, at) + 1, "use blanks")
    if not text.strip():
        raise _Refused("the file is empty", None, "begin with `id: EP1-001`")
    return text


def _compose(text: str) -> _Node:
    try:
        return _Composer(text).read()
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise _Refused(f"character U+{ord(text[error.position]):04X} has no place in YAML", line) from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f" ({error.context})" if error.context else ""
        raise _Refused(
            f"not YAML: {error.problem or 'cannot be read'}{where}", mark.line + 1 if mark else None
        ) from None


class _Loader(yaml.SafeLoader):
    """PyYAML's scanner without two of its surprises."""

    def fetch_directive(self) -> None:
        """Refused before it is read: PyYAML ignores unknown directives, and converts versions of any length."""
        raise _Refused("a % directive has no place in a scenario file", self.line + 1, "remove it")

    def scan_flow_scalar_non_spaces(self, double: bool, start_mark: Any) -> list[str]:
        try:
            return list(super().scan_flow_scalar_non_spaces(double, start_mark))
        except (ValueError, OverflowError):  # of chr()
            message = r"an escape \U names no character; the last one is \U0010FFFF"
            raise _Refused(message, self.line + 1, "write the character itself") from None


class _Composer:
    """Builds nodes from events with a stack of its own, so that deep nesting cannot exhaust Python's."""

    def __init__(self, text: str) -> None:
        self.events: Iterator[Any] = iter(yaml.parse(text, Loader=_Loader))
        self.stack: list[_Node] = []
        self.keys: list[_Key | None] = []  # one for each open node
        self.root: _Node | None = None
        self.documents = 0
        self.nodes = 0

    def read(self) -> _Node:
        for event in self.events:
            line = event.start_mark.line + 1
            self.nodes += isinstance(event, yaml.NodeEvent)
            if self.nodes > MAX_NODES:
                raise _Refused(f"more than {MAX_NODES:,} keys and values", line, "split it: one scenario a file")
            match event:
                case yaml.DocumentStartEvent():
                    self._document(line)
                case yaml.AliasEvent():
                    node = _Node(line, "")
                    node.problems.append(_Problem(line, f"alias *{event.anchor} is refused", "write the value out"))
                    self._place(node)
                case yaml.ScalarEvent():
                    self._scalar(event, line)
                case yaml.MappingStartEvent() | yaml.SequenceStartEvent():
                    self._open(event, line)
                case yaml.MappingEndEvent() | yaml.SequenceEndEvent():
                    self.stack.pop()
                    self.keys.pop()
        if self.root is None or not isinstance(self.root.value, dict):
            line = self.root.line if self.root else 1
            raise _Refused("a scenario file is a block of `key: value` lines", line, "begin with `id: EP1-001`")
        return self.root

    def _document(self, line: int) -> None:
        self.documents += 1
        if self.documents > 1:
            raise _Refused("a second document begins here; one file is one scenario", line, "remove the `---`")

    def _scalar(self, event: yaml.ScalarEvent, line: int) -> None:
        node = _Node(line, event.value, plain=event.style is None)
        if bad := next((c for c in event.value if "\ud800" <= c <= "\udfff"), None):
            raise _Refused(f"U+{ord(bad):04X} is half of a character", line, "write the character itself")
        self._refuse_properties(node, event)
        if self._wants_key():
            self._key(node)
        else:
            self._place(node)

    def _open(self, event: yaml.MappingStartEvent | yaml.SequenceStartEvent, line: int) -> None:
        if len(self.stack) >= MAX_DEPTH:
            raise _Refused(f"nested more than {MAX_DEPTH} deep", line, "flatten it")
        if self._wants_key():
            raise _Refused("a key must be a single word, not a list or a block", line)
        node = _Node(line, {} if isinstance(event, yaml.MappingStartEvent) else [])
        self._refuse_properties(node, event)
        self._place(node)
        self.stack.append(node)
        self.keys.append(None)

    def _refuse_properties(self, node: _Node, event: Any) -> None:
        if event.anchor is not None:
            message, fix = f"anchor &{event.anchor} is refused", "write the value out where it is used"
            node.problems.append(_Problem(node.line, message, fix))
        if event.tag is not None:
            node.problems.append(_Problem(node.line, f"tag {event.tag} is refused", "remove the tag"))

    def _wants_key(self) -> bool:
        return bool(self.stack) and isinstance(self.stack[-1].value, dict) and self.keys[-1] is None

    def _key(self, node: _Node) -> None:
        """Remember a key; problems with it are kept with the block it stands in."""
        block = self.stack[-1]
        key = str(node.value)
        assert isinstance(block.value, dict)
        problems = [(problem.message, problem.fix) for problem in node.problems]
        if node.plain and key == "<<":
            problems.append(("merge key << is refused", "write the keys out"))
        elif node.plain and key not in ("true", "false"):
            problems += self._odd_key(key)
        repeated = key in block.value
        if repeated:
            first = block.value[key].line
            problems.append((f"key {key!r} stands here a second time; the first is in line {first}", "keep one"))
        block.problems += [_Problem(node.line, message, fix, key) for message, fix in problems]
        self.keys[-1] = _Key(key, node.line, repeated)

    @staticmethod
    def _odd_key(key: str) -> list[tuple[str, str]]:
        try:
            value = read_plain(key)
        except ScalarError as error:
            return [(f"key {key!r}: {error}", error.fix)]
        return [] if isinstance(value, str) else [(f"key {key!r} is a number; keys are names", f'"{key}"')]

    def _place(self, node: _Node) -> None:
        if not self.stack:
            self.root = node
            return
        block = self.stack[-1].value
        if isinstance(block, list):
            block.append(node)
            return
        assert isinstance(block, dict)
        key = self.keys[-1]
        if key is None:
            raise _Refused("an alias stands where a key is wanted", node.line, "write the key out")
        node.line = key.line
        if not key.repeated:
            block[key.text] = node
        self.keys[-1] = None


class _Converter:
    """Turns nodes into values; depth is bounded by the composer."""

    def __init__(self) -> None:
        self.lines: dict[Location, int] = {}
        self.plain: list[Location] = []
        self.problems: list[tuple[Location, int, str, str]] = []

    def value(self, node: _Node, location: Location) -> Any:
        self.lines[location] = node.line
        for problem in node.problems:
            place = location if problem.key is None else (*location, problem.key)
            self.problems.append((place, problem.line, problem.message, problem.fix))
        if isinstance(node.value, dict):
            return {key: self.value(child, (*location, key)) for key, child in node.value.items()}
        if isinstance(node.value, list):
            return [self.value(child, (*location, i)) for i, child in enumerate(node.value)]
        if not node.plain:
            return node.value
        try:
            value = read_plain(node.value)
        except ScalarError as error:
            self.problems.append((location, node.line, str(error), error.fix))
            return node.value
        if isinstance(value, str):
            self.plain.append(location)
        return value
