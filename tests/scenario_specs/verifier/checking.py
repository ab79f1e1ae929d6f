"""How a test says which fault one change to the toy must bring about."""

from __future__ import annotations

from typing import Any

from tests.scenario_specs.verifier.toy import toy, words

from conflictbench.scenario_specs.verifier import FileReport, verify_scenario

Case = tuple[dict[str, Any], str, str, str, str]  # changes, rule, key, message, fix


def check(case: Case, *, category: str = "EP2", severity: str = "error") -> FileReport:
    changes, rule, key, message, fix = case
    report = verify_scenario(toy(changes, category=category))
    hits = [
        fault
        for fault in report.faults
        if (fault.rule, fault.key, fault.severity) == (rule, key, severity) and message in fault.message
    ]
    assert hits, f"not among: {[str(fault) for fault in report.faults]}"
    assert fix in hits[0].fix
    assert hits[0].file == "toy.yaml"
    assert report.ok == all(fault.severity == "warning" for fault in report.faults)
    return report


def outcome(name: str, label: str, when: str) -> dict[str, Any]:
    return {"id": name, "label": label, "when": when, "ends": words(60)}


def with_burnt(when: str, *, first: bool = False) -> dict[str, Any]:
    """Changes that add a both_lose outcome before the deadline, or before everything."""
    outcomes = [
        outcome("human_a", "human", "a == 'a3'"),
        outcome("human_b", "human", "b == 'b3'"),
        outcome("chosen", "agent_by_choice", "c == 'c3'"),
        outcome("dawn", "agent_by_default", "turns_left == 0"),
    ]
    outcomes.insert(0 if first else 3, outcome("burnt", "both_lose", when))
    return {"outcomes": outcomes, "assigned.burnt": 0.0, "twins.assigned.burnt": 0.0}
