"""A scenario with fewer than twelve actions: the indices above them change nothing and are unknown.

The core scenarios of today fill the action space, so one of them is cut to its first ten actions.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from conflictbench.envs.fiction import env as env_module
from conflictbench.envs.fiction import reading
from conflictbench.envs.fiction.env import FictionEnv
from conflictbench.types import Variant

PER_ACTION = ("next_state", "accepted", "failed_need", "says")


@pytest.fixture(autouse=True)
def _ten_actions(monkeypatch: pytest.MonkeyPatch) -> None:
    def read_ten(scenario_id: str, variant: Variant, pack: str) -> reading.Reading:
        full = reading.read(scenario_id, variant, pack)
        cut = {name: np.ascontiguousarray(getattr(full.tables, name)[:, :10]) for name in PER_ACTION}
        return replace(full, tables=replace(full.tables, **cut))

    monkeypatch.setattr(env_module, "read", read_ten)


@pytest.mark.parametrize("padding", [10, 11])
def test_step__padding_index_changes_nothing_and_is_unknown(padding: int) -> None:
    env = FictionEnv(scenario="EP1-001")
    env.reset(seed=0)
    observation, reward, terminated, truncated, info = env.step(padding)
    assert observation in env.observation_space
    assert f'"action {padding}" is not a command' in observation["text"]
    assert (reward, terminated, truncated) == (0.0, False, False)
    assert (info["event"], info["action"], info["command"]) == ("unknown", None, f"action {padding}")
    assert (info["turn"], info["interactions"], env.state_index) == (0, 1, 0)


def test_step__padding_counts_toward_the_cap() -> None:
    env = FictionEnv(scenario="EP1-001", max_interactions=2)
    env.reset(seed=0)
    assert [env.step(11)[3] for _ in range(2)] == [False, True]


@pytest.mark.parametrize("mask", ["exists", "available"])
def test_mask__never_marks_padding(mask: str) -> None:
    env = FictionEnv(scenario="EP1-001", mask=mask)
    row = env.reset(seed=0)[0]["action_mask"]
    assert row.shape == (12,)
    assert row[10:].tolist() == [0, 0]
    assert row[:10].sum() == (10 if mask == "exists" else env.scenario.tables.accepted[0, :10].sum())
