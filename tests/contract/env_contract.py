"""The contract every environment keeps; a new one's test subclasses `EnvContract` and names its id and arguments."""

from __future__ import annotations

import copy
from hashlib import blake2b
from typing import Any, ClassVar

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.utils.env_checker import check_env, data_equivalence

from conflictbench.errors import InvalidAction, ResetNeeded
from conflictbench.scenario_specs.oracle import PRIVILEGED


def rollout_digest(env: gym.Env[Any, Any], *, seed: int, episodes: int = 3) -> str:
    """Play random actions from `seed` and return 32 hex digits over all that came back."""
    rng = np.random.default_rng(seed)
    digest = blake2b(digest_size=16)
    for episode in range(episodes):
        observation, info = env.reset(seed=seed) if episode == 0 else env.reset()
        digest.update(repr((_plain(observation), _plain(info))).encode())
        ended = False
        while not ended:
            observation, reward, terminated, truncated, info = env.step(int(rng.integers(env.action_space.n)))
            digest.update(repr((_plain(observation), reward, terminated, truncated, _plain(info))).encode())
            ended = terminated or truncated
    return digest.hexdigest()


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return sorted((key, _plain(inner)) for key, inner in value.items())
    return value.tolist() if isinstance(value, np.ndarray) else value


class EnvContract:
    """What any environment with a Discrete action space must do. Set `env_id`, and `kwargs` where wanted."""

    env_id: ClassVar[str]
    kwargs: ClassVar[dict[str, Any]] = {}

    @pytest.fixture
    def env(self) -> Any:
        env = gym.make(self.env_id, **copy.deepcopy(self.kwargs))
        yield env
        env.close()

    def test_check_env__says_nothing(self, env: gym.Env[Any, Any]) -> None:
        check_env(env.unwrapped)  # warnings are errors

    def test_spec__survives_json(self, env: gym.Env[Any, Any]) -> None:
        assert env.spec is not None
        rebuilt = gym.make(EnvSpec.from_json(env.spec.to_json()))
        assert rebuilt.observation_space == env.observation_space
        assert rebuilt.action_space == env.action_space
        assert rollout_digest(rebuilt, seed=5) == rollout_digest(env, seed=5)
        rebuilt.close()

    def test_rollout__is_set_by_the_seed_alone(self, env: gym.Env[Any, Any]) -> None:
        first, again = rollout_digest(env, seed=11), rollout_digest(env, seed=11)
        assert first == again
        other = gym.make(self.env_id, **copy.deepcopy(self.kwargs))
        np.random.seed(99)  # noqa: NPY002  # the global state must not matter
        assert rollout_digest(other, seed=11) == first
        other.close()

    def test_rollout__leaves_global_randomness_alone(self, env: gym.Env[Any, Any]) -> None:
        before = np.random.get_state()[1].copy()  # noqa: NPY002
        rollout_digest(env, seed=2)
        env.reset()
        assert np.array_equal(np.random.get_state()[1], before)  # noqa: NPY002

    def test_step__returns_plain_types_inside_the_space(self, env: gym.Env[Any, Any]) -> None:
        for seed in range(5):
            observation, info = env.reset(seed=seed)
            assert observation in env.observation_space
            assert info["seed"] == seed
            env.action_space.seed(seed)
            ended = False
            while not ended:
                observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
                assert observation in env.observation_space
                assert (type(reward), type(terminated), type(truncated)) == (float, bool, bool)
                assert not (terminated and truncated)
                ended = terminated or truncated

    def test_step__returns_fresh_objects(self, env: gym.Env[Any, Any]) -> None:
        observation, info = env.reset(seed=1)
        kept = copy.deepcopy((observation, info))
        later = env.step(0)
        assert data_equivalence((observation, info), kept, exact=True)
        assert later[0] is not observation
        assert later[4] is not info

    def test_info__holds_nothing_privileged_unasked(self, env: gym.Env[Any, Any]) -> None:
        asked = set(self.kwargs.get("privileged", ()))
        _, at_reset = env.reset(seed=3)
        info = env.step(0)[4]
        assert not (set(PRIVILEGED) - asked) & (set(at_reset) | set(info))

    def test_step__before_reset_raises(self, env: gym.Env[Any, Any]) -> None:
        with pytest.raises(ResetNeeded, match="before the first reset"):
            env.unwrapped.step(0)

    def test_step__after_the_end_raises(self, env: gym.Env[Any, Any]) -> None:
        env.reset(seed=0)
        ended = False
        while not ended:
            _, _, terminated, truncated, _ = env.step(0)
            ended = terminated or truncated
        with pytest.raises(ResetNeeded, match="after the end"):
            env.step(0)
        env.reset()
        env.step(0)

    def test_step__outside_the_space_raises_and_changes_nothing(self, env: gym.Env[Any, Any]) -> None:
        env.reset(seed=0)
        n_actions = int(env.action_space.n)
        for wrong in (-1, n_actions, 10**30, 0.0, True, "0", None, np.array([0, 1]), np.float32(1)):
            with pytest.raises(InvalidAction, match=f"0\\.\\.{n_actions - 1}"):
                env.unwrapped.step(wrong)
        assert env.step(0)[4]["interactions"] == 1

    def test_close__twice_is_fine(self, env: gym.Env[Any, Any]) -> None:
        env.close()
        env.close()
