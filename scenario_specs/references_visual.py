"""Names in the `visual` block and in the pictures of actions: each must be a thing, a zone, an actor or a variable.

Source: docs/scenario-format.md, `visual`. Only references are checked here; what a glyph or a property can be is
known where pictures are drawn. Hidden variables are never drawn.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from conflictbench.errors import Fault
from conflictbench.scenario_specs.key_paths import element_names, join, key_paths
from conflictbench.scenario_specs.references import fault, unknown
from conflictbench.scenario_specs.schema import ID_PATTERN, ActionVisual, Scenario
from conflictbench.scenario_specs.texts import bad_character

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_URGENCY_WORDS = ("max", "step")
MAX_PLACES = 2_000  # keys and values of the block; ten times what a picture of a story has
_PRINTED = ("label", "sign", "unit")


def visual_faults(spec: Scenario) -> Iterator[Fault]:
    """Everything the pictures of one file name that is not there."""
    scene = _Scene(spec)
    if (places := len(key_paths(spec.visual or {}))) > MAX_PLACES:
        yield fault("visual", "schema", f"has {places:,} keys and values, at most {MAX_PLACES:,} are valid")
    else:
        yield from scene.faults()


class _Scene:
    """The ids of the visual block, and what refers to them."""

    def __init__(self, spec: Scenario) -> None:
        self.spec = spec
        self.block: dict[str, Any] = spec.visual or {}
        self.zones = self._ids("zones")
        self.entities = self._ids("entities")
        self.actors = self._ids("actors")

    def faults(self) -> Iterator[Fault]:
        yield from self._shapes()
        yield from self._unique()
        for path, zone in self._elements("zones"):
            yield from self._one(zone, path, "door", "entity", self.entities)
        for path, entity in self._elements("entities"):
            yield from self._entity(path, entity)
        yield from self._urgency()
        yield from self._printed(self.block, "visual")
        for action in self.spec.actions:
            yield from self._action(f"actions.{action.id}.visual", action.visual)
        for number, stage in enumerate(self.spec.regret.stages if self.spec.regret else (), 1):
            yield from self._action(f"regret.stages.{number}.visual", stage.visual)

    def _elements(self, name: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
        entries = self.block.get(name, [])
        if isinstance(entries, list):
            for own, entry in zip(element_names(entries), entries, strict=True):
                if isinstance(entry, Mapping):
                    yield f"visual.{name}.{own}", entry

    def _ids(self, name: str) -> list[str]:
        return [entry["id"] for _, entry in self._elements(name) if _is_id(entry.get("id"))]

    def _shapes(self) -> Iterator[Fault]:
        for name in ("zones", "entities", "actors"):
            entries = self.block.get(name, [])
            path = f"visual.{name}"
            if not isinstance(entries, list):
                yield fault(path, "schema", f"a list of blocks with an `id` is wanted, not {type(entries).__name__}")
                continue
            for own, entry in zip(element_names(entries), entries, strict=True):
                if not isinstance(entry, Mapping) or not _is_id(entry.get("id")):
                    message = "a block with an `id` is wanted, a name of a-z, 0-9 and _ that begins with a letter"
                    yield fault(join(path, own), "schema", message, "add id: ...")

    def _unique(self) -> Iterator[Fault]:
        taken: dict[str, str] = {}
        for kind, ids in (("zones", self.zones), ("entities", self.entities), ("actors", self.actors)):
            for name in ids:
                if name in taken:
                    message = f"id {name!r} is already one of the {taken[name]}; a path or target could mean either"
                    yield fault(f"visual.{kind}.{name}", "reference", message)
                taken.setdefault(name, kind)

    def _one(self, block: Mapping[str, Any], path: str, key: str, kind: str, known: Iterable[str]) -> Iterator[Fault]:
        if key in block and block[key] not in (names := list(known)):
            yield unknown(join(path, key), kind, block[key], names)

    def _entity(self, path: str, entity: Mapping[str, Any]) -> Iterator[Fault]:
        yield from self._one(entity, path, "zone", "zone", self.zones)
        stops = entity.get("path", [])
        for number, stop in enumerate(stops if isinstance(stops, list) else [stops], 1):
            if stop not in self.entities and stop not in self.zones:
                yield unknown(f"{path}.path.{number}", "entity or zone", stop, [*self.entities, *self.zones])
        bindings = entity.get("bind", {})
        if not isinstance(bindings, Mapping):
            yield fault(f"{path}.bind", "schema", f"a block `property: variable` is wanted, not {bindings!r}")
        else:
            for name, binding in bindings.items():
                yield from self._binding(f"{path}.bind.{name}", binding)
        for key in ("gauges", "lines"):
            yield from self._readings(f"{path}.{key}", entity.get(key, []))

    def _readings(self, path: str, entries: Any) -> Iterator[Fault]:
        if not isinstance(entries, list):
            yield fault(path, "schema", f"a list of blocks with a `var` is wanted, not {type(entries).__name__}")
            return
        for name, entry in zip(element_names(entries), entries, strict=True):
            if not isinstance(entry, Mapping) or "var" not in entry:
                yield fault(join(path, name), "schema", "a block with a `var` is wanted", "add var: ...")
            else:
                yield from self._variable(f"{join(path, name)}.var", entry["var"])

    def _binding(self, path: str, binding: Any) -> Iterator[Fault]:
        if not isinstance(binding, Mapping):
            yield from self._variable(path, binding)
            return
        if "var" not in binding:
            yield fault(path, "schema", "a binding is a variable, or a block with `var` and `map` or `steps`")
            return
        name = binding["var"]
        wrong = list(self._variable(f"{path}.var", name))
        yield from wrong
        if "map" in binding and not wrong:
            yield from self._map(f"{path}.map", str(name), binding["map"])

    def _map(self, path: str, name: str, mapping: Any) -> Iterator[Fault]:
        variable = self.spec.state[name]
        if variable.kind == "int":
            yield fault(path, "reference", f"{name} is a number; a map belongs to an enum or a boolean", "use steps")
            return
        wanted = list(variable.enum or ("false", "true"))
        given = list(mapping) if isinstance(mapping, Mapping) else []
        for value in given:
            if value not in wanted:
                yield unknown(f"{path}.{value}", f"value of {name}", value, wanted)
        if missing := [value for value in wanted if value not in given]:
            yield fault(
                path, "reference", f"no entry for {', '.join(missing)}; a map lists exactly {', '.join(wanted)}"
            )

    def _variable(self, path: str, name: Any) -> Iterator[Fault]:
        if name not in self.spec.visible:
            hidden = isinstance(name, str) and name in self.spec.state
            kind = "visible variable (this one is hidden)" if hidden else "visible variable"
            yield unknown(path, kind, name, self.spec.visible)

    def _urgency(self) -> Iterator[Fault]:
        urgency = self.block.get("urgency")
        if urgency is None:
            return
        source = urgency.get("expr") if isinstance(urgency, Mapping) else None
        if not isinstance(source, str):
            yield fault("visual.urgency", "schema", "`urgency: {expr: ...}` with a text is wanted")
            return
        known = [*self.spec.visible, "turn"]
        for word in sorted(set(_WORD.findall(source)) - {*known, *_URGENCY_WORDS}):
            yield unknown("visual.urgency.expr", "variable", word, [*known, *_URGENCY_WORDS])

    def _printed(self, block: Any, path: str) -> Iterator[Fault]:
        """Words that stand in the picture obey the rule of all texts."""
        if isinstance(block, Mapping):
            for key, value in block.items():
                if key in _PRINTED and isinstance(value, str):
                    if bad := bad_character(value):
                        message = f"character {bad[0]!r} has no place in a text (position {bad[1]})"
                        yield fault(join(path, str(key)), "text", message)
                    if "\n" in value:
                        message = "this text is printed inside one line"
                        yield fault(join(path, str(key)), "text", message, "remove the line break")
                yield from self._printed(value, join(path, str(key)))
        elif isinstance(block, list):
            for name, value in zip(element_names(block), block, strict=True):
                yield from self._printed(value, join(path, name))

    def _action(self, path: str, visual: ActionVisual | None) -> Iterator[Fault]:
        if visual is None:
            return
        named = {
            "actor": (visual.actor, "actor or entity", [*self.actors, *self.entities]),
            "target": (visual.target, "entity", self.entities),
            "ripple": (visual.ripple, "entity", self.entities),
        }
        for key, (name, kind, known) in named.items():
            if name is not None and name not in known:
                yield unknown(f"{path}.{key}", kind, name, known)


def _is_id(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch(ID_PATTERN, value) is not None
