"""Shapes that the schema refuses, said with key path, line and the valid names."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.scenario_specs.small import SMALL, by_id, faults_of, only_fault, small_data

from conflictbench.errors import SpecError
from conflictbench.scenario_specs import load_scenario, schema
from conflictbench.scenario_specs.loader import MAX_FAULTS


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


TOO_MANY = {
    "variables": (
        "state",
        lambda d: d["state"].update({f"v{i}": {"bool": False, "hidden": True} for i in range(28)}),
        33,
        32,
    ),
    "enum": (
        "state.valve.enum",
        lambda d: d["state"]["valve"].update(enum=["shut", *(f"e{i}" for i in range(16))]),
        17,
        16,
    ),
    "items": (
        "items",
        lambda d: d.update(items=[{"id": f"i{i}", "name": "x", "look": "x"} for i in range(25)]),
        25,
        24,
    ),
    "actions": ("actions", lambda d: d["actions"].extend(d["actions"][-1:] * 20), 25, 24),
    "synonyms": ("actions.ring_clinic.also", lambda d: d["actions"][0].update(also=["call the hill"] * 9), 9, 8),
    "needs": (
        "actions.ring_clinic.needs",
        lambda d: d["actions"][0].update(needs=[{"when": "pump", "else": "x"}] * 128),
        128,
        12,
    ),
    "effects": (
        "actions.ring_clinic.effects",
        lambda d: d["actions"][0].update(effects={f"v{i}": 1 for i in range(33)}),
        33,
        32,
    ),
    "says": ("actions.ring_clinic.says", lambda d: d["actions"][0].update(says=[{"text": "x"}] * 128), 128, 12),
    "each_turn": ("each_turn", lambda d: d.update(each_turn={f"v{i}": 1 for i in range(33)}), 33, 32),
    "outcomes": ("outcomes", lambda d: d["outcomes"].extend(d["outcomes"][-1:] * 124), 128, 16),
    "ends": (
        "outcomes.tank_dry.ends",
        lambda d: by_id(d, "outcomes", "tank_dry").update(ends=[{"text": "x"}] * 128),
        128,
        12,
    ),
    "assigned": ("assigned", lambda d: d.update(assigned={f"o{i}": 0.1 for i in range(17)}), 17, 16),
    "values of twins": (
        "twins.assigned",
        lambda d: d["twins"].update(assigned={f"o{i}": 0.1 for i in range(17)}),
        17,
        16,
    ),
    "texts of twins": (
        "twins.both.texts",
        lambda d: d["twins"]["both"].update(texts={f"o{i}": "x" for i in range(201)}),
        201,
        200,
    ),
    "cost words": ("twins.task_for.cost_words", lambda d: d["twins"]["task_for"].update(cost_words=["x"] * 41), 41, 40),
    "choices": ("single_turn.choices", lambda d: d["single_turn"]["choices"].append("x"), 5, 4),
}


@pytest.mark.parametrize(("key", "change", "count", "most"), TOO_MANY.values(), ids=TOO_MANY)
def test_load__every_list_and_block_has_a_limit(
    key: str, change: Callable[[dict[str, Any]], None], count: int, most: int
) -> None:
    data = small_data()
    change(data)
    fault = only_fault(data)
    assert (fault.key, fault.rule) == (key, "schema")
    assert fault.message == f"has {count} entries, at most {most} are valid"
    assert fault.fix == f"leave {count - most} out"


def test_tables__hold_the_most_that_the_schema_allows() -> None:
    # The tables number outcomes, needs and alternatives in eight bits, -1 for none.
    assert max(schema.MAX_OUTCOMES, schema.MAX_NEEDS, schema.MAX_ALTERNATIVES) - 1 <= np.iinfo(np.int8).max


@pytest.mark.parametrize(
    ("path", "most"),
    [
        (("title",), 4_000),
        (("actions", 0, "command"), 60),
        (("items", 0, "name"), 60),
        (("twins", "task_for", "cost_words", 0), 60),
        (("agent", "name"), 24),
    ],
)
def test_load__every_text_has_a_limit(path: tuple[Any, ...], most: int) -> None:
    data = small_data()
    place: Any = data
    for part in path[:-1]:
        place = place[part]
    place[path[-1]] = "ab " * 2_000 + "a"
    fault = only_fault(data)
    assert fault.message.startswith(f"has 6,001 characters, at most {most:,} are valid: 'ab ab")
    assert fault.fix == f"cut {6_001 - most:,} characters"


@pytest.mark.parametrize(
    ("time", "words"),
    [
        ("9999-99-99 99:99", "'9999-99-99 99:99' is no time of any day: month must be in 1..12"),
        ("2041-02-29 10:00", "'2041-02-29 10:00' is no time of any day: day is out of range for month"),
        ("2041-11-09 24:00", "is no time of any day"),
        ("0000-01-01 00:00", "is no time of any day"),
        ("2041-11-09T22:52", 'a time is "YYYY-MM-DD hh:mm", in quotes'),
        ("2041-11-09 22:52\n", 'a time is "YYYY-MM-DD hh:mm", in quotes'),
        ("\u0662041-11-09 22:52", 'a time is "YYYY-MM-DD hh:mm", in quotes'),
        ("\u0662\u0660\u0664\u0661-11-09 22:52", 'a time is "YYYY-MM-DD hh:mm", in quotes'),  # digits, but Arabic
    ],
)
def test_setting__time_is_a_real_one(time: str, words: str) -> None:
    data = small_data()
    data["setting"]["time"] = time
    fault = only_fault(data)
    assert fault.key == "setting.time"
    assert words in fault.message


def test_setting__time_of_a_leap_day_is_real() -> None:
    data = small_data()
    data["setting"]["time"] = "2040-02-29 23:59"
    assert faults_of(data) == ()


def test_load__of_very_many_faults_the_first_two_hundred_are_told() -> None:
    data = small_data()
    data["state"] |= {f"v{i}": {"bool": False, "hidden": True, **{f"k{j}": 1 for j in range(20)}} for i in range(20)}
    faults = faults_of(data)
    assert len(faults) == MAX_FAULTS + 1 == 201
    assert faults[0].key == "state.v0.k0"
    assert faults[-1].message == "1 or more faults besides these 200"
