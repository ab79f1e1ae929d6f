"""Bad blocks: each is one fault that names the key, the bad value and the valid ones, and goes away with its mend."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.envs.visual.bad_blocks import CASES, LOOKS
from tests.envs.visual.scenes import block_data, entity, load, only_fault, zone
from tests.scenario_specs.small import SMALL

from conflictbench.envs.visual.check import check_block
from conflictbench.envs.visual.scene import make_scene
from conflictbench.errors import SpecError
from conflictbench.scenario_specs import get_scenario, load_scenario


@pytest.mark.parametrize("name", CASES)
def test_check__a_bad_block_is_one_fault_and_its_mend_is_none(name: str) -> None:
    breaks, key, message, mends = CASES[name]
    block = block_data()
    breaks(block)
    fault = only_fault(block)
    assert fault.key == key
    assert message in fault.message
    assert (fault.file, fault.severity) == ("small.yaml", "error")

    mends(block)
    assert [str(fault) for fault in check_block(load(block))] == []


def test_check__a_variable_shown_nowhere_is_named_once() -> None:
    block = block_data()
    entity(block, "wheel")["bind"] = {}
    fault = only_fault(block)
    assert fault.key == "visual.entities"
    assert fault.message.startswith("variable 'valve' is unbound: no property, gauge or line shows it")
    assert "lines: [{label: VALVE, var: valve}]" in fault.fix
    entity(block, "wall")["lines"].append({"label": "VALVE", "var": "valve"})
    assert check_block(load(block)) == []


def test_check__urgency_alone_shows_no_variable() -> None:
    block = block_data()
    entity(block, "queue")["bind"] = {}  # patients stay in the urgency
    assert "'patients' is unbound" in only_fault(block).message


def test_check__a_door_of_two_zones_and_zones_out_of_sight_are_named_each() -> None:
    block = block_data()
    zone(block, "farm")["door"] = "clinic_door"
    assert [fault.key for fault in check_block(load(block))] == ["visual.zones.farm.door", "visual.zones.hill.door"]
    behind = block_data()
    behind["camera"] = {"pos": [6.5, 8.0, 4.0], "look_at": [6.5, 10.0, 1.0]}
    assert [fault.key for fault in check_block(load(behind))] == ["visual.zones.farm.rect", "visual.zones.hill.rect"]


@pytest.mark.parametrize("look, key, message, mended", LOOKS.values(), ids=LOOKS)
def test_check__a_bad_look_of_an_action_is_one_fault_and_its_mend_is_none(
    look: dict[str, Any], key: str, message: str, mended: dict[str, Any]
) -> None:
    fault = only_fault(block_data(), start_pump=look)
    assert fault.key == f"actions.start_pump.visual.{key}"
    assert message in fault.message
    assert check_block(load(block_data(), start_pump=mended)) == []


def test_check__every_fault_is_said_at_once_with_file_and_line(tmp_path: Path) -> None:
    text = SMALL.read_text("utf-8")
    path = tmp_path / SMALL.name
    path.write_text(text.replace("glyph: tank,", "glyph: tanc,").replace("8.8, 2.6, 12.6", "8.8, 2.6, 18.6"), "utf-8")
    lines = {n for n, line in enumerate(path.read_text("utf-8").splitlines(), 1) if "tanc" in line or "18.6" in line}
    faults = check_block(load_scenario(path))
    assert {fault.line for fault in faults} == lines
    assert {fault.file for fault in faults} == {str(path)}
    assert [fault.fix for fault in faults] == ["[8.8, 2.6, 13, 6.4]", "tank"]


def test_check__a_scenario_without_pictures_has_no_fault() -> None:
    assert check_block(load(None)) == []


def test_scene__of_a_bad_block_raises_what_check_finds() -> None:
    block = block_data()
    entity(block, "vat")["glyph"] = "tanc"
    with pytest.raises(SpecError) as caught:
        make_scene(load(block))
    assert list(caught.value.faults) == check_block(load(block))
    assert "did you" not in str(caught.value)
    assert "(nearest fix: tank)" in str(caught.value)


def test_check__the_core_scenarios_have_no_fault() -> None:
    faults = [str(fault) for name in ("EP1-001", "EP2-001", "EP3-001") for fault in check_block(get_scenario(name))]
    assert faults == []
