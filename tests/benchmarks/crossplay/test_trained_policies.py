"""Policies that were trained elsewhere: what their cards say is looked at, and their files are read last of all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conflictbench.benchmarks.crossplay import players
from conflictbench.benchmarks.crossplay.runner import run_crossplay
from conflictbench.benchmarks.crossplay.seats import seats_called
from conflictbench.errors import AgentError, RunError, RunMismatch
from conflictbench.scenario_specs.parties.joint import get_joint
from conflictbench.types import Decision, Task

GAME = "EP2-002"


class Holding:
    """Stands in for a policy of SB3: it holds, and remembers that it was loaded."""

    loaded: list[str]

    def __init__(self, path: str) -> None:
        self.loaded.append(path)

    def check(self, n_actions: int, shape: tuple[int, ...]) -> None:
        pass

    def reset(self, task: Task) -> None:
        pass

    def act(self, observation: object, info: object) -> Decision:
        return Decision(action=0)


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Paths of the policies that were loaded."""
    monkeypatch.setattr(Holding, "loaded", [], raising=False)
    monkeypatch.setattr(players, "SB3Agent", Holding)
    return Holding.loaded


def policy(folder: Path, digest: str | None = None, **env_kwargs: object) -> str:
    folder.mkdir()
    (folder / "policy.zip").write_bytes(b"code that runs when it is read")
    known = {} if digest is None else {"scenarios": {GAME: digest}}
    (folder / "policy.json").write_text(json.dumps({"algo": "ppo", "env_kwargs": env_kwargs, **known}))
    return f"sb3:{folder / 'policy.zip'}"


@pytest.mark.parametrize("scenario", [7, [7], {"id": GAME}, [[GAME]], True])
def test_card__a_scenario_that_is_no_id_is_told_with_its_place(scenario: object, tmp_path: Path) -> None:
    name = policy(tmp_path / "own", role="incumbent", scenario=scenario)
    with pytest.raises(
        AgentError, match=r"policy\.json: env_kwargs\.scenario .* must be the id of a two-party scenario"
    ):
        seats_called([name, "persist"])


def test_policy__trained_on_other_tables_is_a_note(tmp_path: Path, loaded: list[str]) -> None:
    own = get_joint(GAME).tables.digest
    names = [
        policy(tmp_path / f"own{n}", digest, role="incumbent", scenario=GAME)
        for n, digest in enumerate((own, "0123456789abcdef", None))
    ]
    result = run_crossplay([*names, "persist"], scenarios=[GAME], out=tmp_path / "out")
    told = f"{names[1]} was trained on another version of {GAME} than the one that is played (tables 01234567, here "
    assert [note for note in result.notes if note.startswith(told)]
    assert sum("another version" in note for note in result.notes) == 1
    assert len(loaded) == 3


def test_policy__is_not_read_before_everything_else_was_checked(tmp_path: Path, loaded: list[str]) -> None:
    name = policy(tmp_path / "own", role="incumbent", scenario=GAME)
    other = tmp_path / "other"
    other.mkdir()
    (other / "letters.txt").write_text("mine")
    with pytest.raises(RunError, match="not a run directory"):
        run_crossplay([name, "persist"], scenarios=[GAME], out=other)
    assert [path.name for path in other.iterdir()] == ["letters.txt"]
    with pytest.raises(RunError, match="was trained on EP2-002 and not on EP2-001"):
        run_crossplay([name, "persist"], scenarios=["EP2-001"], out=tmp_path / "out")
    run_crossplay(["llm:fake/silent", "keep"], scenarios=[GAME], out=tmp_path / "out")
    with pytest.raises(RunMismatch, match="another run"):
        run_crossplay([name, "persist"], scenarios=[GAME], out=tmp_path / "out")
    assert loaded == []
