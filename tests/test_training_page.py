"""What docs/training.md and its example promise, run."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.checkout import ROOT

from conflictbench.agents import make_agent
from conflictbench.agents.sb3_policy import ALGORITHMS
from conflictbench.benchmarks.train.curve import ROWS
from conflictbench.benchmarks.train.tuned import family_settings
from conflictbench.types import CATEGORIES

pytest.importorskip("sb3_contrib", reason="training needs the extra rl")

PAGE = (ROOT / "docs" / "training.md").read_text("utf-8")


def run(*arguments: str, cwd: Path) -> str:
    """What a Python process prints, warnings being errors."""
    done = subprocess.run(
        [sys.executable, "-W", "error", *arguments],
        cwd=cwd,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_example__trains_and_leaves_a_policy_that_is_an_agent(tmp_path: Path) -> None:
    shown = run(str(ROOT / "docs" / "examples" / "train_ppo.py"), "1024", str(tmp_path), cwd=tmp_path).splitlines()
    assert re.fullmatch(r"EP1-\d{3}", shown[0])
    assert all(re.fullmatch(r"  .+: (accepted|rejected|unknown)", line) for line in shown[1:-1])
    assert shown[-1] in {"human", "agent_by_choice", "agent_by_default", "both_lose", "no ending"}
    assert json.loads((tmp_path / "ppo.json").read_text()) == {"algo": "ppo"}
    assert make_agent(f"sb3:{tmp_path / 'ppo.zip'}").name == "sb3"


def test_page__its_python_runs(tmp_path: Path) -> None:
    vector, _ = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
    assert run("-c", vector.replace("learn(20_000)", "learn(2048)"), cwd=tmp_path) == ""
    assert "learn(20_000)" in vector


def test_page__its_policy_of_ones_own_sits_in_its_chair(tmp_path: Path) -> None:
    _, own = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
    assert run("-c", own, cwd=tmp_path) == ""
    [command] = re.findall(r"`conflictbench (crossplay --agents sb3:.*?)`", PAGE)
    done = subprocess.run(
        [sys.executable, "-m", "conflictbench", *command.split()],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "2 of 2 plays" in done.stderr


def test_page__says_what_there_is() -> None:
    [algos] = re.findall(r"^\| `--algo` \| (.+?) \|", PAGE, flags=re.MULTILINE)
    assert {name.strip("`") for name in algos.split(", ")} == set(ALGORITHMS)
    assert {family_settings(family).steps for family in CATEGORIES} == {200_000}
    assert "200,000 steps" in PAGE
    assert ROWS == 50 and "a row every fiftieth" in PAGE
