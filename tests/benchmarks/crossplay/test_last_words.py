"""What cross-play says last: plays without a result with their reasons, and choices that were none."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.benchmarks.crossplay.test_chairs import play
from typer.testing import CliRunner

from conflictbench.benchmarks.crossplay.chairs import BotChair
from conflictbench.benchmarks.crossplay.last_words import not_chosen
from conflictbench.cli import app

GAME = "EP2-002"


def command(out: Path, *agents: str) -> list[str]:
    return ["crossplay", "--agents", *agents, "--scenario", GAME, "--out", str(out)]


def test_a_model_that_never_chooses__is_named_in_the_last_line_and_the_run_is_finished(tmp_path: Path) -> None:
    """6 turns, from 2 starts, and in both chairs where it meets itself: 12 + 12 + 24 choices. As `run`: exit code 0."""
    done = CliRunner().invoke(app, command(tmp_path, "llm:fake/silent", "keep", "persist"))
    assert done.exit_code == 0, done.stderr
    assert done.stderr.splitlines()[-1] == (
        "48 of 48 choices of models (llm:fake/silent) were none, and became a hold or silence (48 unparsed): "
        "see `whole reply` in plays.html"
    )


def test_a_fault_of_our_own__is_told_with_its_reason_and_the_exit_code_of_what_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(self: BotChair) -> None:
        raise RuntimeError("the chair broke")

    monkeypatch.setattr(BotChair, "choose", broken)
    done = CliRunner().invoke(app, command(tmp_path, "llm:fake/look", "persist"))
    assert done.exit_code == 3, done.stderr
    assert "2 plays left out of the figures; to play them, give the command again when what raised the" in done.stderr
    assert "left out: 2 x env_error: RuntimeError: the chair broke" in done.stderr
    assert "the chair broke" in (tmp_path / "plays.html").read_text()


def test_not_chosen__counts_choices_of_models_in_plays_that_count_and_nothing_else() -> None:
    record, _ = play(["mumble", "mumble", *["ACTION: hold"] * 9])
    assert not_chosen([record]) == ""  # "m" is no model's name
    named = record.model_copy(update={"key": record.key.model_copy(update={"incumbent": "llm:x"})})
    turns = len(record.moves)
    assert not_chosen([named]).startswith(f"1 of {turns} choices of models (llm:x) were none")
    assert not_chosen([named.model_copy(update={"talk": "text"})]).startswith(f"1 of {2 * turns} choices")
    assert not_chosen([named.model_copy(update={"outcome": None})]) == ""
