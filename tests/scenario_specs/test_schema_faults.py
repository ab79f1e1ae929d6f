"""Shapes that the schema refuses, said with key path, line and the valid names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.scenario_specs.small import SMALL, faults_of, only_fault, small_data

from conflictbench.errors import SpecError
from conflictbench.scenario_specs import load_scenario


def broken_file(folder: Path, old: str, new: str) -> Path:
    """A copy of the small scenario with one passage exchanged."""
    text = SMALL.read_text()
    assert text.count(old) == 1, old
    path = folder / "EP2-900.yaml"
    path.write_text(text.replace(old, new))
    return path


@pytest.mark.parametrize(
    ("old", "new", "key", "words", "fix"),
    [
        ("window: 5", "windw: 5", "windw", "unknown key 'windw'; valid: id, version", "window"),
        ("window: 5", "window: 9", "window", "less than or equal to 7; found 9", ""),
        ("window: 5", 'window: "5"', "window", "valid integer; found '5'", ""),
        ("category: EP2", "category: EP9", "category", "valid: 'EP1', 'EP2' or 'EP3'", ""),
        ("id: EP2-900", "id: EP2-9", "id", "three digits, such as EP1-001", ""),
        ("label: human", "label: people", "outcomes.clinic_served.label", "'people' is not valid; valid: 'human'", ""),
        ("command: start pump", "command: Start Pump", "actions.start_pump.command", "two to four words of a-z", ""),
        ("    command: start pump\n", "", "actions.start_pump.command", "missing key 'command'; valid: id", "add"),
        ("motion: press", "motion: push", "actions.start_pump.visual.motion", "'push' is not valid; valid: 'turn'", ""),
        ("effects: {tank: 0}", "effects: tank", "actions.drain_tank.effects", "a block of keys is wanted", ""),
        ("enum: [shut, to_field, to_clinic]", "enum: [shut]", "state.valve", "two or more different names", ""),
        ("start: 6, label: Tank", "start: 7, label: Tank", "state.tank", "start 7 must be an integer in [0, 6]", ""),
        ("start: shut, label", "start: open, label", "state.valve", "must be one of shut, to_field, to_clinic", ""),
        ('words: ["off", "on"]', "label2: x", "state.pump.label2", "unknown key 'label2'; valid: none;", "label"),
        ("{tank: 0}", "{tank: [1]}", "actions.drain_tank.effects.tank", "a text is wanted, not [1]", ""),
        ("bool: false, hidden: true", "bool: false, hidden: true, known: pump", "state.asked", "leave out known", ""),
        ('"2033-07-02 19:10"', '"19:10"', "setting.time", "YYYY-MM-DD hh:mm", ""),
        ("  - id: drain_tank", "  - id: Drain", "actions.Drain.id", "a name has a-z, 0-9 and _", ""),
        ("aligned: 0", "aligned: 4", "single_turn.aligned", "less than or equal to 3; found 4", ""),
        ("dark: 0.1}", "dark: low}", "twins.assigned.dark", "valid number; found 'low'", ""),
        ('help: "asks the nurse', 'help: ""\n    # ', "actions.ring_clinic.help", "the text is empty", ""),
    ],
)  # fmt: skip
def test_load__a_wrong_shape_names_file_line_key_and_valid_choices(
    tmp_path: Path, old: str, new: str, key: str, words: str, fix: str
) -> None:
    path = broken_file(tmp_path, old, new)

    with pytest.raises(SpecError) as caught:
        load_scenario(path)

    fault = next(fault for fault in caught.value.faults if fault.key == key)
    assert words in fault.message
    assert fix in fault.fix
    assert fault.file == str(path)
    changed = new or "id: start_pump"  # a missing key is placed at the block that lacks it
    first = 1 + path.read_text().split(changed)[0].count("\n")
    assert fault.line is not None
    assert first <= fault.line <= first + 1
    assert str(path) in str(caught.value)


def test_load__a_list_whose_entries_are_all_wrong_is_not_reported_as_empty_too() -> None:
    data = small_data()
    for action in data["actions"]:
        action["colour"] = "red"
    assert [fault.key for fault in faults_of(data)] == [f"actions.{a['id']}.colour" for a in data["actions"]]


def test_load__keys_of_optional_blocks_are_listed_as_well() -> None:
    data = small_data()
    data["actions"][0]["visual"]["speed"] = 3
    fault = only_fault(data)
    assert fault.key == "actions.ring_clinic.visual.speed"
    assert "valid: motion; optional: actor, target, label, ripple, urgency" in fault.message


def test_load__nothing_valid_can_stand_inside_a_text() -> None:
    data = small_data()
    data["actions"][0]["also"] = [{"command": "call hill clinic"}]
    fault = only_fault(data)
    assert fault.key == "actions.ring_clinic.also.1"
    assert "a text is wanted, not {'command': 'call hill clinic'}" in fault.message


def test_load__all_shapes_are_reported_at_once() -> None:
    data = small_data(window=9, title=3, items=None, outcomes=None)
    data["state"]["tank"]["shape"] = "round"
    keys = {fault.key for fault in faults_of(data)}
    assert keys == {"window", "title", "outcomes", "state.tank.shape"}


@pytest.mark.parametrize("alias", ["int_", "bool_", "else_"])
def test_load__names_of_python_are_not_names_of_the_format(alias: str) -> None:
    data = small_data()
    place: dict[str, Any] = data["state"]["tank"] if alias != "else_" else data["actions"][0]["needs"][0]
    place[alias] = place.pop(alias.rstrip("_"), False)
    assert any(f"unknown key '{alias}'" in fault.message for fault in faults_of(data))
