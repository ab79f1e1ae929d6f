"""The door of the package: what it offers, and how little it loads."""

from __future__ import annotations

import subprocess
import sys

HEAVY = (
    "torch", "stable_baselines3", "sb3_contrib", "litellm", "docker", "skia", "av", "matplotlib", "ray", "inspect_ai",
    "pandas", "scipy", "rich", "typer", "yaml", "pydantic", "pettingzoo",
)  # fmt: skip


def test_import__loads_nothing_heavy() -> None:
    script = f"import sys, conflictbench; print([name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_import__of_every_layer_leaves_the_extras_alone() -> None:
    extras = HEAVY[:10]
    script = (
        "import sys, conflictbench.envs, conflictbench.wrappers, conflictbench.agents; "
        f"print([name for name in {extras!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
