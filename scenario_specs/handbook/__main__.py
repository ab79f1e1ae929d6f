"""`python -m conflictbench.scenario_specs.handbook FOLDER`: write every page anew. Own design."""

from __future__ import annotations

import sys
from pathlib import Path

from conflictbench.scenario_specs.handbook.pages import write_handbook

if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("usage: python -m conflictbench.scenario_specs.handbook FOLDER")
    for path in write_handbook(Path(sys.argv[1])):
        print(path)
