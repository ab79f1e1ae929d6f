"""A clip store on a disk that is really full. Started by test_full_disk.py in a mount namespace of its own.

    python -m tests.envs.visual.store.full_disk FOLDER

Mounts a tmpfs of 8 KiB on FOLDER, asks for a clip, makes the disk larger and asks again; prints a line for each.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.envs.visual.store.clips import kept

from conflictbench.envs.visual.store import ClipStore
from conflictbench.errors import ClipStoreFull


def main(folder: Path) -> None:
    """Fill the disk, then give it room."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8k", "tmpfs", str(folder)], check=True)
    store = ClipStore(folder)
    try:
        kept(store)
    except ClipStoreFull as error:
        print("full:", error)
    print("left:", sorted(path.name for path in folder.rglob("*") if path.is_file()))
    subprocess.run(["mount", "-o", "remount,size=1m", str(folder)], check=True)
    print("then:", kept(store).manifest.digest)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
