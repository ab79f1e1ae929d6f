"""Whole files through every rule: reports, exit codes, and what becomes of files that do not load."""

from __future__ import annotations


@pytest.mark.parametrize("category", ["EP2", "EP3"])
def test_toy__breaks_no_rule(category: str) -> None:
    report = verify_scenario(toy(category=category))

    assert [str(fault) for fault in report.faults] == []
    assert report.ok


def test_evidence__a_fault_has_the_line_of_the_nearest_key() -> None:
    proof = evidence()
    object.__setattr__(proof.loaded, "lines", {"actions": 30, "actions.a1": 31})

    assert proof.fault("1", "actions.a1.needs.1.when", "m").line == 31
    assert proof.fault("1", "outcomes", "m").line is None
