"""A mount namespace of one's own, where a disk can be made full or read-only. Own design."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

UNSHARE = ("unshare", "--map-root-user", "--mount")


def in_own_namespace(folder: Path) -> tuple[str, ...]:
    """What a command is put behind to mount things of its own; the test is skipped where that cannot be done."""
    trial = [*UNSHARE, "mount", "-t", "tmpfs", "-o", "size=8k", "tmpfs", str(folder)]
    if shutil.which("unshare") is None or subprocess.run(trial, capture_output=True, check=False).returncode:
        pytest.skip("no mount namespace here: a disk cannot be made read-only or full (injected errors are tested)")
    return UNSHARE
