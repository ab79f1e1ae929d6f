"""`conflictbench report` on a run of cross-play: the same pages anew, from what is kept alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from conflictbench.benchmarks.crossplay.again import figures_again, is_crossplay, seats_of
from conflictbench.benchmarks.crossplay.plan import Conditions, games_called, identify
from conflictbench.benchmarks.crossplay.runner import run_crossplay
from conflictbench.benchmarks.crossplay.seats import Seat
from conflictbench.cli import app
from conflictbench.errors import RunError

GAME = "EP2-004"
WORDS = ("crossplay", "--agents", "keep", "persist", "llm:fake/look", "--scenario", GAME, "--out")


def call(*words: str) -> Result:
    return CliRunner().invoke(app, [*words])


def test_report__writes_the_same_pages_and_prints_the_same_tables(tmp_path: Path) -> None:
    out = tmp_path / "out"
    first = call(*WORDS, str(out))
    assert first.exit_code == 0, first.stderr
    pages = ("crossplay.html", "plays.html", "crossplay.json", "crossplay-standoff.svg")
    before = {name: (out / name).read_bytes() for name in pages}
    for name in pages:
        (out / name).unlink()
    again = call("report", str(out))
    assert again.exit_code == 0, again.stderr
    assert again.stdout == first.stdout
    assert {name: (out / name).read_bytes() for name in pages} == before
    plain = call("report", str(out), "--json")
    assert json.loads(plain.stdout) == json.loads(before["crossplay.json"])


def test_report__tells_what_it_does_not_do_with_such_a_run(tmp_path: Path) -> None:
    run_crossplay(["fair"], scenarios=[GAME], out=tmp_path / "out")
    out = str(tmp_path / "out")
    for words, told in (
        (("--format", "md"), "--format md is not for a run of cross-play; known: table, json"),
        (("--out", str(tmp_path / "x")), "its pages stand in its own folder"),
        ((str(tmp_path),), "is a run of cross-play: report it apart from others"),
    ):
        result = call("report", out, *words)
        assert result.exit_code == 2
        assert told in " ".join(result.stderr.replace("│", " ").split())


def test_report__does_not_measure_by_another_game_than_was_played(tmp_path: Path) -> None:
    run_crossplay(["fair"], scenarios=[GAME], out=tmp_path)
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    manifest["identity"]["scenarios"][GAME] = "other"
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(RunError, match=f"{GAME} is another game now"):
        figures_again(tmp_path)


def test_is_crossplay__knows_its_own_and_is_quiet_about_everything_else(tmp_path: Path) -> None:
    assert not is_crossplay(tmp_path / "nowhere") and not is_crossplay(tmp_path)
    for text in ("no JSON", "[]", '{"identity": 3}', '{"identity": {"suite": "ep1"}}'):
        (tmp_path / "manifest.json").write_text(text)
        assert not is_crossplay(tmp_path)


def test_seats__of_a_policy_are_those_it_played_without_its_file() -> None:
    policy = Seat(name="sb3:gone.zip", kind="sb3", roles=("requester",), scenarios=(GAME,), input_digest="d")
    keep = Seat(name="keep", kind="bot", roles=("incumbent",))
    identity = identify([policy, keep], games_called([GAME]), Conditions())
    assert [(seat.name, seat.kind, seat.roles) for seat in seats_of(identity)] == [
        ("sb3:gone.zip", "sb3", ("requester",)),
        ("keep", "bot", ("incumbent",)),
    ]
