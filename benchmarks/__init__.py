"""Runs and results: suites, rollouts, records, metrics and reports."""

from __future__ import annotations

from conflictbench.benchmarks.loading import Run, load_episodes, load_records, load_run
from conflictbench.benchmarks.metrics import summarise
from conflictbench.benchmarks.records import RunDirectory
from conflictbench.benchmarks.summary import Summary

__all__ = [
    "Run",
    "RunDirectory",
    "Summary",
    "load_episodes",
    "load_records",
    "load_run",
    "summarise",
]
