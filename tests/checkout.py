"""The files of this checkout, for tests about the repository itself. Own design."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def kept_files() -> list[Path]:
    """Every file and link that git keeps or would add, below ROOT, sorted."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    names = sorted(set(filter(None, listing.stdout.split("\0"))))
    return [ROOT / name for name in names if os.path.lexists(ROOT / name)]
