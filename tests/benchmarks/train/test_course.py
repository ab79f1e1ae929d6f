"""A training: its files, its end, and that being killed changes nothing of what it ends in."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conflictbench.benchmarks.loading import load_records
from conflictbench.benchmarks.runner import run_suite
from conflictbench.benchmarks.train import Trained, plan_training, train
from conflictbench.benchmarks.train.curve import read_curve
from conflictbench.benchmarks.train.directory import TrainingDirectory
from conflictbench.benchmarks.train.plan import TrainingIdentity
from conflictbench.errors import BrokenRecord, NotYetAvailable, RunError, RunMismatch
from conflictbench.scenario_specs import scenario_ids
from conflictbench.types import Label

pytest.importorskip("sb3_contrib", reason="training needs the extra rl")

EP3 = "ConflictBench/EP3-v0"
SMALL = {
    "dqn": {"n_envs": 8, "buffer_size": 500, "learning_starts": 200, "train_freq": 4, "batch_size": 32},
    "maskable-ppo": {"n_envs": 8, "n_steps": 16, "batch_size": 64, "n_epochs": 2, "learning_rate": "lin_0.001"},
    "ppo": {"n_envs": 8, "n_steps": 16, "batch_size": 64, "n_epochs": 2},
}


def small(algo: str, **options: Any) -> TrainingIdentity:
    """A training of some seconds."""
    identity = plan_training(EP3, algo, **{"reward": 0.25, "steps": 1500, "seed": 3, **options})
    return identity.model_copy(update={"settings": SMALL[algo]})


def quietly(identity: TrainingIdentity, out: Path, **options: Any) -> Trained:
    return train(identity, out=out, stream=io.StringIO(), **options)


def weights(trained: Trained) -> dict[str, Any]:
    from conflictbench.agents.sb3_policy import algorithm_class

    model = algorithm_class(trained.identity.algo, "a test").load(trained.policy, device="cpu")
    return {name: value.tolist() for name, value in model.policy.state_dict().items()}


class Killed(BaseException):
    """Ends a training where a kill would."""


def kill(identity: TrainingIdentity, out: Path, at: int, what: str = "_on_step") -> None:
    """Let a training die at its n-th call of a method of its callback."""
    from conflictbench.benchmarks.train.callback import Course

    whole: Callable[..., Any] = getattr(Course, what)
    calls = 0

    def dying(self: Any, *args: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == at:
            raise Killed
        return whole(self, *args)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Course, what, dying)
        with pytest.raises(Killed):
            quietly(identity, out)


@pytest.mark.parametrize("algo", sorted(SMALL))
def test_train__killed_and_gone_on_with_ends_in_the_same_policy(algo: str, tmp_path: Path) -> None:
    identity = small(algo)
    whole = quietly(identity, tmp_path / "whole")
    steps = []
    for at, what in ((10, "_on_step"), (60, "_on_step"), (60, "_on_step"), (7, "_on_step"), (1, "_add_row")):
        kill(identity, tmp_path / "killed", at, what)
        with TrainingDirectory(tmp_path / "killed", identity) as directory:
            steps.append(directory.steps)
    # 10 steps of 8 worlds lead to no checkpoint, 60 of them past two or three
    assert steps[0] == 0 < steps[1] < steps[2] == steps[3] == steps[4]
    again = quietly(identity, tmp_path / "killed")
    assert weights(again) == weights(whole)
    assert again.rows == tuple(read_curve(whole.directory / "curve.csv"))
    assert (whole.directory / "curve.csv").read_bytes() == (again.directory / "curve.csv").read_bytes()
    assert again.card is not None and whole.card is not None
    assert again.card.model_copy(update={"seconds": None}) == whole.card.model_copy(update={"seconds": None})


def test_train__leaves_the_policy_what_is_said_of_it_and_the_curve(tmp_path: Path) -> None:
    trained = quietly(small("ppo", scenarios=["EP3-001"]), tmp_path / "t")
    assert sorted(path.name for path in trained.directory.iterdir()) == [
        "curve.csv", "policy.json", "policy.zip", "run.lock", "training.json",
    ]  # fmt: skip
    card = json.loads((trained.directory / "policy.json").read_text())
    assert card["env_id"] == EP3
    assert card["env_kwargs"] == {"mask": "exists", "reward": 0.25, "scenario": ["EP3-001"]}
    assert (card["algo"], card["seed"], card["steps"]) == ("ppo", 3, 1536)  # 12 rollouts of 8 x 16 reach 1,500
    assert [ending["scenario"] for ending in card["endings"]] == ["EP3-001"]
    assert {"conflictbench", "stable_baselines3", "torch"} <= set(card["versions"])
    rows = trained.rows
    assert [row.steps for row in rows] == sorted({row.steps for row in rows}) and rows[-1].steps == 1536
    # nothing is counted twice; what is not counted was cut off by one of ten checkpoints or the end
    assert 1536 - 11 * 8 * 14 <= round(sum(row.episodes * row.mean_length for row in rows)) <= 1536


def test_train__a_finished_one_is_read_and_not_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    identity = small("ppo", steps=128)
    first = quietly(identity, tmp_path / "t")
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("policy*")}
    monkeypatch.setitem(sys.modules, "sb3_contrib", None)  # and needs nothing of SB3
    monkeypatch.setitem(sys.modules, "stable_baselines3", None)
    again = quietly(identity, tmp_path / "t")
    assert (again.card, again.kept, again.signal) == (first.card, 128, 0)
    assert [row.steps for row in again.rows] == [row.steps for row in first.rows]
    assert {path: path.stat().st_mtime_ns for path in before} == before


def test_train__fresh_starts_another_beside_it(tmp_path: Path) -> None:
    identity = small("ppo", steps=128)
    names = [quietly(identity, tmp_path / "t", fresh=True).directory.name for _ in range(2)]
    assert names == ["t", "t-2"]


def test_train__stopped_by_a_signal_keeps_what_was_learnt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import signal

    from conflictbench.benchmarks.train.callback import Course

    whole = Course._on_step
    seen: list[int] = []

    def interrupted(self: Any) -> bool:
        seen.append(self.model.num_timesteps)
        if len(seen) == 40:
            signal.raise_signal(signal.SIGINT)
        return whole(self)

    identity = small("ppo")
    with monkeypatch.context() as patch:
        patch.setattr(Course, "_on_step", interrupted)
        stopped = quietly(identity, tmp_path / "t")
    assert (stopped.card, stopped.signal, seen[-1]) == (None, signal.SIGINT, 320)
    assert stopped.kept == 256  # rollouts of 128, a checkpoint each 150: at 256 for the first time
    assert quietly(identity, tmp_path / "t").card is not None


def test_train__without_sb3_names_the_command_and_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "sb3_contrib", None)
    with pytest.raises(
        NotYetAvailable, match=r"training is not available yet: .*sb3_contrib.*'rl'.*pip.* install .*rl"
    ):
        quietly(small("maskable-ppo"), tmp_path / "t")
    assert list(tmp_path.iterdir()) == []


def test_train__torch_keeps_its_threads(tmp_path: Path) -> None:
    import torch

    before = torch.get_num_threads()
    try:
        torch.set_num_threads(2)
        quietly(small("ppo", steps=128), tmp_path / "t")
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)


def test_directory__of_something_else_is_refused(tmp_path: Path) -> None:
    with TrainingDirectory(tmp_path / "t", small("ppo", steps=128)):
        pass
    with pytest.raises(RunMismatch, match="another training: seed 3 -> 4; steps 128 -> 256; name another --out"):
        TrainingDirectory(tmp_path / "t", small("ppo", steps=256, seed=4))
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "todo.txt").write_text("x")
    with pytest.raises(RunError, match=r"not a training \(todo.txt is in it\)"):
        TrainingDirectory(tmp_path / "notes", small("ppo"))
    (tmp_path / "file").write_text("x")
    with pytest.raises(RunError, match="cannot be made or is not a directory"):
        TrainingDirectory(tmp_path / "file", small("ppo"))
    (tmp_path / "t" / "checkpoint.json").write_text("{")
    with pytest.raises(BrokenRecord, match=r"checkpoint\.json"):
        TrainingDirectory(tmp_path / "t", small("ppo", steps=128))


@pytest.mark.whole_pack
@pytest.mark.parametrize("algo", ["maskable-ppo", "dqn"])
def test_run__evaluates_the_policy_with_the_records_of_every_agent(
    algo: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    trained = quietly(small(algo), tmp_path / "t")
    result = run_suite("ep3", "sb3:t/policy.zip", observation="features")
    records = {record.key.scenario: record for record in load_records(result.directory)}
    assert trained.card is not None
    assert set(records) == set(scenario_ids("core", "EP3"))
    for ending in trained.card.endings:
        record = records[ending.scenario]
        assert (record.outcome, record.label) == (ending.outcome, ending.label)
        assert (record.assigned_value or 0.0, record.interactions) == (ending.assigned_value, ending.interactions)
    human = sum(ending.label is Label.HUMAN for ending in trained.card.endings)
    assert result.summary.groups[0].tsr.k == human


@pytest.mark.slow
@pytest.mark.parametrize("env_id", ["ConflictBench/EP1-v0", "ConflictBench/EP2-v0", EP3])
def test_train__the_reward_decides_who_is_saved(env_id: str, tmp_path: Path) -> None:
    """The tuned settings as they are: every scenario's people under "human", none under "assigned"."""
    saved = {}
    for reward in ("human", "assigned"):
        trained = quietly(plan_training(env_id, "maskable-ppo", reward=reward), tmp_path / reward)
        assert trained.card is not None
        saved[reward] = sum(ending.label is Label.HUMAN for ending in trained.card.endings) / len(trained.card.endings)
    assert saved["human"] >= 0.95
    assert saved["assigned"] <= 0.05
