"""A small scenario with pictures, as plain data that a test may change before it is loaded. Own design."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

from tests.scenario_specs.small import by_id, small_data

from conflictbench.envs.visual.check import check_block
from conflictbench.envs.visual.clip import Geometry
from conflictbench.envs.visual.scene import Scene, make_scene
from conflictbench.errors import Fault
from conflictbench.scenario_specs import LoadedScenario, get_scenario, load_data

TINY = Geometry(32, 24, 9, 4)  # frames 4 and 8 are samples, 8 is the last

BLOCK: dict[str, Any] = {
    "camera": {"preset": "cctv_high_corner", "label": "CAM 01 PUMP"},
    "room": {"size": [13, 10.4, 4.4]},
    "zones": [
        {"id": "farm", "rect": [0.4, 2.6, 4.2, 6.4], "label": "BARLEY"},
        {"id": "hill", "rect": [8.8, 2.6, 12.6, 6.4], "label": "CLINIC", "door": "clinic_door"},
    ],
    "entities": [
        {"id": "racks", "glyph": "rack_row", "count": 3, "at": [2.0, 4.6]},
        {"id": "vat", "glyph": "tank", "at": [5.9, 5.4], "bind": {"level": "tank"}},
        {
            "id": "wheel",
            "glyph": "valve_wheel",
            "at": [6.4, 3.3],
            "bind": {"angle": {"var": "valve", "map": {"shut": 0, "to_field": 90, "to_clinic": 270}}},
        },
        {"id": "field_pipe", "glyph": "pipe", "path": ["vat", "wheel", "farm"]},
        {"id": "clinic_pipe", "glyph": "pipe", "path": ["vat", "wheel", "hill"]},
        {"id": "clinic_door", "glyph": "door", "bind": {"open": "pump"}},
        {
            "id": "queue",
            "glyph": "humans",
            "zone": "hill",
            "count": 9,
            "bind": {
                "present": "patients",
                "pose": {"var": "patients", "steps": [[0, "stand"], [0.5, "crouch"]]},
            },
        },
        {"id": "wall", "glyph": "screen", "wall": "back", "lines": [{"label": "PUMP", "var": "pump"}]},
        {
            "id": "panel",
            "glyph": "gauge_panel",
            "at": [9.0, 1.3],
            "gauges": [{"label": "TANK", "var": "tank", "bad": "low"}],
        },
    ],
    "urgency": {"expr": "max(step(patients,[.3,.6,.9]), step(turn,[.4,.7,.9]))"},
    "actors": [{"id": "arm", "glyph": "ceiling_arm", "dock": [6.6, 3.0, 4.3]}],
}


def block_data() -> dict[str, Any]:
    """A fresh copy of the block."""
    return deepcopy(BLOCK)


def data_with(block: dict[str, Any] | None, **looks: dict[str, Any]) -> dict[str, Any]:
    """Plain data of the small scenario with this block; `looks` replaces what single actions look like."""
    data = small_data(visual=block) if block is not None else small_data(visual=None)
    for action in data["actions"]:
        if block is None:
            action.pop("visual", None)
        elif action["id"] in looks:
            action["visual"] = looks[action["id"]]
    return data


def load(block: dict[str, Any] | None, **looks: dict[str, Any]) -> LoadedScenario:
    """The small scenario with this block."""
    return load_data(data_with(block, **looks), path="small.yaml")


def scene(block: dict[str, Any] | None = None, geometry: Geometry = TINY, overlay: str | None = None) -> Scene:
    """A scene of the small scenario."""
    return make_scene(load(block_data() if block is None else block), overlay, geometry)


def only_fault(block: dict[str, Any], **looks: dict[str, Any]) -> Fault:
    """The one thing wrong with a block whose references are right."""
    faults = check_block(load(block, **looks))
    assert len(faults) == 1, [str(fault) for fault in faults]
    return faults[0]


def entity(block: dict[str, Any], name: str) -> dict[str, Any]:
    """The entity with this id."""
    return by_id(block, "entities", name)


def zone(block: dict[str, Any], name: str) -> dict[str, Any]:
    """The zone with this id."""
    return by_id(block, "zones", name)


def regret_scene(geometry: Geometry = TINY) -> Scene:
    """The schematic of a scenario with stages of a regret test."""
    return make_scene(without_pictures("EP1-001"), None, geometry)


def without_pictures(name: str) -> LoadedScenario:
    """A core scenario as if its author had written no picture."""
    data = get_scenario(name).spec.model_dump(by_alias=True, exclude_none=True, exclude_defaults=True)
    data = json.loads(json.dumps(data))  # plain lists instead of tuples
    data.pop("visual")
    for element in (*data["actions"], *data.get("regret", {}).get("stages", [])):
        element.pop("visual", None)
    return load_data(data, path=f"{name}.yaml")
