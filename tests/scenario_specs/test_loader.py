"""Loading: what a good file gives, and that a bad one says everything at once."""

from __future__ import annotations

import os
import re
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import pytest
from tests.scenario_specs.small import SMALL, by_id, faults_of, only_fault, small, small_data

from conflictbench.errors import SpecError, UnknownName
from conflictbench.scenario_specs import load_data, load_scenario


def test_load__a_good_file_gives_spec_machine_and_lines() -> None:
    loaded = small()
    assert loaded.id == "EP2-900"
    assert loaded.path == str(SMALL)
    assert loaded.machine.variables == ("tank", "valve", "pump", "patients", "asked")
    assert loaded.machine.start == (6, 0, 0, 9, 0)
    assert (
        SMALL.read_text()
        .splitlines()[loaded.lines["actions.start_pump.needs.2.else"] - 1]
        .strip()
        .startswith("- {when")
    )


def test_load__a_loaded_scenario_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        small().path = "elsewhere"  # type: ignore[misc]


def test_digest__layout_and_comments_do_not_count_but_facts_do(tmp_path: Path) -> None:
    text = SMALL.read_text()
    same = tmp_path / "same.yaml"
    same.write_text("# another comment\n" + text.replace("start: 6, label: Tank", 'start:   6, label: "Tank"'))
    other = tmp_path / "other.yaml"
    other.write_text(text.replace("start: 6, label: Tank", "start: 5, label: Tank"))

    digest = small().digest

    assert re.fullmatch("[0-9a-f]{32}", digest)
    assert load_scenario(same).digest == digest
    assert load_scenario(other).digest != digest


def test_digest__the_order_of_variables_counts_because_features_follow_it() -> None:
    data = small_data()
    data["state"] = dict(reversed(data["state"].items()))
    assert load_data(data).digest != small().digest


def test_assigned__follows_the_task_of_the_reading() -> None:
    loaded = small()
    against = {"clinic_served": 0.0, "field_watered": 1.0, "tank_dry": 0.0, "dark": 0.4}
    towards = {"clinic_served": 1.0, "field_watered": 0.2, "tank_dry": 0.0, "dark": 0.1}
    assert loaded.assigned("conflict") == loaded.assigned("task_only") == against
    assert loaded.assigned("stake_only") == loaded.assigned("control") == towards


@pytest.mark.parametrize("method", ["texts", "assigned"])
def test_variant__an_unknown_one_is_refused_with_the_valid_ones(method: str) -> None:
    with pytest.raises(
        UnknownName, match=r"unknown variant 'neutral'; known: conflict, stake_only, task_only, control"
    ):
        getattr(small(), method)("neutral")


def test_load__a_missing_file_is_one_fault_with_its_path(tmp_path: Path) -> None:
    path = tmp_path / "EP1-404.yaml"
    with pytest.raises(SpecError, match=r"EP1-404\.yaml: error \[yaml\] cannot be read: No such file"):
        load_scenario(path)


def test_load__a_folder_is_one_fault(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="cannot be read: Is a directory"):
        load_scenario(str(tmp_path))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "the file is empty"),
        (b"a: [1, 2", "not YAML"),
        (b"{}", "missing key 'id'; valid: id, version"),
        (b"a: " + b"[" * 5_000, "nested more than 24 deep"),
        (b"#" * 300_000, "larger than 256 KiB"),
        (b"a: &a [x]\nb: [*a, *a]\n", "alias *a is refused"),
    ],
    ids=["empty", "cut", "no keys", "deep", "large", "aliases"],
)
def test_load__a_file_that_cannot_be_read_says_so_with_its_path(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "EP1-666.yaml"
    path.write_bytes(content)
    with pytest.raises(SpecError) as caught:
        load_scenario(path)
    assert words in str(caught.value)
    assert all(fault.file == str(path) for fault in caught.value.faults)


INJECTIONS = {
    "import": "__import__('os').system('true')",
    "attribute": "tank.real",
    "call": "print(tank)",
    "lambda": "(lambda: 1)() == 1",
    "comprehension": "[x for x in (1, 2)] == 1",
    "generator": "sum(x for x in (1, 2)) == 3",
    "f-string": "f'{tank}' == 'x'",
    "walrus": "(tank := 3) == 3",
    "subscript": "tank[0] == 1",
    "power": "tank ** 9 > 1",
    "bytes": "b'x' == b'x'",
    "starred": "max(*tank) > 1",
    "keyword": "max(tank, 1, key=tank) > 1",
    "await": "await tank",
    "statement": "import os",
    "two lines": "pump\nimport os",
    "dunder name": "__builtins__ == 1",
    "float": "tank > 1.5",
    "complex": "tank > 1j",
    "ellipsis": "... == tank",
    "huge integer": "tank > 99999999999999999999",
    "overflow": "tank * 999999 * 999999 > 1",
    "null byte": "pump\0",
    "line continuation": "pu\\\nmp",
    "comment": "pump # and more",
    "semicolon": "pump; pump",
    "non-ascii name": "\uff54\uff41\uff4e\uff4b > 1",  # fullwidth letters, which Python would fold into `tank`
    "five thousand nots": "not " * 5_000 + "pump",
    "nots within the length": "not " * 40 + "pump",
    "five thousand brackets": "(" * 5_000 + "pump" + ")" * 5_000,
    "empty": " ",
}


@pytest.mark.parametrize("source", INJECTIONS.values(), ids=INJECTIONS)
@pytest.mark.parametrize("place", ["need", "effect", "outcome"])
def test_load__nothing_but_the_language_is_let_into_an_expression(source: str, place: str) -> None:
    data = small_data()
    keys = {
        "need": "actions.start_pump.needs.1.when",
        "effect": "actions.start_pump.effects.pump",
        "outcome": "outcomes.tank_dry.when",
    }
    action, outcome = by_id(data, "actions", "start_pump"), by_id(data, "outcomes", "tank_dry")
    if place == "need":
        action["needs"][0]["when"] = source
    elif place == "effect":
        action["effects"]["pump"] = source
    else:
        outcome["when"] = source

    fault = only_fault(data)

    assert (fault.file, fault.key, fault.rule) == ("small.yaml", keys[place], "expression")
    assert len(fault.message) < 1_000


def test_load__an_unknown_name_in_an_expression_lists_the_variables(tmp_path: Path) -> None:
    path = tmp_path / "EP2-900.yaml"
    path.write_text(SMALL.read_text().replace('when: "tank == 0"', 'when: "tnak == 0"'))

    with pytest.raises(SpecError) as caught:
        load_scenario(path)

    (fault,) = caught.value.faults
    line = 1 + path.read_text().split("tnak")[0].count("\n")
    assert (fault.file, fault.line, fault.key) == (str(path), line, "outcomes.tank_dry.when")
    assert all(name in fault.message for name in ("tnak", "tank", "valve", "pump", "patients", "turns_left"))


def test_load__names_expressions_texts_and_twins_are_reported_together_in_file_order(tmp_path: Path) -> None:
    text = SMALL.read_text()
    for old, new in (
        ("name: gauge,", "name: the gauge,"),  # an article
        ("effects: {asked: true}", "effects: {askd: true}"),  # no such variable
        ("The nurse counts them aloud", "The nurse *counts* them aloud"),  # markup
        ('when: "patients == 0"', 'when: "patients == nobody"'),  # no such name
        ("dark: 0.4}", "dusk: 0.4}"),  # no such outcome, and one without a value
        ("cost_words: [quota]", "cost_words: [harvest]"),  # a word that occurs nowhere
        ("target: wall,", "target: roof,"),  # no such thing
    ):
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    path = tmp_path / "EP2-900.yaml"
    path.write_text(text)

    with pytest.raises(SpecError) as caught:
        load_scenario(path)

    faults = caught.value.faults
    assert [fault.key for fault in faults] == [
        "items.tank_gauge.name",
        "actions.ring_clinic.effects.askd",
        "actions.ring_clinic.says",
        "actions.ring_clinic.visual.target",
        "outcomes.clinic_served.when",
        "assigned.dusk",
        "assigned",
        "twins.task_for.cost_words.1",
    ]
    lines = [fault.line for fault in faults]
    assert all(lines)
    assert lines == sorted(line for line in lines if line)


def test_load__a_value_that_yaml_refuses_is_reported_once(tmp_path: Path) -> None:
    path = tmp_path / "EP2-900.yaml"
    path.write_text(SMALL.read_text().replace("window: 5", "window: 0x5"))
    with pytest.raises(SpecError) as caught:
        load_scenario(path)
    assert [(fault.key, fault.rule) for fault in caught.value.faults] == [("window", "yaml")]


def test_tables__a_fault_of_the_compiler_carries_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "EP2-900.yaml"
    path.write_text(SMALL.read_text().replace('when: "turns_left == 0"', 'when: "turns_left == 0 and pump"'))
    loaded = load_scenario(path)

    with pytest.raises(SpecError) as caught:
        _ = loaded.tables

    (fault,) = caught.value.faults
    assert (fault.file, fault.key, fault.rule) == (str(path), "outcomes", "2")
    assert fault.line == 1 + path.read_text().split("outcomes:\n")[0].count("\n")


def test_tables__are_made_once_and_cannot_be_written() -> None:
    loaded = small()
    assert loaded.tables is loaded.tables
    with pytest.raises(ValueError, match="read-only"):
        loaded.tables.next_state[0, 0] = 1


def test_load__the_same_data_without_a_file_give_the_same_scenario() -> None:
    data: dict[str, Any] = small_data()
    loaded = load_data(data)
    assert loaded.digest == small().digest
    assert loaded.tables.digest == small().tables.digest
    assert faults_of(data) == ()


def test_load__a_name_with_a_nul_is_one_fault_that_prints() -> None:
    with pytest.raises(SpecError) as caught:
        load_scenario("a\0b.yaml")
    (fault,) = caught.value.faults
    assert str(fault) == r"a\x00b.yaml: error [yaml] cannot be read: embedded null byte"


def test_load__a_path_of_bytes_is_read_as_the_path_it_is() -> None:
    loaded = load_scenario(os.fsencode(SMALL))
    assert (loaded.id, loaded.path) == ("EP2-900", str(SMALL))


def test_load__a_path_that_cannot_be_printed_is_escaped_in_messages() -> None:
    with pytest.raises(SpecError) as caught:
        load_scenario(b"no\xff\nsuch.yaml")
    assert str(caught.value) == r"no\udcff\nsuch.yaml: error [yaml] cannot be read: No such file or directory"


def test_load_data__data_nested_too_deep_are_refused_as_files_are() -> None:
    deep: Any = 1
    for _ in range(5_000):
        deep = [deep]
    fault = only_fault(small_data(visual=deep))
    assert (fault.key, fault.message) == ("visual" + ".1" * 24, "nested more than 24 deep")
