"""`conflictbench verify --parties`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from conflictbench.cli import app
from conflictbench.scenario_specs import get_scenario

RUNNER = CliRunner()
HARD = get_scenario("EP2-003").path


def test_parties__prints_fourteen_bars_and_leaves_with_0() -> None:
    result = RUNNER.invoke(app, ["verify", "--parties", HARD])

    lines = result.output.splitlines()
    assert result.exit_code == 0, result.output
    assert lines[0] == "EP2-003: sacrifice, hard; all bars cleared"
    assert [int(line.split()[0]) for line in lines[1:15]] == list(range(1, 15))
    assert lines[-1] == "1 game, 0 with something missed"
    assert not any(line.startswith("ok: ") for line in lines)  # one game has no quotas


def test_parties__full_prints_correlated_equilibria() -> None:
    result = RUNNER.invoke(app, ["verify", "--parties", "--full", HARD])

    assert result.output.count("correlated equilibria, ") == 2


def test_parties__json_is_the_same_every_time() -> None:
    first, second = (RUNNER.invoke(app, ["verify", "--parties", "--json", HARD]).output for _ in range(2))

    assert first == second
    game = json.loads(first)["games"][0]
    assert (game["id"], game["class"], game["hard"], game["ok"]) == ("EP2-003", "sacrifice", True, True)
    assert len(game["bars"]) == 14


def test_parties__a_bar_that_is_missed_leaves_with_1(tmp_path: Path) -> None:
    written = Path(HARD).read_text("utf-8")
    file = tmp_path / "EP2-003.yaml"
    file.write_text(written.replace("contest_call: 0.2}", "contest_call: 0.9}"), "utf-8")

    result = RUNNER.invoke(app, ["verify", "--parties", str(file)])

    assert result.exit_code == 1
    assert "MISSED" in result.output


def test_parties__a_file_without_a_block_is_counted_and_a_broken_one_is_a_fault(tmp_path: Path) -> None:
    other = get_scenario("EP1-001").path
    file = tmp_path / "EP2-003.yaml"
    file.write_text(Path(HARD).read_text("utf-8").replace("yields: [trip_winch]", "yields: [trip_wench]"), "utf-8")

    result = RUNNER.invoke(app, ["verify", "--parties", other, str(file)])

    assert result.exit_code == 1
    assert "unknown move of the incumbent 'trip_wench'" in result.output
    assert "1 file without a `parties` block" in result.output


@pytest.mark.parametrize("arguments", [["--full"], ["--parties", "--report", "x.md"]])
def test_options_that_do_not_go_together__are_refused(arguments: list[str]) -> None:
    result = RUNNER.invoke(app, ["verify", *arguments, HARD])

    assert result.exit_code == 2
