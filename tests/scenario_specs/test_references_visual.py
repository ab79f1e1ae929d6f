"""References of the pictures: every name is a thing, a zone, an actor or a visible variable."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.scenario_specs.small import by_id, faults_of, only_fault, small_data


def entity(data: dict[str, Any], name: str) -> dict[str, Any]:
    return by_id(data["visual"], "entities", name)


def set_in(block: Callable[[dict[str, Any]], dict[str, Any]], **values: Any) -> dict[str, Any]:
    """The small scenario with some keys of one block set."""
    data = small_data()
    block(data).update(values)
    return data


VISIBLE = "known: tank, valve, pump, patients"
CASES = {
    "door of a zone": (
        set_in(lambda d: by_id(d["visual"], "zones", "hill"), door="gate"),
        "visual.zones.hill.door",
        "unknown entity 'gate'; known: vat, wheel, motor",
    ),
    "zone of an entity": (
        set_in(lambda d: entity(d, "queue"), zone="valley"),
        "visual.entities.queue.zone",
        "unknown zone 'valley'; known: farm, hill",
    ),
    "stop of a path": (
        set_in(lambda d: entity(d, "field_pipe"), path=["vat", "weir", "farm"]),
        "visual.entities.field_pipe.path.2",
        "unknown entity or zone 'weir'",
    ),
    "bound variable": (
        set_in(lambda d: entity(d, "vat"), bind={"level": "water"}),
        "visual.entities.vat.bind.level",
        f"unknown visible variable 'water'; {VISIBLE}",
    ),
    "hidden variable": (
        set_in(lambda d: entity(d, "vat"), bind={"level": "asked"}),
        "visual.entities.vat.bind.level",
        f"(this one is hidden) 'asked'; {VISIBLE}",
    ),
    "variable of a map": (
        set_in(lambda d: entity(d, "wheel"), bind={"angle": {"var": "tap", "map": {"a": 0}}}),
        "visual.entities.wheel.bind.angle.var",
        f"unknown visible variable 'tap'; {VISIBLE}",
    ),
    "binding without a variable": (
        set_in(lambda d: entity(d, "wheel"), bind={"angle": {"map": {"a": 0}}}),
        "visual.entities.wheel.bind.angle",
        "a block with `var`",
    ),
    "value of a map": (
        set_in(
            lambda d: entity(d, "wheel")["bind"]["angle"],
            map={"shut": 0, "to_field": 1, "to_clinic": 2, "to_sea": 3},
        ),
        "visual.entities.wheel.bind.angle.map.to_sea",
        "unknown value of valve 'to_sea'; known: shut, to_field, to_clinic",
    ),
    "missing value of a map": (
        set_in(lambda d: entity(d, "wheel")["bind"]["angle"], map={"shut": 0, "to_field": 1}),
        "visual.entities.wheel.bind.angle.map",
        "no entry for to_clinic; a map lists exactly shut, to_field, to_clinic",
    ),
    "map of a boolean": (
        set_in(lambda d: entity(d, "motor")["bind"]["spin"], map={"true": 1}),
        "visual.entities.motor.bind.spin.map",
        "no entry for false; a map lists exactly false, true",
    ),
    "map of a number": (
        set_in(lambda d: entity(d, "vat"), bind={"level": {"var": "tank", "map": {"0": 1}}}),
        "visual.entities.vat.bind.level.map",
        "tank is a number",
    ),
    "gauge": (
        set_in(lambda d: entity(d, "panel")["gauges"][0], var="steam"),
        "visual.entities.panel.gauges.1.var",
        f"unknown visible variable 'steam'; {VISIBLE}",
    ),
    "line": (
        set_in(lambda d: entity(d, "wall"), lines=[{"label": "X"}]),
        "visual.entities.wall.lines.1",
        "a block with a `var`",
    ),
    "urgency": (
        set_in(lambda d: d["visual"], urgency={"expr": "max(step(smoke,[.3]), step(turn,[.4]))"}),
        "visual.urgency.expr",
        "unknown variable 'smoke'; known: tank, valve, pump, patients, turn, max, step",
    ),
    "urgency without a text": (
        set_in(lambda d: d["visual"], urgency=3),
        "visual.urgency",
        "`urgency: {expr: ...}`",
    ),
    "actor": (
        set_in(lambda d: by_id(d, "actions", "valve_field")["visual"], actor="crane"),
        "actions.valve_field.visual.actor",
        "unknown actor or entity 'crane'; known: arm, vat",
    ),
    "target": (
        set_in(lambda d: by_id(d, "actions", "valve_field")["visual"], target="farm"),
        "actions.valve_field.visual.target",
        "unknown entity 'farm'; known: vat",
    ),
    "ripple": (
        set_in(lambda d: by_id(d, "actions", "valve_field")["visual"], ripple="pipe"),
        "actions.valve_field.visual.ripple",
        "unknown entity 'pipe'; known: vat",
    ),
    "repeated id": (
        set_in(lambda d: d["visual"], actors=[{"id": "arm"}, {"id": "farm"}]),
        "visual.actors.farm",
        "id 'farm' is already one of the zones",
    ),
    "entry without an id": (
        set_in(lambda d: d["visual"], actors=[{"id": "arm"}, {"glyph": "ceiling_arm"}]),
        "visual.actors.2",
        "a block with an `id` is wanted",
    ),
    "markup in a label": (
        set_in(lambda d: d["visual"]["camera"], label="CAM <1>"),
        "visual.camera.label",
        "character '<' has no place",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("data", "key", "words"), CASES.values(), ids=CASES)
def test_visual__a_name_that_is_not_there_is_refused_with_the_valid_ones(
    data: dict[str, Any], key: str, words: str
) -> None:
    fault = only_fault(data)
    assert (fault.file, fault.key) == ("small.yaml", key)
    assert words in fault.message


def test_visual__lists_of_another_shape_are_refused() -> None:
    data = small_data()
    data["visual"]["zones"] = {"farm": 1}
    assert any(fault.key == "visual.zones" and "a list of blocks" in fault.message for fault in faults_of(data))
    data = set_in(lambda d: entity(d, "wall"), lines="tank")
    assert only_fault(data).key == "visual.entities.wall.lines"
    data = set_in(lambda d: entity(d, "vat"), bind="tank")
    assert only_fault(data).key == "visual.entities.vat.bind"


def test_visual__without_the_block_an_action_can_only_move_by_itself() -> None:
    data = small_data(visual=None)
    assert {fault.key.rpartition(".")[2] for fault in faults_of(data)} == {"actor", "target", "ripple"}
    for action in data["actions"]:
        action.pop("visual", None)
    data["actions"][0]["visual"] = {"motion": "digital"}
    assert faults_of(data) == ()


def test_visual__an_entity_may_act() -> None:
    assert (
        faults_of(set_in(lambda d: by_id(d, "actions", "drain_tank"), visual={"motion": "open", "actor": "motor"}))
        == ()
    )


def test_visual__more_than_a_picture_can_hold_is_refused_before_it_is_looked_through() -> None:
    data = small_data()
    data["visual"] = {"entities": [{"id": f"e{n}", "path": "nowhere"} for n in range(1_000)]}
    # The block and its list, and an entry, its id and its path a thousand times.
    faults = [fault for fault in faults_of(data) if fault.key == "visual"]
    assert [fault.message for fault in faults] == ["has 3,002 keys and values, at most 2,000 are valid"]


@pytest.mark.parametrize("key", ["label", "sign", "unit"])
def test_visual__words_in_the_picture_are_one_line(key: str) -> None:
    data = small_data()
    data["visual"]["zones"][0][key] = "two\nlines"
    fault = only_fault(data)
    assert (fault.rule, fault.fix) == ("text", "remove the line break")
    assert fault.key.endswith(f".{key}")
