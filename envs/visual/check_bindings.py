"""What the pictures show of the state: every visible variable somewhere, each property within its range. Own design."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from conflictbench.envs.visual.block import Block, BoundTo, Entity
from conflictbench.envs.visual.check_faults import fault, listed, unknown
from conflictbench.envs.visual.names import POSES
from conflictbench.envs.visual.procedural.glyph import PropKind
from conflictbench.envs.visual.procedural.vocabulary import glyphs
from conflictbench.envs.visual.urgency import UrgencyError, parse_urgency
from conflictbench.errors import Fault
from conflictbench.scenario_specs.schema import Scenario, Variable

_RANGES = {"share": (0.0, 1.0), "signed": (-1.0, 1.0), "degrees": (-360.0, 360.0)}


def binding_faults(block: Block, spec: Scenario) -> Iterator[Fault]:
    """Everything wrong between the variables and what is to show them."""
    for entity in block.entities:
        if entity.glyph in glyphs():
            yield from _entity(entity, spec)
        yield from _gauges(entity, spec)
    yield from _shown_somewhere(block, spec)
    if block.urgency is not None:
        try:
            parse_urgency(block.urgency.expr)
        except UrgencyError as error:
            yield fault("visual.urgency.expr", f"{block.urgency.expr!r}: {error}")


def bound_variables(block: Block) -> set[str]:
    """Variables that some property, gauge or line shows; urgency alone shows none."""
    shown: set[str] = set()
    for entity in block.entities:
        shown.update(binding.var for binding in entity.bind.values())
        shown.update(gauge.var for gauge in entity.gauges)
        shown.update(line.var for line in entity.lines)
    return shown


def _shown_somewhere(block: Block, spec: Scenario) -> Iterator[Fault]:
    shown = bound_variables(block)
    for name in spec.visible:
        if name not in shown:
            message = (
                f"variable {name!r} is unbound: no property, gauge or line shows it, and every visible one is shown"
            )
            yield fault("visual.entities", message, f"lines: [{{label: {name.upper()[:16]}, var: {name}}}] on a screen")


def _gauges(entity: Entity, spec: Scenario) -> Iterator[Fault]:
    for number, gauge in enumerate(entity.gauges, 1):
        variable = spec.state[gauge.var]
        if variable.kind != "int":
            key = f"visual.entities.{entity.id}.gauges.{number}.var"
            numbers = [name for name in spec.visible if spec.state[name].kind == "int"]
            message = f"{gauge.var} is no number, and a dial shows numbers; numbers: {listed(numbers)}"
            yield fault(key, message, "show it in a screen's lines")


def _entity(entity: Entity, spec: Scenario) -> Iterator[Fault]:
    kinds = glyphs()[entity.glyph].props
    for prop, binding in entity.bind.items():
        key = f"visual.entities.{entity.id}.bind.{prop}"
        if prop not in kinds:
            yield unknown(key, f"property of a {entity.glyph}", prop, kinds)
            continue
        yield from _steps(key, binding, spec.state[binding.var])
        yield from _values(key, kinds[prop], binding, entity, spec.state[binding.var])


def _steps(key: str, binding: BoundTo, variable: Variable) -> Iterator[Fault]:
    if binding.steps is None:
        return
    if variable.kind != "int":
        yield fault(f"{key}.steps", f"{binding.var} is no number; steps belong to a number", "use map")
        return
    thresholds = [threshold for threshold, _ in binding.steps]
    if thresholds[0] != 0.0:
        message = f"the first step is from {thresholds[0]:g} on; nothing is said below it, so it must be 0"
        yield fault(f"{key}.steps.1", message, "[0, ...]")
    for number, (before, after) in enumerate(pairwise(thresholds), 2):
        if not before < after:
            message = f"steps must rise: {after:g} comes after {before:g}"
            yield fault(f"{key}.steps.{number}", message)
    for number, threshold in enumerate(thresholds, 1):
        if not 0.0 <= threshold <= 1.0:
            low, high = variable.low, variable.high
            message = f"{threshold:g} is no share of {binding.var}'s range; valid: 0 ({low}) to 1 ({high})"
            share = (threshold - low) / (high - low)
            yield fault(f"{key}.steps.{number}", message, f"{share:.2g}" if 0.0 <= share <= 1.0 else "")


def _values(key: str, kind: PropKind, binding: BoundTo, entity: Entity, variable: Variable) -> Iterator[Fault]:
    chosen = [(f"{key}.map.{name}", value) for name, value in (binding.map or {}).items()]
    chosen += [(f"{key}.steps.{number}", value) for number, (_, value) in enumerate(binding.steps or (), 1)]
    for place, value in chosen:
        yield from _value(place, kind, value, entity)
    if binding.unknown is not None:
        yield from _value(f"{key}.unknown", kind, binding.unknown, entity)
    if chosen:
        return
    if kind == "pose":
        way = f"steps: [[0, {POSES[0]}], ...]" if variable.kind == "int" else "map: {...}"
        yield fault(
            key,
            f"a pose is chosen by `map` or `steps`, not by {binding.var} as it is",
            f"{{var: {binding.var}, {way}}}",
        )
    elif kind == "count" and variable.enum is not None:
        message = f"{binding.var} is no number of things; a map says how many for each of {listed(variable.enum)}"
        yield fault(key, message, f"{{var: {binding.var}, map: {{...}}}}")
    elif kind == "count" and variable.low < 0:
        yield fault(key, f"{binding.var} can be {variable.low}, and there are no {variable.low} things")
    elif kind == "count" and variable.high > entity.count:
        message = f"{binding.var} can be {variable.high}, but `count` is {entity.count}"
        yield fault(f"visual.entities.{entity.id}.count", message, f"count: {variable.high}")


def _value(key: str, kind: PropKind, value: float | str, entity: Entity) -> Iterator[Fault]:
    if kind == "pose":
        if value not in POSES:
            yield unknown(key, "pose", str(value), POSES)
    elif isinstance(value, str):
        yield fault(key, f"a number is wanted, not {value[:60]!r}")
    elif kind == "count":
        if value != int(value) or not 0 <= value <= entity.count:
            yield fault(
                key, f"{value:g} of {entity.count} things; valid: whole numbers 0 to {entity.count}, the `count`"
            )
    else:
        low, high = _RANGES[kind]
        if not low <= value <= high:
            yield fault(key, f"{value:g} is out of range; valid: {low:g} to {high:g}")
