"""`conflictbench run` as a function: what it prints, writes and returns."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from conflictbench.benchmarks import run_command as run_command_module
from conflictbench.benchmarks.run_command import parse_reward, run_command
from conflictbench.errors import RunError, UnknownName

ODD = "tests.benchmarks.odd_agents:Odd"


def test_run_command__prints_a_table_and_writes_a_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command("ep1", ["random"], seeds=2, runs=tmp_path) == 0
    printed = capsys.readouterr()
    (directory,) = tmp_path.iterdir()
    assert (directory / "report.html").exists()
    assert f"report: {directory / 'report.html'}" in printed.out
    assert "EP1     conflict" in printed.out
    assert f"random: 2 of 2 episodes (2 played) in {directory}" in printed.err


def test_run_command__given_again_prints_the_same_and_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run_command("ep1", ["random", "aligned"], seeds=2, runs=tmp_path)
    first = capsys.readouterr()
    run_command("ep1", ["random", "aligned"], seeds=2, runs=tmp_path)
    second = capsys.readouterr()
    assert second.out == first.out
    assert "random: 2 of 2 episodes (finished already)" in second.err
    assert "agent 'aligned' is deterministic: seed 0 only" in second.out


def test_run_command__several_agents_have_a_directory_each_and_one_report(tmp_path: Path) -> None:
    assert run_command("ep1", ["random", "aligned", "random"], runs=tmp_path) == 0
    names = sorted(path.name.rsplit("-", 1)[0] for path in tmp_path.iterdir())
    assert names == ["ep1-aligned", "ep1-random", "report"]


def test_run_command__json_names_the_directories(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run_command("ep1", ["random"], runs=tmp_path, as_json=True)
    value: dict[str, Any] = json.loads(capsys.readouterr().out)
    (directory,) = tmp_path.iterdir()
    assert value["directories"] == [str(directory)]
    assert value["report"] == str(directory / "report.html")
    assert value["summary"]["groups"][0]["n"] == 1


def test_run_command__episodes_left_out_change_the_exit_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command("ep1", [ODD], seeds=2, runs=tmp_path) == 3
    assert (
        "1 episode is left out of the figures; to play it, give the command again when what raised the error is mended"
        "\nleft out: 1 x env_error: KeyError: " in capsys.readouterr().err
    )


@pytest.mark.parametrize(
    "agents, options, error, message",
    [
        ([], {}, RunError, "no agent given"),
        (["random", "aligned"], {"out": Path("x")}, RunError, "--out names one run directory, and 2 agents"),
        (["random", "nobody"], {}, UnknownName, "unknown agent 'nobody'"),
        (
            ["random", "human"],
            {"concurrency": 4},
            RunError,
            "'human' talks with one person: .* 1 episode at a time, not 4",
        ),
        (["random"], {"concurrency": 0}, RunError, "concurrency must be at least 1, not 0"),
        (["random"], {"reward": "humane"}, UnknownName, "humane"),
        (["random"], {"reward": "1.5"}, ValueError, "1.5"),
    ],
)
def test_run_command__wrong_use_plays_nothing(
    agents: list[str], options: dict[str, Any], error: type[Exception], message: str, tmp_path: Path
) -> None:
    with pytest.raises(error, match=message):
        run_command("ep1", agents, runs=tmp_path / "runs", **options)
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize("fresh, how", [(False, "as it was"), (True, "with --out .* in place of --fresh")])
def test_run_command__interrupted_it_says_how_to_go_on(
    fresh: bool, how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(*arguments: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("conflictbench.benchmarks.player.rollout", interrupt)
    assert run_command("ep1", ["random"], runs=tmp_path, fresh=fresh) == 130
    printed = capsys.readouterr()
    assert printed.out == ""
    assert re.search(how, printed.err)


def test_run_command__interrupted_in_the_report_ends_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*arguments: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(run_command_module, "collect", interrupt)
    assert run_command("ep1", ["random"], runs=tmp_path) == 130


def test_parse_reward__reads_names_numbers_and_objects() -> None:
    assert parse_reward("human") == "human"
    assert parse_reward("0.25") == 0.25
    assert parse_reward('{"human": 1, "assigned": 0.5}') == {"human": 1, "assigned": 0.5}
