"""What a page says of how models were asked is what manifest and calls beside it say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conflictbench.agents.models import ModelOptions
from conflictbench.benchmarks.crossplay.asked import Asked, asked_in
from conflictbench.benchmarks.crossplay.runner import run_crossplay
from conflictbench.errors import BrokenRecord


def run_into(folder: Path, *agents: str, model: ModelOptions | None = None) -> Path:
    run_crossplay(agents, scenarios=["EP2-004"], out=folder, model=model)
    return folder


def test_asked__a_folder_without_a_run_has_nothing_to_say(tmp_path: Path) -> None:
    assert asked_in(tmp_path) == Asked()


def test_asked__a_run_with_a_model_tells_settings_and_calls(tmp_path: Path) -> None:
    folder = run_into(tmp_path / "run", "keep", "llm:fake/look", model=ModelOptions(temperature=0.5))
    found = asked_in(folder)
    calls = [json.loads(line) for line in (folder / "calls.jsonl").read_text("utf-8").splitlines()]
    assert found.asked_with.startswith("protocol party-v1-")
    assert "endpoint default, temperature 0.5, max tokens 2,048, seed each episode's" in found.asked_with
    assert f"{sum(call['requests'] for call in calls):,} calls, " in found.usage
    assert "answered as fake/look" in found.usage
    assert found.beside == ("plays.jsonl",)
    (folder / "plays.html").write_text("", "utf-8")
    assert asked_in(folder).beside == ("plays.html", "plays.jsonl")


def test_asked__a_run_of_bots_alone_tells_neither(tmp_path: Path) -> None:
    found = asked_in(run_into(tmp_path / "run", "keep", "persist"))
    assert (found.asked_with, found.usage) == ("", "")


def test_asked__calls_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    folder = run_into(tmp_path / "run", "keep", "llm:fake/look")
    (folder / "calls.jsonl").write_text("{}\n", "utf-8")
    with pytest.raises(BrokenRecord, match=r"calls\.jsonl:1: not the line of a call"):
        asked_in(folder)
