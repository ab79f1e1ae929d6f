"""The command that goes on with a run, as the manifest keeps it and reports show it."""

from __future__ import annotations

from pathlib import Path

import pytest

from conflictbench.benchmarks.command_line import from_here, going_on, shown_path, to_be_shown
from conflictbench.benchmarks.loading import load_run
from conflictbench.benchmarks.report import collect
from conflictbench.benchmarks.run_command import run_command


def test_going_on__is_what_was_typed() -> None:
    typed = ("run", "--suite", "ep", "--agent", "random", "--reward", '{"human": 1, "assigned": 0}')
    assert going_on(typed) == ('conflictbench run --suite ep --agent random --reward \'{"human": 1, "assigned": 0}\'')
    assert going_on(()) == ""


def test_going_on__from_a_plan_is_the_run() -> None:
    assert going_on(("plan", "--agent", "plan")) == "conflictbench run --agent plan"


@pytest.mark.parametrize("agents", [("--agent", "random", "--agent", "first"), ("--agent=random", "--agent=first")])
def test_going_on__a_run_beside_another_is_named_by_its_directory(agents: tuple[str, ...]) -> None:
    typed = ("run", "--fresh", *agents, "--seeds", "3")
    assert going_on(typed, agent="first", out=Path("runs/a b-2")) == (
        "conflictbench run --seeds 3 --agent first --out 'runs/a b-2'"
    )


def test_going_on__holds_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "canary-0123456789")
    command = going_on(("run", "--agent", "llm:a/canary-0123456789", "--cache", "sk-0123456789abcdef"))
    assert "canary" not in command
    assert "0123456789" not in command


@pytest.mark.parametrize(
    "typed, shown",
    [
        ("--base-url http://host:1/v1 --seeds 2", "--base-url http://host:1/v1 --seeds 2"),
        ("--base-url http://host:1/tenant-77/v1 --seeds 2", "--base-url http://host:1/... --seeds 2"),
        ("--base-url=https://host/tenant-77", "--base-url=https://host/..."),
    ],
)
def test_to_be_shown__of_an_address_the_host_alone(typed: str, shown: str) -> None:
    assert to_be_shown(f"conflictbench run {typed}") == f"conflictbench run {shown}"


def test_to_be_shown__nothing_of_what_cannot_be_read() -> None:
    assert to_be_shown("conflictbench run 'cut o") == ""


def test_shown_path__is_absolute_with_the_home_directory_short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "me"))
    monkeypatch.chdir(tmp_path)
    assert shown_path(Path("runs/x")) == f"{tmp_path}/runs/x"
    assert shown_path(tmp_path / "me" / "runs") == "~/runs"
    assert from_here(tmp_path / "runs" / "x") == Path("runs/x")
    assert from_here(Path("/elsewhere/x")) == Path("/elsewhere/x")


def test_run_command__an_unfinished_run_says_what_goes_on_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tests.benchmarks.odd_agents.Odd.failing", True)
    agent = "tests.benchmarks.odd_agents:Odd"
    typed = ("run", "--suite", "ep1", "--agent", agent, "--seeds", "2")
    monkeypatch.chdir(tmp_path)
    assert run_command("ep1", [agent], seeds=2, command=typed) == 3
    (directory,) = (tmp_path / "runs").iterdir()
    command = f"conflictbench run --suite ep1 --agent {agent} --seeds 2"
    assert load_run(directory).manifest.command == command
    assert collect([directory]).notes == (
        f"{directory.name}: unfinished, 1 of 2 episodes; `{command}`, where it was begun, goes on with it.",
    )
    assert f" in {directory}" in capsys.readouterr().err  # absolute, wherever it is read
