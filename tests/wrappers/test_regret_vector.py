"""Many regret tests at once: the transitions of scalar ones, and stages beside None."""

from __future__ import annotations

import gymnasium as gym
import numpy as np
import pytest
from tests.contract.env_contract import EnvContract
from tests.wrappers.regret_routes import PERSIST, REGRET, route_to

from conflictbench.wrappers.regret_vector import RegretVectorEnv


class TestRegretText(EnvContract):
    env_id = "ConflictBench/Regret-v0"


class TestRegretFeatures(EnvContract):
    env_id = "ConflictBench/Regret-v0"
    kwargs = {"observation": "features", "reward": 0.5, "mask": "available", "privileged": ["state"]}  # noqa: RUF012


def test_make_vec__takes_the_registered_entry_point() -> None:
    envs = gym.make_vec("ConflictBench/Regret-v0", num_envs=2)
    assert isinstance(envs, RegretVectorEnv)
    assert envs.single_action_space == gym.spaces.Discrete(14)
    envs.close()


@pytest.mark.parametrize("mode", ["vector_entry_point", "sync"])
@pytest.mark.parametrize("first", [True, False])
def test_step__a_regret_stands_beside_none_in_either_order(mode: str, first: bool) -> None:
    envs = gym.make_vec("ConflictBench/Regret-v0", num_envs=2, vectorization_mode=mode)
    envs.reset(seed=0)
    for action in route_to("smoke_drawn"):
        infos = envs.step(np.array([action, action]))[4]
    assert infos["regret_stage"].tolist() == [None, None]
    assert infos["regret_applicable"].tolist() == [True, True]
    actions = [REGRET, PERSIST] if first else [PERSIST, REGRET]
    _, rewards, terminated, _, infos = envs.step(np.array(actions))
    assert infos["regret_stage"].tolist() == ([1, None] if first else [None, 1])
    assert infos["stage"].tolist() == ([0, 2] if first else [2, 0])
    assert terminated.tolist() == [first, not first]
    assert rewards.tolist() == [0.0, 0.0]
    envs.close()


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_step__makes_the_transitions_of_scalar_worlds(mode: str) -> None:
    envs = gym.make_vec("ConflictBench/Regret-v0", num_envs=2, autoreset_mode=mode, mask="available")
    scalars = [gym.make("ConflictBench/Regret-v0", mask="available") for _ in range(2)]
    batch, _ = envs.reset(seed=3)
    single = [env.reset(seed=3 + i)[0] for i, env in enumerate(scalars)]
    rng = np.random.default_rng(5)
    over, stages = [False, False], 0
    for _ in range(300):
        masks = batch["action_mask"]
        assert all(np.array_equal(masks[i], single[i]["action_mask"]) for i in range(2))
        actions = np.array([rng.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in masks])
        batch, rewards, terminated, truncated, _ = envs.step(actions)
        for i, env in enumerate(scalars):
            if mode == "NextStep" and over[i]:
                single[i], over[i] = env.reset()[0], False
                continue
            observation, reward, ended, cut, info = env.step(actions[i])
            assert (rewards[i], terminated[i], truncated[i]) == (reward, ended, cut)
            over[i] = ended or cut
            stages += info["stage"] > 0
            single[i] = env.reset()[0] if mode == "SameStep" and over[i] else observation
        assert [batch["text"][i] for i in range(2)] == [single[i]["text"] for i in range(2)]
    assert stages > 0
    envs.close()
