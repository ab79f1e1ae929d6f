"""Every rule over one file. Own design after docs/scenario-format.md section 3."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import PurePath
from time import perf_counter

from conflictbench.errors import Fault, SpecError
from conflictbench.scenario_specs.key_paths import nearest_line
from conflictbench.scenario_specs.loader import LoadedScenario, load_draft, shown_path
from conflictbench.scenario_specs.verifier import (
    rule_1_routes,
    rule_2_time,
    rule_3_thresholds,
    rule_3_used,
    rule_4_chance,
    rule_5_no_return,
    rule_6_oversight,
    rule_7_endings,
    rule_8_words,
    rule_10_size,
)
from conflictbench.scenario_specs.verifier.evidence import Evidence
from conflictbench.scenario_specs.verifier.facts import FileReport, collect

Rule = Callable[[Evidence], Iterator[Fault]]

# Those of the first tuple read what is written; the others need tables, and so a file that compiles.
DECLARED_RULES: tuple[Rule, ...] = (rule_3_thresholds.check, rule_8_words.check, rule_10_size.check_declared)
TABLE_RULES: tuple[Rule, ...] = (
    rule_1_routes.check,
    rule_2_time.check,
    rule_3_used.check,
    rule_4_chance.check,
    rule_6_oversight.check,
    rule_7_endings.check,
    rule_10_size.check,
)


def verify_file(path: str | bytes | os.PathLike[str]) -> FileReport:
    """Load one file and prove it.

    Args:
        path: a scenario file.
    Returns:
        all faults, those of the file itself first, then sorted by rule and key; never an exception. Facts are there as
        soon as the machine stands: routes and chances are wanted before the texts are.
    """
    draft = load_draft(path)
    if draft.loaded is None:
        name = shown_path(path)
        return FileReport(path=name, id=PurePath(name).stem, faults=draft.faults, facts=None)
    report = verify_scenario(draft.loaded)
    return replace(report, faults=(*draft.faults, *report.faults))


def verify_scenario(loaded: LoadedScenario) -> FileReport:
    """Prove one loaded scenario."""
    began = perf_counter()
    evidence = Evidence(loaded)
    faults = [fault for rule in DECLARED_RULES for fault in rule(evidence)]
    facts = None
    try:
        faults += [fault for rule in TABLE_RULES for fault in rule(evidence)]
        points = rule_5_no_return.points_of_no_return(evidence)
        faults += rule_5_no_return.check(evidence, points)
        facts = collect(evidence, points, perf_counter() - began)
    except SpecError as error:  # it does not compile: too many states, or time that never runs out
        lines = loaded.lines
        faults += [replace(fault, file=loaded.path, line=nearest_line(lines, fault.key)) for fault in error.faults]
    unique = dict.fromkeys(faults)  # a fault of sizes is found by the declared rules and by the compiler
    ordered = sorted(unique, key=lambda fault: (int(fault.rule), fault.severity, fault.key, fault.message))
    return FileReport(path=loaded.path, id=loaded.id, faults=tuple(ordered), facts=facts)
