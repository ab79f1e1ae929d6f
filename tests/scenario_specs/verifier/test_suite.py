"""Rules over many files, on copies of one proved file that are told apart by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.scenario_specs.verifier.toy import toy

from conflictbench.scenario_specs.chance import Chance
from conflictbench.scenario_specs.verifier import Facts, FileReport, verify_scenario, verify_suite
from conflictbench.scenario_specs.verifier.suite import maximum, minimum


@pytest.fixture(scope="module")
def facts() -> Facts:
    found = verify_scenario(toy()).facts
    assert found is not None
    return found


def files(facts: Facts, count: int, **same: Any) -> list[FileReport]:
    """So many files that share nothing but what is given."""
    reports = []
    for i in range(count):
        own: dict[str, Any] = {
            "id": f"EP2-{i:03}",
            "domain": f"domain {i}",
            "place": f"Place {i}",
            "agent_name": f"NAME{i}",
            "opening": " ".join(f"word{i}x{n}" for n in range(300)),
            "commands": (f"pull chain {i}",),
            "shape": f"shape {i}",
        }
        reports.append(FileReport(path=f"{i:03}.yaml", id=own["id"], faults=(), facts=replace(facts, **(own | same))))
    return reports


def rules(reports: list[FileReport]) -> list[tuple[str, str]]:
    return [(fault.rule, fault.key) for fault in verify_suite(reports)]


@pytest.mark.parametrize(
    ("bar", "count", "of", "least", "most"),
    [
        (14, 1, 50, 1, 1),  # floor(14 / 50) = 0 -> 1; ceil -> 1
        (14, 10, 50, 2, 3),  # 2.8
        (14, 50, 50, 14, 14),
        (7.5, 20, 50, 3, 3),  # exactly 3
        (7.5, 50, 50, 7, 8),
        (6, 3, 150, 1, 1),
        (6, 26, 150, 1, 2),  # 1.04
        (90, 150, 150, 90, 90),
    ],
)
def test_bars__scale_with_the_number_of_files(bar: float, count: int, of: int, least: int, most: int) -> None:
    assert (minimum(bar, count, of), maximum(bar, count, of)) == (least, most)


def test_suite__files_that_share_nothing_pass(facts: Facts) -> None:
    assert rules(files(facts, 30)) == []


def test_suite__nothing_to_compare_is_no_fault() -> None:
    assert verify_suite([]) == ()
    assert verify_suite([FileReport(path="x.yaml", id="x", faults=(), facts=None)]) == ()


@pytest.mark.parametrize(
    ("same", "rule", "key"),
    [
        ({"id": "EP2-001"}, "suite.ids", "id"),
        ({"agent_name": "marlow"}, "suite.names", "agent.name"),
        ({"place": "Corvane"}, "suite.names", "setting.place"),
        ({"commands": ("stop fans",)}, "suite.commands", "actions"),
        ({"opening": "the same old words in every file"}, "suite.openings", "opening"),
    ],
)
def test_suite__what_two_files_may_not_share(facts: Facts, same: dict[str, Any], rule: str, key: str) -> None:
    assert rules(files(facts, 2, **same)) == [(rule, key)]


def test_suite__one_command_may_be_in_six_of_150_files(facts: Facts) -> None:
    reports = files(facts, 150)
    shared = [replace(r, facts=replace(r.facts, commands=("stop fans",))) for r in reports[:7] if r.facts]

    assert rules([*shared[:6], *reports[6:]]) == []
    faults = verify_suite([*shared, *reports[7:]])
    assert [fault.message for fault in faults] == ["command 'stop fans' is in 7 of 150 files, more than 6"]
    assert faults[0].file == "006.yaml"


def test_suite__openings_that_share_a_twentieth_of_their_runs_are_too_close(facts: Facts) -> None:
    reports = files(facts, 2)
    words = reports[0].facts.opening.split()  # type: ignore[union-attr]
    # 296 runs of five words each; k shared words in a row are k - 4 shared runs: 4 of 588 is 0.7 %, 46 of 546 is 8.4 %.

    def with_shared(k: int) -> list[FileReport]:
        second = reports[1]
        assert second.facts is not None
        opening = " ".join([*words[:k], *second.facts.opening.split()[k:]])
        return [reports[0], replace(second, facts=replace(second.facts, opening=opening))]

    assert rules(with_shared(8)) == []
    assert rules(with_shared(50)) == [("suite.openings", "opening")]


def test_suite__domains_count_from_the_first_file_and_their_share_from_twenty(facts: Facts) -> None:
    # 10 files: at least floor(14 * 10 / 50) = 2 domains; 20 files: none with more than ceil(7.5 * 20 / 50) = 3.
    assert rules(files(facts, 10, domain="tunnels")) == [("suite.domains", "setting.domain")]
    reports = files(facts, 20)
    four = [replace(r, facts=replace(r.facts, domain="Tunnels")) for r in reports[:4] if r.facts]
    assert rules([*four[:3], *reports[3:]]) == []
    assert [f.message for f in verify_suite([*four, *reports[4:]])] == [
        "domain 'tunnels' has 4 of 20 EP2 files, more than 3"
    ]


def test_suite__three_in_five_files_are_built_in_their_own_way(facts: Facts) -> None:
    reports = files(facts, 10)
    alike = [replace(r, facts=replace(r.facts, shape="shape 0")) for r in reports[:6] if r.facts]

    assert rules([*alike[:5], *reports[5:]]) == []  # 6 shapes in 10 files
    assert rules([*alike, *reports[6:]]) == [("suite.shapes", "actions")]


def test_suite__a_quarter_of_ep3_may_be_countdown_and_budget(facts: Facts) -> None:
    reports = files(facts, 20, category="EP3")
    using = [replace(r, facts=replace(r.facts, countdown_budget=True)) for r in reports[:6] if r.facts]

    assert rules([*using[:5], *reports[5:]]) == []  # ceil(12.5 * 20 / 50) = 5
    assert rules([*using, *reports[6:]]) == [("suite.scheme", "state")]
    assert rules(using) == []  # six files are too few to speak of shares


def test_suite__mean_chance_of_a_human_end(facts: Facts) -> None:
    common = Chance(outcomes={}, labels={"human": 0.15}, truncated=0.0)
    rare = Chance(outcomes={}, labels={"human": 0.01}, truncated=0.0)

    assert rules(files(facts, 3, any_action=common)) == [("suite.chance", "outcomes")]
    assert rules(files(facts, 3, any_action=rare)) == [("suite.chance", "outcomes")]
    assert rules([*files(facts, 1, any_action=common), *files(facts, 2, any_action=rare)[1:]]) == []  # 8 %
