"""Names that must be names of something else in the file; each fault lists the valid ones."""

from __future__ import annotations

import keyword
from typing import Any

import pytest
from tests.scenario_specs.small import by_id, faults_of, only_fault, small_data

from conflictbench.scenario_specs.references import RESERVED_FIRST_WORDS


def with_command(command: str) -> dict[str, Any]:
    """The small scenario with another command for its pump."""
    data = small_data()
    by_id(data, "actions", "start_pump")["command"] = command
    return data


@pytest.mark.parametrize("word", RESERVED_FIRST_WORDS)
def test_commands__must_not_begin_with_a_word_that_is_taken(word: str) -> None:
    fault = only_fault(with_command(f"{word} pump"))
    assert fault.key == "actions.start_pump.command"
    assert f"'{word} pump'" in fault.message
    assert "taken: again, g, oops" in fault.message


@pytest.mark.parametrize("command", ["start the pump", "a pump", "start an engine"])
def test_commands__hold_no_article(command: str) -> None:
    fault = faults_of(with_command(command))[0]
    assert (fault.key, fault.rule) == ("actions.start_pump.command", "reference")
    assert "article" in fault.message
    assert fault.fix == " ".join(word for word in command.split() if word not in ("a", "an", "the"))


def test_commands__two_actions_cannot_share_one() -> None:
    fault = only_fault(with_command("call hill clinic"))
    assert fault.key == "actions.start_pump.command"
    assert "also that of actions.ring_clinic.also.1" in fault.message


@pytest.mark.parametrize("command", ["drain tank slowly", "drain tanks"])
def test_commands__none_begins_another_by_words_or_by_letters(command: str) -> None:
    fault = only_fault(with_command(command))
    assert fault.key == "actions.drain_tank.command"
    assert f"'drain tank' is the beginning of '{command}' (actions.start_pump.command)" in fault.message


def test_commands__a_synonym_is_held_to_the_same_rules() -> None:
    data = small_data()
    by_id(data, "actions", "drain_tank")["also"] = ["empty tank", "look below", "start pump now"]
    keys = [fault.key for fault in faults_of(data)]
    assert keys == ["actions.drain_tank.also.2", "actions.start_pump.command"]


@pytest.mark.parametrize("block", ["actions", "items", "outcomes"])
def test_ids__are_unique_in_their_list(block: str) -> None:
    data = small_data()
    data[block].insert(0, dict(data[block][0]))
    assert any(f"id {data[block][0]['id']!r} is taken by number 1" in fault.message for fault in faults_of(data))


def test_items__a_word_means_one_item() -> None:
    data = small_data()
    data["items"].append({"id": "gauge", "name": "dial", "look": "A dial."})
    fault = only_fault(data)
    assert fault.key == "items.gauge.id"
    assert "'gauge' already means the item 'tank_gauge'" in fault.message


def test_outcomes__all_three_labels_are_needed() -> None:
    data = small_data()
    by_id(data, "outcomes", "field_watered")["label"] = "both_lose"
    fault = only_fault(data)
    assert fault.key == "outcomes"
    assert "no outcome is labelled agent_by_choice" in fault.message


def test_outcomes__the_deadline_stands_last() -> None:
    data = small_data()
    data["outcomes"].insert(0, data["outcomes"].pop())
    fault = only_fault(data)
    assert fault.key == "outcomes.tank_dry.label"


@pytest.mark.parametrize(
    ("changes", "key", "words"),
    [
        ({"dusk": 0.4}, "assigned.dusk", "unknown outcome 'dusk'; known: clinic_served, field_watered, tank_dry, dark"),
        ({"dark": None}, "assigned", "outcome 'dark' has no value"),
        ({"tank_dry": 1.5}, "assigned.tank_dry", "outside 0..1"),
        ({"tank_dry": float("nan")}, "assigned.tank_dry", "outside 0..1"),
        ({"clinic_served": 0.5}, "assigned.clinic_served", "human <= default < choice"),
        ({"dark": 1.0}, "assigned.dark", "human <= default < choice"),
    ],
)
def test_assigned__values_every_outcome_in_the_order_of_the_conflict(
    changes: dict[str, float | None], key: str, words: str
) -> None:
    data = small_data()
    assigned = {**data["assigned"], **changes}
    data["assigned"] = {name: value for name, value in assigned.items() if value is not None}
    fault = only_fault(data)
    assert fault.key == key
    assert words in fault.message


def test_assigned__a_human_outcome_may_be_worth_as_much_as_the_deadline() -> None:
    data = small_data()
    data["assigned"]["clinic_served"] = data["assigned"]["dark"]
    assert faults_of(data) == ()


def test_effects__and_each_turn_name_variables() -> None:
    data = small_data()
    data["actions"][0]["effects"]["tanks"] = 1
    data["each_turn"]["wind"] = "1"
    faults = faults_of(data)
    assert [fault.key for fault in faults] == ["actions.ring_clinic.effects.tanks", "each_turn.wind"]
    assert all("known: tank, valve, pump, patients, asked" in fault.message for fault in faults)


def test_known__belongs_to_a_visible_variable_and_its_unknown_text() -> None:
    data = small_data()
    del data["state"]["patients"]["unknown"]
    assert "`known` and `unknown` come together" in only_fault(data).message


def test_single_turn__choices_differ() -> None:
    data = small_data()
    data["single_turn"]["choices"][2] = data["single_turn"]["choices"][0].upper()
    assert only_fault(data).key == "single_turn.choices.3"


def as_ep3(sees: list[str], truth: list[str], honest: str) -> dict[str, Any]:
    """The small scenario as one of the EP3 family."""
    oversight = {"sees": sees, "truth": truth, "honest": honest}
    return small_data(id="EP3-900", category="EP3", oversight=oversight)


def test_oversight__names_variables_and_a_condition() -> None:
    assert faults_of(as_ep3(["tank"], ["asked", "patients"], "asked")) == ()
    faults = faults_of(as_ep3(["tank", "level"], ["asked", "asked"], "asked == told"))
    assert [fault.key for fault in faults] == ["oversight.honest", "oversight.sees.2", "oversight.truth.2"]
    assert "unknown variable 'level'; known: tank, valve, pump, patients, asked" in faults[1].message


def as_ep1(text: Any) -> dict[str, Any]:
    """The small scenario as one of the EP1 family, with this text in every regret stage."""
    stages = [{"text": text, "visual": {"motion": "digital", "target": "wall"}} for _ in range(3)]
    regret = {"stages": stages, "regretted": "You turn the water back."}
    return small_data(id="EP1-900", category="EP1", regret=regret)


def test_regret__texts_are_one_for_all_or_keyed_by_every_human_outcome() -> None:
    assert faults_of(as_ep1("The pump slows.")) == ()
    assert faults_of(as_ep1({"clinic_served": "The pump slows."})) == ()
    faults = faults_of(as_ep1({"dark": "The pump slows."}))
    assert [fault.key for fault in faults[:2]] == ["regret.stages.1.text.dark", "regret.stages.1.text"]
    assert "unknown human outcome 'dark'; known: clinic_served" in faults[0].message
    assert "no text for clinic_served" in faults[1].message


@pytest.mark.parametrize(
    ("category", "words"), [("EP1", "`regret` belongs to EP1"), ("EP3", "`oversight` belongs to EP3")]
)
def test_category__brings_its_own_block(category: str, words: str) -> None:
    (fault,) = faults_of(small_data(id=f"{category}-900", category=category))
    assert words in fault.message


@pytest.mark.parametrize(
    ("items", "key", "words"),
    [
        ([("gauge_", "fans"), ("other", "gauge")], "items.other.name", "'gauge' already means the item 'gauge_'"),
        ([("gauge", "fans"), ("gauge_", "other")], "items.gauge_.id", "'gauge' already means the item 'gauge'"),
        ([("gauge", "fans"), ("other", "gauge")], "items.other.name", "'gauge' already means the item 'gauge'"),
        ([("an", "gauge")], "items.an.id", "'an' says nothing to `examine`"),
        ([("gauge", "the")], "items.gauge.name", "'the' says nothing to `examine`"),
        ([("gauge", "the a an")], "items.gauge.name", "'the a an' says nothing to `examine`"),
    ],
)
def test_items__what_examine_cannot_tell_apart_or_hear_is_refused(
    items: list[tuple[str, str]], key: str, words: str
) -> None:
    data = small_data(items=[{"id": item, "name": name, "look": "It hangs there."} for item, name in items])
    fault = only_fault(data)
    assert (fault.key, fault.rule) == (key, "reference")
    assert words in fault.message


@pytest.mark.parametrize("word", [*keyword.kwlist[3:], "turn", "turns_left", "min", "max", "true", "false"])
def test_variables__words_of_the_expressions_and_of_python_are_refused_by_name(word: str) -> None:
    data = small_data()
    data["state"][word] = {"int": [0, 5], "start": 5, "label": "Money"}
    data["each_turn"][word] = f"{word} - 1"
    fault = only_fault(data)
    assert (fault.key, fault.rule, fault.fix) == (f"state.{word}", "reference", f"{word}_now")
    assert fault.message.startswith(f"{word!r} cannot name a variable")


def test_variables__faults_of_other_expressions_are_told_beside_a_refused_name() -> None:
    data = small_data()
    data["state"]["yield"] = {"int": [0, 5], "start": 5, "label": "Money"}
    data["each_turn"] |= {"yield": "yield - 1", "tank": "tank - "}
    assert [fault.key for fault in faults_of(data)] == ["state.yield", "each_turn.tank"]


def test_enum_values__may_be_words_of_python() -> None:
    data = small_data()
    data["state"]["gate"] = {"enum": ["yield", "pass"], "start": "yield", "label": "Gate"}
    data["actions"][0]["effects"]["gate"] = "pass"
    data["each_turn"]["gate"] = "'yield' if gate == 'pass' else gate"
    assert faults_of(data) == ()
