"""An agent of one's own that is edited and run again: the run says so, and whose episodes it holds."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.benchmarks.odd_agents import Odd

from conflictbench.benchmarks.agent_source import agent_sources, changed_sources
from conflictbench.benchmarks.loading import load_run
from conflictbench.benchmarks.run_command import run_command
from conflictbench.benchmarks.runner import run_suite

SOURCE = """
from my_helper_of_a_test import Base

class Mine(Base):
    name = "mine"
"""
HELPER = """
from conflictbench.agents import RandomAgent

class Base(RandomAgent):
    pass
"""
MODEL = """
from conflictbench.agents.models import ScriptedModel, by_turn
from conflictbench.types import Reply

def make():
    return ScriptedModel(by_turn([Reply(text="ACTION: look")]), model="mine")
"""
AGENT = "my_agent_of_a_test:Mine"
CHANGED = "my_agent_of_a_test.py has changed since this run began; --fresh plays it again"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A directory with an agent, a base class and a model in it, to start from."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_agent_of_a_test.py").write_text(SOURCE)
    (tmp_path / "my_helper_of_a_test.py").write_text(HELPER)
    (tmp_path / "my_model_of_a_test.py").write_text(MODEL)
    yield tmp_path
    for name in ("my_agent_of_a_test", "my_helper_of_a_test", "my_model_of_a_test"):
        sys.modules.pop(name, None)


def edit(file: Path) -> None:
    file.write_text(file.read_text() + "# thought better of\n")


def test_sources__are_the_module_and_the_bases_that_are_ones_own(here: Path) -> None:
    run_suite("ep1", AGENT)
    assert list(agent_sources(AGENT)) == ["my_agent_of_a_test.py", "my_helper_of_a_test.py"]
    assert list(agent_sources(f"{Odd.__module__}:Odd")) == ["tests/benchmarks/odd_agents.py"]


@pytest.mark.parametrize("spec", ["random", "llm:openai/qwen3:8b", "llm:fake/look", "replay:some/where", "no_module:X"])
def test_sources__of_agents_of_the_package_are_none(spec: str) -> None:
    assert agent_sources(spec) == {}


def test_changed__are_those_with_other_content_and_those_that_are_gone() -> None:
    assert changed_sources({"a.py": "0", "b.py": "1", "c.py": "2"}, {"a.py": "0", "b.py": "9", "d.py": "3"}) == [
        "b.py",
        "c.py",
    ]
    assert changed_sources({}, {"a.py": "0"}) == []  # a run from before they were kept


def test_run__unchanged_says_nothing(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):
        assert run_command("ep1", [AGENT]) == 0
    assert "has changed" not in capsys.readouterr().err


def test_run__edited_and_finished_prints_the_old_table_and_says_so(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command("ep1", [AGENT]) == 0
    edit(here / "my_agent_of_a_test.py")
    assert run_command("ep1", [AGENT]) == 0
    assert f"note: {CHANGED}\n" in capsys.readouterr().err
    (directory,) = (here / "runs").iterdir()
    assert load_run(directory).notes == ()  # all of its episodes are of one version

    assert run_command("ep1", [AGENT], fresh=True) == 0
    assert "has changed" not in capsys.readouterr().err


def test_run__edited_in_the_middle_keeps_that_its_episodes_are_of_two_versions(here: Path) -> None:
    run_suite("ep1", AGENT, seeds=3, most=1)
    edit(here / "my_helper_of_a_test.py")
    result = run_suite("ep1", AGENT, seeds=3)
    assert result.finished == 3
    assert result.notes == (
        "my_helper_of_a_test.py was changed while this run was under way: its episodes are not all of one version",
    )


def test_run__a_model_of_ones_own_is_watched_too(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = "llm:my_model_of_a_test:make"
    assert run_command("ep1", [spec]) == 0
    edit(here / "my_model_of_a_test.py")
    assert run_command("ep1", [spec]) == 0
    assert "note: my_model_of_a_test.py has changed since this run began" in capsys.readouterr().err
