"""A run that a cache answers says so, and its figures know what they cost nothing for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.benchmarks.players import LLM

from conflictbench.agents.models import ModelOptions
from conflictbench.benchmarks.loading import load_episodes, load_run
from conflictbench.benchmarks.run_command import run_command
from conflictbench.types import Usage


def test_run_command__says_and_keeps_how_many_answers_came_from_the_cache(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = ModelOptions(cache_dir=tmp_path / "cache")
    run = {"seeds": 2, "runs": tmp_path / "runs", "model": model}
    assert run_command("ep1", [LLM], **run) == 0  # type: ignore[arg-type]
    assert "from the cache" not in "".join(capsys.readouterr())

    assert run_command("ep1", [LLM], **run, fresh=True) == 0  # type: ignore[arg-type]
    printed = capsys.readouterr()
    # two episodes of 14 looks
    assert "; 28 of 28 answers came from the cache\n" in printed.err
    assert "0 calls, 0 tokens read, 0 written, cost $0.0000; 28 answers from the cache" in " ".join(printed.out.split())
    (directory,) = (tmp_path / "runs").glob("*-2")
    assert [record.usage for record in load_run(directory).records] == [Usage(cached=14)] * 2
    assert [row["cached"] for row in load_episodes(directory)] == [14, 14]
    assert "0 and 28 cached" in (directory / "report.md").read_text()
    assert "0 and 28 cached" in (directory / "report.html").read_text()
    assert f"{LLM},,,,cached_answers,28," in (directory / "report.csv").read_text()

    assert run_command("ep1", [LLM], **run, out=directory, as_json=True) == 0  # type: ignore[arg-type]
    (usage,) = json.loads(capsys.readouterr().out)["summary"]["usages"]
    assert (usage["calls"], usage["cached"]) == (0, 28)


def test_run_command__a_part_from_the_cache_is_a_part(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = ModelOptions(cache_dir=tmp_path / "cache")
    assert run_command("ep1", [LLM], runs=tmp_path / "runs", model=model) == 0
    assert run_command("ep1", [LLM], runs=tmp_path / "runs", model=model, seeds=3) == 0
    assert "; 14 of 42 answers came from the cache\n" in capsys.readouterr().err
