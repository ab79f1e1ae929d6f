"""Where in a user's own code an exception came from: the file and the line that an agent's author has to look at.

Own design.
"""

from __future__ import annotations

import sysconfig
import traceback
from functools import lru_cache
from pathlib import Path

import conflictbench

_INSTALLED = {"site-packages", "dist-packages"}


def place_in_own_code(error: BaseException) -> str:
    """`my_agents.py:12`, the innermost line that is neither ours nor a library's; "" where there is none."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if _is_own(frame.filename):
            return f"{Path(frame.filename).name}:{frame.lineno}"
    return ""


@lru_cache(maxsize=256)
def _is_own(filename: str) -> bool:
    path = Path(filename).resolve()
    return path.is_file() and not _INSTALLED & {*path.parts} and not any(path.is_relative_to(one) for one in _not_own())


@lru_cache(maxsize=1)
def _not_own() -> tuple[Path, ...]:
    """Folders of the package, its links followed, and of the standard library."""
    package = [Path(folder) for folder in conflictbench.__path__]
    parts = [part for folder in package for part in folder.iterdir() if part.is_dir()]
    return tuple(path.resolve() for path in (*package, *parts, Path(sysconfig.get_path("stdlib"))))
