"""`conflictbench crossplay` as a person meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from conflictbench.cli import app


def call(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["crossplay", *arguments])


def test_help__shows_one_real_example_within_80_columns() -> None:
    output = call("--help").output
    assert "Example:  conflictbench crossplay --agents fair keep" in output
    assert [line for line in output.splitlines() if len(line) > 80] == []
    assert "Arguments:\n  NAME " in output and "Agents behind the first one of --agents" in output


def test_bots__need_no_directory_and_are_printed_class_by_class(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = call("--agents", "fair", "block", "--scenario", "ep2-002", "--scenario", "EP2-004")
    assert result.exit_code == 0, result.stderr
    assert "== sacrifice: EP2-002 (2 starts)" in result.stdout
    assert "== standoff: EP2-004 (2 starts)" in result.stdout
    assert "bots are worked out, not played" in " ".join(result.stdout.split())
    assert [line for line in result.stdout.splitlines() if len(line) > 80] == []
    assert list(tmp_path.iterdir()) == []


def test_agents__by_option_and_by_argument_are_one_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    game = ("--scenario", "EP2-004")
    spoken = (
        ("--agents", "fair", "--agents", "block", *game),
        ("--agents", "fair", "block", *game),
        ("fair", "block", *game),
    )
    first, *others = [call(*words).stdout for words in spoken]
    assert "block" in first
    assert others == [first, first]


def test_out__holds_the_page_the_drawings_and_the_plays(tmp_path: Path) -> None:
    out = tmp_path / "kept"
    words = ("--agents", "keep", "persist", "llm:fake/look", "--scenario", "EP2-004", "--out", str(out))
    result = call(*words)
    assert result.exit_code == 0, result.stderr
    assert "Played: k/n" in result.stdout
    assert "6 of 6 plays (6 played now)" in result.stderr
    assert {path.name for path in out.iterdir()} == {
        "calls.jsonl",
        "crossplay-standoff.svg",
        "crossplay.html",
        "crossplay.json",
        "manifest.json",
        "plays.html",
        "plays.jsonl",
        "run.lock",
    }
    manifest = json.loads((out / "manifest.json").read_text())
    assert manifest["identity"]["talk"] == "none" and manifest["identity"]["protocol_id"].startswith("party-v1-")
    assert "crossplay --agents keep persist llm:fake/look" in manifest["command"]
    page = (out / "crossplay.html").read_text("utf-8")
    assert f"Asked with: protocol {manifest['identity']['protocol_id']}, endpoint default, temperature 0" in page
    assert 'href="plays.jsonl"' in page
    again = call(*words)
    assert "(0 played now)" in again.stderr
    assert again.stdout == result.stdout


def test_json__is_one_object_on_stdout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    plain = json.loads(call("--agents", "fair", "random", "--scenario", "EP2-001", "--json").stdout)
    assert [one["class"] for one in plain["classes"]] == ["standoff, hard"]
    assert len(plain["classes"][0]["cells"]) == 4


@pytest.mark.parametrize(
    "arguments, words",
    [
        ([], "no agent given; bots: keep, fair"),
        (["--agents", "blok"], "unknown party 'blok'; known: keep, fair"),
        (["--agents", "keep"], "nobody here plays the requester (keep): add one of fair, persist"),
        (["--agents", "fair", "--scenario", "EP1-001"], "unknown scenario with two parties 'EP1-001'; known: EP2-001"),
        (["--agents", "fair", "--talk", "loud"], "unknown talk 'loud'; known: none, signal, text"),
        (["--agents", "fair", "--seeds", "0"], "seeds 0 must be a whole number >= 1"),
        (["--agents", "fair", "--solo"], "--solo is for language models"),
        (["--agents", "fair", "--temperature", "1"], "no agent here asks a language model"),
        (["--agents", "fair", "llm:nobody/x"], "unknown model provider 'nobody'"),
    ],
)
def test_wrong_use__is_told_with_what_would_be_right(
    arguments: list[str], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = call(*arguments)
    assert result.exit_code == 2
    assert words in result.stderr
    assert list(tmp_path.iterdir()) == []
