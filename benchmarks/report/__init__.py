"""Reports over finished or unfinished runs: a terminal table, Markdown, CSV, and one HTML page."""

from __future__ import annotations

from conflictbench.benchmarks.report.collect import collect
from conflictbench.benchmarks.report.model import Report
from conflictbench.benchmarks.report.terminal import print_table
from conflictbench.benchmarks.report.terminal_overview import print_closing
from conflictbench.benchmarks.report.write import FORMATS, ReportPaths, report_command, write_files, write_report

__all__ = [
    "FORMATS",
    "Report",
    "ReportPaths",
    "collect",
    "print_closing",
    "print_table",
    "report_command",
    "write_files",
    "write_report",
]
