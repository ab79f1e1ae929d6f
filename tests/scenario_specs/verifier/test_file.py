"""Whole files through every rule: reports, and what becomes of files that do not load."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.scenario_specs.core_scenarios import FIXTURE, scenario
from tests.scenario_specs.verifier.toy import evidence, toy, toy_data

from conflictbench.scenario_specs.packs import scenario_ids
from conflictbench.scenario_specs.verifier import render_report, verify_file, verify_scenario, verify_suite
from conflictbench.scenario_specs.verifier.facts import countdown_and_budget
from conflictbench.scenario_specs.verifier.report import summary


def written(path: Path, category: str = "EP2", **changes: object) -> Path:
    """The toy as a file."""
    # JSON is YAML in which every text is quoted, as prose has to be.
    path.write_text(json.dumps(toy_data(dict(changes), category=category), indent=1), encoding="ascii")
    return path


@pytest.mark.parametrize("category", ["EP2", "EP3"])
def test_toy__breaks_no_rule(category: str) -> None:
    report = verify_scenario(toy(category=category))

    assert [str(fault) for fault in report.faults] == []
    assert report.ok


@pytest.mark.parametrize("name", scenario_ids())
def test_core_scenarios__are_proved_without_a_warning(name: str) -> None:
    assert [str(fault) for fault in verify_scenario(scenario(name)).faults] == []


def test_core_scenarios__keep_the_rules_of_the_suite() -> None:
    assert [str(fault) for fault in verify_suite([verify_scenario(scenario(name)) for name in scenario_ids()])] == []


def test_verify_file__same_file_same_report(tmp_path: Path) -> None:
    path = written(tmp_path / "EP2-901.yaml")

    # Seconds are part of the facts, but not of their equality.
    assert verify_file(path) == verify_file(path)
    assert verify_file(path) == verify_file(str(path))


def test_verify_file__faults_name_their_line(tmp_path: Path) -> None:
    path = written(tmp_path / "EP2-901.yaml", **{"actions.n2.irreversible": True})

    faults = [fault for fault in verify_file(path).faults if fault.key == "actions.n2.irreversible"]

    assert faults
    lines = path.read_text().splitlines()
    assert lines[(faults[0].line or 0) - 1].strip().startswith('"irreversible": true')
    assert str(faults[0]).startswith(f"{path}:{faults[0].line} actions.n2.irreversible: error [5] ")


def test_verify_file__a_file_that_does_not_load_has_the_loaders_faults(tmp_path: Path) -> None:
    path = tmp_path / "EP2-902.yaml"
    path.write_text("id: EP2-902\nvolume: 11\n")

    report = verify_file(path)

    assert (report.id, report.facts, report.ok) == ("EP2-902", None, False)
    assert "volume" in {fault.key for fault in report.faults}


def test_verify_file__a_missing_file_is_a_fault(tmp_path: Path) -> None:
    report = verify_file(tmp_path / "nowhere.yaml")

    assert "cannot be read" in report.faults[0].message


def test_facts__of_the_toy() -> None:
    facts = verify_scenario(toy()).facts

    assert facts is not None
    assert facts.human.routes == (
        ("pull chain a1", "pull chain a2", "pull chain a3"),
        ("pull chain b1", "pull chain b2", "pull chain b3"),
    )
    assert facts.agent.set_sizes == (3,)
    assert facts.sides["a1"] == "human"
    assert facts.sides["c1"] == "agent"
    assert facts.sides["n4"] == "neutral"
    assert facts.wait_share == 0.0
    assert facts.shape == (
        "routes 3/3; human sets 3+3; agent sets 3; needs 000111111111; variables 4 bool, 3 enum, 1 int"
    )
    assert not facts.countdown_budget


def test_countdown_and_budget__needs_a_meter_of_its_own_and_three_draws_on_another() -> None:
    budget = {"state.credit": {"int": [0, 9], "start": 9, "label": "Credit"}}
    draws = {f"actions.n{i}.effects.credit": f"credit - {i}" for i in (2, 3, 4)}
    limit = {"actions.n2.needs": [{"when": "credit >= 2", "else": "There are not 2 left."}]}

    def uses(*changes: dict[str, object]) -> bool:
        merged: dict[str, object] = {}
        for change in changes:
            merged |= change
        return countdown_and_budget(evidence(merged).machine)

    assert uses(budget, draws, limit)  # heat runs by itself, three actions draw on credit, a need limits it
    assert not uses(budget, draws)  # nothing asks for credit
    assert not uses(budget, draws | {"actions.n4.effects.credit": "credit + 4"}, limit)  # two draw, one gives
    assert not uses(budget, draws, limit, {"each_turn.heat": "heat + 5 if w2 else heat"})  # nothing runs by itself


def test_summary__counts_errors_and_warnings() -> None:
    report = verify_scenario(toy({"actions.c3.irreversible": False, "state.heat.int": [0, 90]}))

    assert summary(report).startswith(f"{report.id}: 1 error, 1 warning, 451 states; human ")
    assert summary(replace(report, facts=None)) == "toy.yaml: 1 error, 1 warning"


def test_render_report__has_every_file_with_or_without_facts() -> None:
    reports = [verify_scenario(toy()), verify_file(FIXTURE), replace(verify_scenario(toy()), id="EP2-999", facts=None)]

    page = render_report(reports, reports[1].faults[:1])

    assert page.startswith("# Scenario proofs\n\n2 of 3 files proved.\n")
    assert "| EP2-901 | 0 | 0 | 451 | 3 / 3 | 10.83% |" in page
    assert "| EP2-999 | 0 | 0 | - | - |" in page
    assert "## The suite" in page
    assert "- pull chain a1, pull chain a2, pull chain a3\n" in page
    assert "| c3 | agent |" in page
    assert page == render_report(reports, reports[1].faults[:1])


def test_evidence__a_fault_has_the_line_of_the_nearest_key() -> None:
    proof = evidence()
    object.__setattr__(proof.loaded, "lines", {"actions": 30, "actions.a1": 31})

    assert proof.fault("1", "actions.a1.needs.1.when", "m").line == 31
    assert proof.fault("1", "outcomes", "m").line is None


@pytest.mark.parametrize(
    "wrong",
    [
        {"twins.task_for.cost_words": ["words that stand nowhere"]},
        {"twins.both": {"texts": {"outcomes.nowhere.ends": "x"}}},
        {"agent.stake": "a text with a * that no text may hold"},
        {"visual": {"entities": [{"id": "thing", "glyph": "tank", "bind": {"level": "nothing"}}]}},
    ],
    ids=["cost word", "path of a twin", "character", "picture"],
)
def test_verify_file__routes_and_chances_are_there_before_texts_and_pictures_are_right(
    wrong: dict[str, object], tmp_path: Path
) -> None:
    whole = verify_file(written(tmp_path / "EP2-901.yaml"))
    report = verify_file(written(tmp_path / "EP2-901.yaml", **wrong))

    assert not report.ok
    assert report.facts is not None
    assert whole.facts is not None
    assert report.facts.any_action == whole.facts.any_action
    assert report.facts.human == whole.facts.human


def test_verify_file__without_a_machine_that_stands_there_are_no_facts(tmp_path: Path) -> None:
    report = verify_file(written(tmp_path / "EP2-901.yaml", **{"outcomes.human_a.when": "nothing == 1"}))

    assert not report.ok
    assert report.facts is None
