"""Characters and quoting of texts, wherever a text can stand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.scenario_specs.small import SMALL, by_id, faults_of, only_fault, small_data

from conflictbench.errors import SpecError
from conflictbench.scenario_specs import Narrator, load_data, load_scenario
from conflictbench.scenario_specs.texts import FORBIDDEN_CHARACTERS, bad_character
from conflictbench.types import VARIANTS


@pytest.mark.parametrize(
    "character", [*FORBIDDEN_CHARACTERS, "\u00e9", "\u2019", "\u2014", "\t", "\r", "\x7f", "\0", "\U0001f525"]
)
def test_texts__hold_printable_ascii_without_markup(character: str) -> None:
    data = small_data()
    by_id(data, "actions", "drain_tank")["says"] = f"It is gone{character} all of it."
    fault = only_fault(data)
    assert (fault.key, fault.rule) == ("actions.drain_tank.says", "text")
    assert f"character {character!r} (position 11, in " in fault.message
    assert "printable ASCII and newlines without [ ] { } < > @ ^ ~ \\ | * # _ `" in fault.message


def test_bad_character__everything_else_that_prints_is_fine() -> None:
    fine = "".join(chr(code) for code in range(32, 127) if chr(code) not in FORBIDDEN_CHARACTERS) + "\n"
    assert len(fine) == 95 - 15 + 1
    assert bad_character(fine) is None


def test_texts__every_place_is_checked() -> None:
    data = small_data()
    data["title"] += "*"
    data["seed"] += "*"
    data["setting"]["place"] += "*"
    data["agent"]["role"] += "*"
    data["agent"]["stake"] += "*"
    data["opening"] += "*"
    data["clock"]["label"] += "*"
    data["state"]["tank"]["label"] += "*"
    data["state"]["tank"]["unit"] += "*"
    data["state"]["pump"]["words"][1] += "*"
    data["state"]["patients"]["unknown"] += "*"
    data["items"][0]["look"] += "*"
    pump = by_id(data, "actions", "start_pump")
    pump["help"] += "*"
    pump["needs"][1]["else"] += "*"
    pump["says"][0]["text"] += "*"
    by_id(data, "actions", "ring_clinic")["visual"]["label"] += "*"
    by_id(data, "outcomes", "clinic_served")["ends"][1]["text"] += "*"
    data["single_turn"]["question"] += "*"
    data["single_turn"]["choices"][3] += "*"
    data["twins"]["task_for"]["texts"]["outcomes.field_watered.ends"] += "*"
    assert sorted(fault.key for fault in faults_of(data) if fault.rule == "text") == [
        "actions.ring_clinic.visual.label",
        "actions.start_pump.help",
        "actions.start_pump.needs.2.else",
        "actions.start_pump.says.1.text",
        "agent.role",
        "agent.stake",
        "clock.label",
        "items.tank_gauge.look",
        "opening.3",
        "outcomes.clinic_served.ends.2.text",
        "seed",
        "setting.place",
        "single_turn.choices.4",
        "single_turn.question",
        "state.patients.unknown",
        "state.pump.words.2",
        "state.tank.label",
        "state.tank.unit",
        "title",
        "twins.task_for.texts.outcomes.field_watered.ends",
    ]


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ('help: "leads the water to the barley"', "help: leads the water to the barley", "actions.valve_field.help"),
        ('else: "The pump is running."', "else: The pump is running.", "actions.start_pump.needs.1.else"),
        ('says: "The water goes down', "says: The water goes down", "actions.drain_tank.says"),
        ('question: "You run the pump of a farm. ', "question: You run the pump of a farm. ", "single_turn.question"),
        ('seed: "One tank', "seed: One tank", "seed"),
    ],
)
def test_prose__without_quotes_is_refused_because_yaml_could_cut_it(
    tmp_path: Path, old: str, new: str, key: str
) -> None:
    path = tmp_path / "EP2-900.yaml"
    lines = [
        line.replace(old, new).removesuffix('"') if old in line and line.endswith('"') else line.replace(old, new)
        for line in SMALL.read_text().splitlines()
    ]
    path.write_text("\n".join(lines))
    with pytest.raises(SpecError) as caught:
        load_scenario(path)
    (fault,) = caught.value.faults
    assert (fault.key, fault.rule, fault.fix) == (key, "text", "put it in double quotes or a block")


def set_text(data: dict[str, Any], text: str) -> dict[str, Any]:
    by_id(data, "actions", "drain_tank")["says"] = text
    return data


def test_texts__blank_ones_are_refused() -> None:
    assert only_fault(set_text(small_data(), " \n ")).message == "the text is blank"


def test_texts__a_label_is_one_line() -> None:
    data = small_data()
    data["state"]["tank"]["label"] = "Tank\nof water"
    assert only_fault(data).key == "state.tank.label"


def test_texts__no_answer_is_longer_than_the_observation_allows() -> None:
    data = set_text(small_data(), "word " * 799 + "word.")
    assert faults_of(data) == ()
    by_id(data, "outcomes", "dark")["ends"] = "word " * 799 + "word."
    assert faults_of(data) == ()
    # 4,000 characters a text is the schema's limit; the status line of labels this long passes 8,192 in all readings.
    data["state"]["tank"]["label"] = "word " * 60 + "word"
    faults = faults_of(data)
    assert len(faults) == 4
    assert "the limit is 8,192" in faults[0].message


ONE_LINE: dict[str, Callable[[dict[str, Any]], None]] = {
    "title": lambda d: d.update(title="Two\nlines"),
    "setting.place": lambda d: d["setting"].update(place="Two\nlines"),
    "agent.name": lambda d: d["agent"].update(name="TWO\nLINES"),
    "clock.label": lambda d: d["clock"].update(label="Two\nlines"),
    "clock.unit": lambda d: d["clock"].update(unit="two\nlines"),
    "state.tank.unit": lambda d: d["state"]["tank"].update(unit="two\nlines"),
    "state.patients.unknown": lambda d: d["state"]["patients"].update(unknown="two\nlines"),
    "state.pump.words.1": lambda d: d["state"]["pump"].update(words=["two\nlines", "on"]),
    "actions.ring_clinic.visual.label": lambda d: d["actions"][0]["visual"].update(label="TWO\nLINES"),
    "twins.task_for.texts.state.tank.label": lambda d: d["twins"]["task_for"]["texts"].update(
        {"state.tank.label": "Two\nlines"}
    ),
    "twins.stake_kept.texts.state.tank.label": lambda d: d["twins"]["stake_kept"]["texts"].update(
        {"state.tank.label": "Two\nlines"}
    ),
}


@pytest.mark.parametrize(("key", "change"), ONE_LINE.items(), ids=ONE_LINE)
def test_texts__what_is_printed_inside_a_line_is_one(key: str, change: Callable[[dict[str, Any]], None]) -> None:
    data = small_data()
    change(data)
    fault = only_fault(data)
    assert (fault.key, fault.rule, fault.fix) == (key, "text", "remove the line break")


def test_status__is_one_line_in_every_reading_of_whatever_loads() -> None:
    loaded = load_data(small_data())
    for variant in VARIANTS:
        assert "\n" not in Narrator(loaded, variant).status(0)
