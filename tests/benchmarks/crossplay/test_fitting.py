"""A policy of one's own: what its card must say, and that a policy which does not fit is refused before any play."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from conflictbench.benchmarks.crossplay.directory import load_plays
from conflictbench.benchmarks.crossplay.runner import run_crossplay
from conflictbench.benchmarks.crossplay.seats import seats_called
from conflictbench.errors import RunError
from conflictbench.types import Status
from conflictbench.wrappers.one_party import OnePartyEnv

GAME = "EP2-002"  # 8 moves of the incumbent, 6 of the requester


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An incumbent of `GAME` by PPO, saved as docs/two-party.md says, without a card."""
    stable_baselines3 = pytest.importorskip("stable_baselines3", reason="training needs the extra rl")
    path = tmp_path_factory.mktemp("own") / "policy.zip"
    env = OnePartyEnv(GAME, "incumbent", "persist")
    stable_baselines3.PPO("MlpPolicy", env, n_steps=8, batch_size=8, device="cpu").save(path)
    return path


def play(policy: Path, out: Path, card: dict[str, Any], scenario: str = GAME, *others: str) -> None:
    policy.with_suffix(".json").write_text(json.dumps({"algo": "ppo", **card}))
    run_crossplay([f"sb3:{policy}", *(others or ("keep", "persist"))], scenarios=[scenario], out=out)


@pytest.mark.parametrize("trained", [{"scenario": GAME, "role": "incumbent"}, {"role": "incumbent"}])
@pytest.mark.parametrize("env_id", ["", "task_conflict_v0"])
def test_policy__with_its_chair_in_its_card_plays(policy: Path, trained: Any, env_id: str, tmp_path: Path) -> None:
    play(policy, tmp_path / "out", {"env_kwargs": trained, "env_id": env_id})
    assert [record.status for record in load_plays(tmp_path / "out")] == [Status.COMPLETED] * 2


@pytest.mark.parametrize(
    "trained, scenario, told",
    [
        ({}, GAME, ["as requester of EP2-002", "it chooses among 8 actions, and 6 are wanted", '"role": "incumbent"']),
        ({"scenario": GAME, "role": "requester"}, GAME, ["8 actions, and 6 are wanted", "names another chair"]),
        ({"scenario": GAME, "role": "incumbent"}, "EP2-001", ["was trained on EP2-002 and not on EP2-001"]),
        ({"role": "incumbent"}, "EP2-001", ["as incumbent of EP2-001", "it chooses among 8 actions, and 9 are wanted"]),
    ],
)
def test_policy__that_does_not_fit_is_refused_with_what_would_before_anything_is_written(
    policy: Path, trained: dict[str, str], scenario: str, told: list[str], tmp_path: Path
) -> None:
    with pytest.raises(RunError) as caught:
        play(policy, tmp_path / "out", {"env_kwargs": trained}, scenario)
    assert all(words in str(caught.value) for words in told), caught.value
    assert str(caught.value).startswith(f"sb3:{policy} ")
    assert not (tmp_path / "out").exists()


def test_policy__of_a_world_for_one_agent_is_refused_by_its_card(tmp_path: Path) -> None:
    (tmp_path / "policy.zip").write_bytes(b"not looked into")
    (tmp_path / "policy.json").write_text(json.dumps({"algo": "ppo", "env_id": "ConflictBench/EP2-v0"}))
    with pytest.raises(RunError, match=r"was trained on ConflictBench/EP2-v0.*train --two-party ID") as caught:
        seats_called([f"sb3:{tmp_path / 'policy.zip'}", "persist"])
    assert '"env_id": "task_conflict_v0" into policy.json' in str(caught.value)
