"""Kills writers with SIGKILL at every system call that touches the clip store. Started by test_killed_writes.py.

    python -m tests.envs.visual.store.killed_writes FOLDER

One process imports everything once and forks a child a point: the child counts its calls of mkdir, open, write, fsync
and rename, and at the point's call does half of it (a write: half of the bytes) and kills itself. Prints the number of
points; FOLDER/<point> is what was left behind.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.envs.visual.store.clips import kept

from conflictbench.envs.visual.store import ClipStore

CALLS = ("mkdir", "open", "write", "fsync", "rename")


def kill_at(point: int) -> None:
    """Let the `point`-th call (from 0) be this process's last."""
    calls = -1

    def killing(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            nonlocal calls
            calls += 1
            if calls == point:
                if real.__name__ == "write":
                    real(arguments[0], bytes(arguments[1])[: len(arguments[1]) // 2])
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*arguments, **options)

        return call

    for name in CALLS:
        setattr(os, name, killing(getattr(os, name)))


def write_and_die(folder: Path, point: int) -> bool:
    """Make the clip in a child that dies at `point`; False if it came to its end before."""
    child = os.fork()
    if child == 0:
        kill_at(point)
        kept(ClipStore(folder))
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
        return True
    if status != 0:
        raise RuntimeError(f"the writer failed instead of being killed: wait status {status}")
    return False


if __name__ == "__main__":
    root = Path(sys.argv[1])
    kept(ClipStore(root / "warm"))  # everything that is imported when it is needed
    points = 0
    while write_and_die(root / str(points), points):
        points += 1
    print(points)
