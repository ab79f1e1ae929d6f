"""`conflictbench train` as a person meets it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from conflictbench.cli import app


def call(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["train", *arguments])


def test_help__shows_one_real_example_within_80_columns() -> None:
    output = call("--help").output
    assert "Example:  conflictbench train --env ConflictBench/EP1-v0" in output
    assert [line for line in output.splitlines() if len(line) > 80] == []


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["--env", "EP1"], "unknown env to train on 'EP1'; known: ConflictBench/EP1-v0"),
        (["--env", "ConflictBench/EP1-v0", "--algo", "a2c"], "unknown algo 'a2c'; known: dqn, maskable-ppo, ppo"),
        (["--env", "ConflictBench/EP1-v0", "--reward", "2"], "reward 2 must be a finite number in 0..1"),
        (
            ["--env", "ConflictBench/EP1-v0", "--scenario", "EP2-001"],
            "unknown scenario of EP1 'EP2-001'; known: EP1-001",
        ),
    ],
)
def test_train__a_wrong_value_is_told_with_the_valid_ones(
    arguments: list[str], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = call(*arguments)
    assert result.exit_code == 2
    assert f"Error: {words}" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_train__without_the_extra_names_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "stable_baselines3", None)
    result = call("--env", "ConflictBench/EP1-v0", "--algo", "ppo")
    assert result.exit_code == 2
    assert re.search(r"stable_baselines3, of the extra 'rl': .*pip.* install .*rl", result.stderr)
    assert list(tmp_path.iterdir()) == []


def test_train__then_again_then_the_command_it_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sb3_contrib", reason="training needs the extra rl")
    monkeypatch.chdir(tmp_path)
    arguments = ["--env", "ConflictBench/EP3-v0", "--reward", "0.5", "--steps", "2048", "--scenario", "ep3-001"]
    first = call(*arguments)
    assert first.exit_code == 0
    assert "EP3, maskable-ppo, reward 0.5, seed 0: 2,048 steps in" in first.output
    assert re.search(r"people saved in [01]/1 scenarios, assigned score \d\.\d\d\n  EP3-001  ", first.output)
    again = call(*arguments)
    assert again.stdout == first.stdout
    [command] = re.findall(r"^  conflictbench (run .+)$", first.stdout, flags=re.MULTILINE)
    assert "--scenario EP3-001" in command
    evaluated = CliRunner().invoke(app, command.split())
    assert evaluated.exit_code == 0
    saved = re.search(r"people saved in (\d)/1", first.stdout)
    assert saved and f"conflict  {saved[1]}/1" in evaluated.stdout


@pytest.mark.slow
def test_train__ctrl_c_says_what_is_kept_and_how_to_go_on(tmp_path: Path) -> None:
    pytest.importorskip("sb3_contrib", reason="training needs the extra rl")
    import signal

    command = [sys.executable, "-m", "conflictbench", "train", "--env", "ConflictBench/EP1-v0", "--steps", "3000000"]
    process = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stderr is not None
    assert "steps" in process.stderr.readline()  # progress: it is learning
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "interrupted; what was learnt up to step" in told.splitlines()[-1]
    assert told.rstrip().endswith("To go on, give the command again")
