"""Disks that cannot be written to. Started by test_writable.py in a mount namespace of its own.

    python -m tests.envs.visual.store.unwritable FOLDER

Mounts three below FOLDER: read-only, too small for a clip, large enough. Prints what the check says of each, and what
it left.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from conflictbench.envs.visual.store import check_writable
from conflictbench.errors import ClipStoreError


def main(folder: Path) -> None:
    """Make the disks and check them."""
    for name, options, below in (
        ("read_only", "ro,size=4m", ""),
        ("full", "size=100k", "clips"),
        ("roomy", "size=4m", "clips"),
    ):
        disk = folder / name
        disk.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(disk)], check=True)
        try:
            check_writable(disk / below)
        except ClipStoreError as error:
            print(f"{type(error).__name__}: {error}")
        else:
            print(f"{name}: no error")
    print("left:", sorted(path.name for disk in folder.iterdir() for path in disk.rglob("*")))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
