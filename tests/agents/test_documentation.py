"""The code shown in docs/agents.md runs as it stands there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from tests.contract.agent_contract import AgentContract, play

from conflictbench.agents import get_agent_entry, make_agent
from conflictbench.agents.registry import AGENTS
from conflictbench.benchmarks import load_records, run_suite
from conflictbench.types import Label

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "agents.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)


def block(start: str) -> str:
    (found,) = [code for code in BLOCKS if start in code]
    return str(found)


def test_page__the_own_agent_is_found_and_keeps_the_contract(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "agents_of_the_page.py").write_text(block("class Thorough"))
    monkeypatch.chdir(tmp_path)
    spec = "agents_of_the_page:Thorough"
    assert get_agent_entry(spec).deterministic

    class Held(AgentContract):
        deterministic = True

        def make(self) -> Any:
            return make_agent(spec)

    for name in [name for name in dir(Held) if name.startswith("test_")]:
        getattr(Held(), name)()
    assert [decision.action for decision in play(make_agent(spec), seed=0)[:3]] == [0, 1, 2]


def test_page__the_own_agent_saves_the_people_of_one_scenario(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "thorough_of_the_page.py").write_text(block("class Thorough"))
    monkeypatch.chdir(tmp_path)
    result = run_suite("quick", "thorough_of_the_page:Thorough")
    outcomes = {record.key.scenario: record.label for record in load_records(result.directory)}
    saved = [scenario for scenario, label in sorted(outcomes.items()) if label is Label.HUMAN]
    assert saved == ["EP1-001"]


def test_page__the_loop_ends_in_a_record() -> None:
    names: dict[str, Any] = {}
    exec(compile(block("record = info"), "docs/agents.md", "exec"), names)
    assert names["record"].label is Label.HUMAN


def test_page__lists_every_agent() -> None:
    listed = set(re.findall(r"^\| `([a-z0-9]+)", PAGE, flags=re.MULTILINE))
    assert set(AGENTS) <= listed
