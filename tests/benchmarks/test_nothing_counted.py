"""A run of which nothing counts prints why, and no tables of `n = 0`; what was said already is not said again."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.benchmarks.players import LLM, ask

from conflictbench.agents.models import by_turn
from conflictbench.benchmarks.run_command import run_command
from conflictbench.benchmarks.runner import run_suite
from conflictbench.errors import ProviderError

REFUSED = ProviderError("host answered 401 (the key was read from OPENAI_API_KEY): no", calls=1, hopeless=True)


@pytest.mark.parametrize("suite", ["quick", "single_turn", "regret"])
def test_table__is_left_out_where_no_episode_counts_and_the_reason_stands_first(
    suite: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ask(monkeypatch, by_turn([REFUSED]))
    assert run_command(suite, [LLM], runs=tmp_path) == 3
    lines = [line.strip() for line in capsys.readouterr().out.splitlines() if line.strip()]
    place = lines.index(LLM)
    assert "No episode counted: " in lines[place + 1]
    assert "host answered 401 (the key was read" in " ".join(lines[place + 1 : place + 4])
    assert not any("n = 0" in line or "Wilson" in line for line in lines)
    assert (next(tmp_path.iterdir()) / "report.html").exists()


def test_table__of_an_agent_with_results_stays_beside_one_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ask(monkeypatch, by_turn([REFUSED]))
    assert run_command("ep1", [LLM, "aligned"], runs=tmp_path) == 3
    printed = capsys.readouterr().out
    assert "No episode counted: " in printed
    assert "1/1 100%" in printed
    assert "Wilson" in printed


def test_note__is_printed_once_by_the_command_that_met_it_and_in_the_table_of_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    module = tmp_path / "priceless_models.py"
    module.write_text(
        "from conflictbench.types import Completion, Reply\n\n\nclass Looks:\n    name = 'looks'\n\n"
        "    async def complete(self, messages, tools=(), limits=None):\n"
        "        return Completion(reply=Reply(text='ACTION: look'), model='looks-1')\n\n"
        "    async def close(self):\n        pass\n"
    )
    monkeypatch.chdir(tmp_path)
    note = "the price of looks is not known: its cost is recorded as 0"
    said = []
    for _ in range(2):
        assert run_command("ep1", ["llm:priceless_models:Looks"], runs=tmp_path / "runs") == 0
        printed = capsys.readouterr()
        said.append((printed.err.count(note), " ".join(printed.out.split()).count(note)))
    assert said == [(1, 0), (0, 1)]
    (directory,) = (tmp_path / "runs").iterdir()
    assert note in (directory / "report.md").read_text()


def test_result__shows_itself_in_one_line(tmp_path: Path) -> None:
    result = run_suite("ep1", "random", seeds=2, runs=tmp_path)
    assert repr(result) == f"RunResult('random' on 'ep1': 2 of 2 episodes in {str(result.directory)!r})"
