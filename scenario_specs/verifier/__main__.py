"""`python -m conflictbench.scenario_specs.verifier PATH...`: one line a fault, then one a file. Own design."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from conflictbench.scenario_specs.verifier.file import verify_file
from conflictbench.scenario_specs.verifier.report import summary
from conflictbench.scenario_specs.verifier.suite import verify_suite


def main(paths: Sequence[str]) -> int:
    """Verify the files one by one and together; 1 if there is an error, 2 without a path."""
    if not paths:
        print("usage: python -m conflictbench.scenario_specs.verifier PATH...", file=sys.stderr)
        return 2
    reports = [verify_file(path) for path in paths]
    suite = verify_suite(reports)
    for fault in (*(fault for report in reports for fault in report.faults), *suite):
        print(fault)
    for report in reports:
        print(summary(report))
    return 0 if all(report.ok for report in reports) and not any(f.severity == "error" for f in suite) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
