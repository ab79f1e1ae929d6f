"""`SB3VecEnv` is what SB3 expects of a VecEnv, and plays the very episodes of its DummyVecEnv."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

import conflictbench  # noqa: F401  registers the ids
from conflictbench.envs.fiction.tables import FictionVectorEnv
from conflictbench.errors import InvalidAction, InvalidValue, ResetNeeded, UnknownName

pytest.importorskip("stable_baselines3", reason="SB3 is in the extra rl")

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy as evaluate_masked
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3 import DQN, PPO
from stable_baselines3.common.evaluation import evaluate_policy
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import DummyVecEnv, VecMonitor, VecNormalize

from conflictbench.wrappers import FeatureObservation
from conflictbench.wrappers.sb3_vec_env import NO_NEWS, SB3VecEnv, make_sb3_vec_env

EP2 = "ConflictBench/EP2-v0"


def dummy(env_id: str, n: int, *, flat: bool, **kwargs: Any) -> DummyVecEnv:
    """What SB3 would step: monitored scalar worlds, the features alone where `flat`."""

    def make() -> gym.Env[Any, Any]:
        env = gym.make(env_id, observation="features", **kwargs)
        return Monitor(FeatureObservation(env, kwargs.get("features_dtype", "float32"), flat=True) if flat else env)

    return DummyVecEnv([make] * n)


def same(left: Any, right: Any) -> None:
    """Equal observations, types included."""
    if isinstance(left, dict):
        assert left.keys() == right.keys()
        for key in left:
            same(left[key], right[key])
    else:
        assert left.dtype == right.dtype
        assert np.array_equal(left, right)


@pytest.mark.parametrize(
    "flat, kwargs",
    [
        (True, {"reward": "human"}),
        (True, {"reward": 0.25, "features_dtype": "uint8"}),
        (False, {"reward": "assigned", "mask": "available"}),
        (False, {"reward": "human", "max_interactions": 3, "scenario": "EP2-001"}),
    ],
)
def test_step__is_that_of_dummy_vec_env(flat: bool, kwargs: dict[str, Any]) -> None:
    n = 5
    ours, theirs = make_sb3_vec_env(EP2, n, flat=flat, **kwargs), dummy(EP2, n, flat=flat, **kwargs)
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    assert ours.seed(7) == theirs.seed(7)
    same(ours.reset(), theirs.reset())
    assert ours.reset_infos == theirs.reset_infos
    rng = np.random.default_rng(0)
    endings = outcomes = 0
    for _ in range(150):
        assert np.array_equal(ours.env_method("action_masks"), theirs.env_method("action_masks"))
        assert ours.get_attr("text") == theirs.get_attr("text")
        actions = rng.integers(12, size=n)
        observation, rewards, dones, infos = ours.step(actions)
        their_observation, their_rewards, their_dones, their_infos = theirs.step(actions)
        same(observation, their_observation)
        same(rewards, their_rewards)
        same(dones, their_dones)
        for i in range(n):
            if not dones[i]:
                assert infos[i] is NO_NEWS
                continue
            endings += 1
            info, other = dict(infos[i]), their_infos[i]
            same(info.pop("terminal_observation"), other["terminal_observation"])
            assert {key: info["episode"][key] for key in "rl"} == {key: other["episode"][key] for key in "rl"}
            assert info.pop("episode")["t"] >= 0
            assert info == {key: other[key] for key in info}
            outcomes += "outcome" in info
            assert ("outcome" in info) == ("outcome" in other) == (not info["TimeLimit.truncated"])
    assert endings > 40  # of 750 steps, 14 an episode at most
    assert (outcomes > 0) == (kwargs.get("max_interactions") is None)  # three steps end nothing
    assert endings > outcomes  # truncated ones too
    ours.close()
    ours.close()
    theirs.close()


def test_reset__goes_on_with_the_draws_and_seeds_once() -> None:
    ours, theirs = make_sb3_vec_env(EP2, 3), dummy(EP2, 3, flat=True)
    ours.seed(1)
    theirs.seed(1)
    for _ in range(6):
        same(ours.reset(), theirs.reset())


def test_set_options__picks_the_scenario_once() -> None:
    env = make_sb3_vec_env(EP2, 2)
    env.seed(0)
    env.set_options({"scenario": "EP2-001"})
    env.reset()
    assert [info["scenario"] for info in env.reset_infos] == ["EP2-001", "EP2-001"]
    env.set_options([{"scenario": "EP2-001"}, {}])
    with pytest.raises(InvalidValue, match="differ between worlds"):
        env.reset()


def test_infos__the_shared_one_cannot_be_filled() -> None:
    env = make_sb3_vec_env(EP2, 2)
    env.reset()
    _, _, _, infos = env.step(np.zeros(2, np.int64))
    assert isinstance(infos[0], dict) and infos[0] is infos[1] and infos[0] == {}
    for fill in (
        lambda info: info.update(a=1),
        lambda info: info.__setitem__("a", 1),
        lambda info: info.setdefault("a", 1),
        lambda info: info.__ior__({"a": 1}),
    ):
        with pytest.raises(TypeError, match="share this info"):
            fill(infos[0])
    assert copy.deepcopy(infos[0]) == pickle.loads(pickle.dumps(infos[0])) == infos[0].copy() == {}


def test_infos__of_a_world_begun_anew_by_itself_are_not_those_of_its_last_reset() -> None:
    env = make_sb3_vec_env(EP2, 1, max_interactions=1)
    env.reset()
    assert env.reset_infos[0]["turn"] == 0
    env.step(np.zeros(1, np.int64))
    assert env.reset_infos == [{}]


def test_attributes__are_those_worlds_in_tables_have() -> None:
    env = make_sb3_vec_env(EP2, 3, mask="available")
    env.reset()
    assert env.get_attr("render_mode") == [None] * 3
    assert env.get_attr("state_index", indices=[0, 2]) == [0, 0]
    assert env.get_attr("text", indices=1) == [env.vector.texts()[1]]
    masks = env.action_masks()
    assert masks.dtype == np.bool_ and masks.shape == (3, 12)
    assert np.array_equal(env.get_attr("action_masks", 2)[0](), masks[2])
    assert np.array_equal(env.env_method("action_masks", indices=[1]), masks[[1]])
    assert env.env_is_wrapped(Monitor) == [True] * 3
    assert env.env_is_wrapped(gym.wrappers.TimeLimit, indices=0) == [False]
    assert not env.has_attr("command")
    with pytest.raises(AttributeError, match="'command'; they have action_masks, render_mode, state_index, text"):
        env.get_attr("command")
    with pytest.raises(AttributeError, match="no method 'render'"):
        env.env_method("render")
    with pytest.raises(AttributeError, match="'reward' cannot be set"):
        env.set_attr("reward", 1)


def test_step__without_a_reset_or_actions_is_refused() -> None:
    env = make_sb3_vec_env(EP2, 2)
    with pytest.raises(ResetNeeded, match="before the first reset"):
        env.step(np.zeros(2, np.int64))
    env.reset()
    with pytest.raises(ResetNeeded, match="call step_async"):
        env.step_wait()
    with pytest.raises(InvalidAction, match=r"\[12\]"):
        env.step(np.array([0, 12]))


def test_make__refuses_what_has_no_tables_or_no_numbers() -> None:
    with pytest.raises(UnknownName, match=r"'ConflictBench/Regret-v0'; known: ConflictBench/EP1-v0.*make_vec_env"):
        make_sb3_vec_env("ConflictBench/Regret-v0")
    with pytest.raises(InvalidValue, match=r"observation='text'.*use 'features'"):
        make_sb3_vec_env(EP2, observation="text")
    with pytest.raises(InvalidValue, match="autoreset_mode='NextStep', infos='ends': SB3 wants"):
        SB3VecEnv(FictionVectorEnv(2, category="EP2", observation="features"))
    with pytest.raises(InvalidValue, match="infos='all'"):
        SB3VecEnv(FictionVectorEnv(2, "SameStep", infos="all", category="EP2", observation="features"))


def test_vec_monitor__is_told_it_is_not_needed_and_says_the_same() -> None:
    env = make_sb3_vec_env(EP2, 4)
    with pytest.warns(UserWarning, match="already wrapped with a `Monitor`"):
        monitored = VecMonitor(env)
    monitored.reset()
    episodes = 0
    for _ in range(40):
        _, _, dones, infos = monitored.step(np.random.default_rng(episodes).integers(12, size=4))
        for i in np.flatnonzero(dones):
            episodes += 1
            assert infos[i]["episode"]["l"] <= 14
            assert infos[i]["terminal_observation"].shape == (32,)
    assert episodes >= 8  # 40 steps of 4 worlds, 14 an episode at most


def test_vec_normalize__takes_it() -> None:
    env = VecNormalize(make_sb3_vec_env(EP2, 4, reward="assigned"))
    observation = env.reset()
    assert observation.shape == (4, 32)
    for _ in range(30):
        observation, _, _, _ = env.step(np.arange(4))
    assert np.isfinite(observation).all()


@pytest.mark.parametrize("flat, policy", [(True, "MlpPolicy"), (False, "MultiInputPolicy")])
def test_ppo_and_dqn__learn_and_are_evaluated(flat: bool, policy: str) -> None:
    env = make_sb3_vec_env(EP2, 8, flat=flat)
    models = [
        PPO(policy, env, n_steps=16, batch_size=64, n_epochs=1, seed=0, device="cpu"),
        DQN(policy, env, buffer_size=400, learning_starts=64, batch_size=32, seed=0, device="cpu"),
    ]
    for model in models:
        model.learn(512)
        assert model.num_timesteps == 512
        assert {"r", "l", "t"} == set(model.ep_info_buffer[-1])  # found where `Monitor` puts it
        returns, lengths = evaluate_policy(model, env, n_eval_episodes=10, return_episode_rewards=True)
        assert len(returns) == 10 and set(returns) <= {0.0, 1.0} and max(lengths) <= 14


@pytest.mark.parametrize("flat, policy", [(True, "MlpPolicy"), (False, "MultiInputPolicy")])
def test_maskable_ppo__finds_the_masks_and_chooses_nothing_else(flat: bool, policy: str) -> None:
    env = make_sb3_vec_env(EP2, 8, flat=flat, mask="available")
    assert is_masking_supported(env)
    model = MaskablePPO(policy, env, n_steps=16, batch_size=64, n_epochs=1, seed=0, device="cpu")
    model.learn(256)
    evaluate_masked(model, env, n_eval_episodes=8)
    observation = env.reset()
    for _ in range(20):
        masks = get_action_masks(env)
        actions, _ = model.predict(observation, action_masks=masks)
        assert masks[np.arange(8), actions].all()
        before = env.get_attr("state_index")
        observation, _, dones, _ = env.step(actions)
        moved = np.array(env.get_attr("state_index")) != before
        assert (moved | dones).all()  # every one was accepted


def test_import__of_the_wrappers_loads_no_sb3() -> None:
    script = "import sys, conflictbench.wrappers; print('stable_baselines3' in sys.modules, 'torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "False False\n"
