"""Runs and results: suites, rollouts, records, metrics and reports."""

from __future__ import annotations

from conflictbench.benchmarks.limits import RunLimits
from conflictbench.benchmarks.loading import Run, load_episodes, load_records, load_run
from conflictbench.benchmarks.metrics import summarise
from conflictbench.benchmarks.records import RunDirectory
from conflictbench.benchmarks.rollout import rollout
from conflictbench.benchmarks.runner import RunResult, run_suite
from conflictbench.benchmarks.suites import SUITES, Suite, get_suite
from conflictbench.benchmarks.summary import Summary

__all__ = [
    "SUITES",
    "Run",
    "RunDirectory",
    "RunLimits",
    "RunResult",
    "Suite",
    "Summary",
    "get_suite",
    "load_episodes",
    "load_records",
    "load_run",
    "rollout",
    "run_suite",
    "summarise",
]
