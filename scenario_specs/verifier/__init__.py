"""Proofs about scenario files: every rule of docs/scenario-format.md section 3, over the compiled tables."""

from conflictbench.scenario_specs.verifier.facts import Facts, FileReport, SideFacts
from conflictbench.scenario_specs.verifier.file import verify_file, verify_scenario
from conflictbench.scenario_specs.verifier.report import render_report
from conflictbench.scenario_specs.verifier.suite import verify_suite

__all__ = ["Facts", "FileReport", "SideFacts", "render_report", "verify_file", "verify_scenario", "verify_suite"]
