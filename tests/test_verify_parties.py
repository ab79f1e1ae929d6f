"""`conflictbench verify --parties`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tests.checkout import ROOT
from typer.testing import CliRunner

from conflictbench.cli import app
from conflictbench.scenario_specs import get_scenario
from conflictbench.scenario_specs.parties.report import WORDS

RUNNER = CliRunner()
HARD = get_scenario("EP2-003").path


def test_parties__prints_fourteen_bars_and_leaves_with_0() -> None:
    result = RUNNER.invoke(app, ["verify", "--parties", HARD])

    lines = result.output.splitlines()
    assert result.exit_code == 0, result.output
    assert lines[0] == "EP2-003: sacrifice, hard; all bars cleared"
    numbers = [int(line.split()[0]) for line in lines if re.match(r" {2,3}\d+ (ok|-) ", line)]
    assert numbers == list(range(1, 15))
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


def test_parties__what_tells_a_party_a_private_value_is_a_fault_with_its_line(tmp_path: Path) -> None:
    written = Path(get_scenario("EP2-005").path).read_text("utf-8")
    need = "swing_south: [{when: \"say == 'lent'"
    before, behind = written.split(need)
    line = 1 + before.count("\n")
    file = tmp_path / "EP2-005.yaml"
    file.write_text(f"{before}{need} and klystron == 'ready'{behind}", "utf-8")

    result = RUNNER.invoke(app, ["verify", "--parties", str(file)])

    assert result.exit_code == 1
    assert f"EP2-005.yaml:{line} parties.adds.needs.swing_south.1.when: error [parties]" in result.output
    assert "the requester's move 'swing_south' reads klystron, private to the incumbent" in result.output


@pytest.mark.parametrize("arguments", [["--full"], ["--parties", "--report", "x.md"]])
def test_options_that_do_not_go_together__are_refused(arguments: list[str]) -> None:
    result = RUNNER.invoke(app, ["verify", *arguments, HARD])

    assert result.exit_code == 2


def test_parties__every_line_fits_80_columns_and_the_words_are_explained() -> None:
    output = RUNNER.invoke(app, ["verify", "--parties", "--full", "EP2-003", "EP2-005"]).output

    assert [line for line in output.splitlines() if len(line) > 80] == []
    assert "EP2-003: sacrifice, hard; all bars cleared" in output
    legend = output.partition("pairs go incumbent, requester.")[2]
    proofs = output.partition("pairs go incumbent, requester.")[0]
    for word in ("contest", "never yields", "passive", "block/persist", "plan", "slack", "random", "Pareto points"):
        assert word in proofs
        assert re.search(f"^  {word} +\\S", legend, flags=re.MULTILINE)


def test_parties__words_of_a_proof_stand_in_the_documents_too() -> None:
    table = (
        (ROOT / "docs" / "two-party.md").read_text("utf-8").partition("| word in a proof | |")[2].partition("\n\n")[0]
    )

    assert re.findall(r"^\| ([^|]+?) \|", table, flags=re.MULTILINE) == list(WORDS)


def test_parties__an_id_is_as_good_as_its_file() -> None:
    by_id, by_file = (
        RUNNER.invoke(app, ["verify", "--parties", "--json", name]).output for name in ("ep2-003", str(HARD))
    )

    assert by_id == by_file
    wrong = RUNNER.invoke(app, ["verify", "--parties", "EP2-999"])
    assert wrong.exit_code == 2
    assert "no such file, folder or scenario of the core pack: EP2-999" in " ".join(wrong.stderr.split())
