"""Stable-Baselines3 over our VecEnv beside its own DummyVecEnv: bare steps, and PPO from end to end. Own design.

    python -m conflictbench.benchmarks.perf.sb3

Env steps a CPU second, one thread of torch. Both sides observe the bare features of the same worlds; on the side of
DummyVecEnv they are made by `gym.make`. The goals are held against worlds without the `Monitor` that SB3's own
`make_vec_env` puts round each; with it, as most people train, is printed beside. PPO has SB3's own network, rollouts
of 32 steps, four epochs of four batches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from time import process_time
from typing import Any

import gymnasium as gym
import numpy as np

import conflictbench
from conflictbench.benchmarks.perf.interleaved import Goal, Measured, measure
from conflictbench.envs.fiction.spaces import N_ACTIONS
from conflictbench.wrappers import FeatureObservation

ENV_ID = "ConflictBench/EP1-v0"
SIZES = (8, 64, 256)
STEP_ROUNDS, PPO_ROUNDS = 7, 3
STEPS = 200  # of the vector, a round
ROLLOUT, ROLLOUTS = 32, 4
OURS, THEIRS, MONITORED = "SB3VecEnv", "DummyVecEnv", "DummyVecEnv of Monitors"
STEP_GOALS = (Goal(case=f"{OURS} 64", anchor=f"{THEIRS} 64", ratio=12, at_most=False),)
PPO_GOALS = (
    Goal(case=f"PPO, {OURS} 64", anchor=f"PPO, {THEIRS} 64", ratio=1.4, at_most=False),
    Goal(case=f"PPO, {OURS} 256", anchor=f"PPO, {THEIRS} 256", ratio=1.7, at_most=False),
)


def ours(n: int) -> Any:
    """Worlds in tables."""
    from conflictbench.wrappers.sb3_vec_env import make_sb3_vec_env

    return make_sb3_vec_env(ENV_ID, n)


def theirs(n: int, *, monitored: bool = False) -> Any:
    """The same worlds, one by one."""
    from stable_baselines3.common.monitor import Monitor
    from stable_baselines3.common.vec_env import DummyVecEnv

    def make() -> gym.Env[Any, Any]:
        env = FeatureObservation(gym.make(ENV_ID, observation="features"), flat=True)
        return Monitor(env) if monitored else env

    return DummyVecEnv([make] * n)


def stepping(env: Any, steps: int = STEPS) -> Callable[[], float]:
    """A case: steps of all worlds a CPU second, under random actions drawn beforehand."""
    actions = np.random.default_rng(0).integers(N_ACTIONS, size=(steps, env.num_envs))
    env.seed(0)
    env.reset()

    def case() -> float:
        start = process_time()
        for one in actions:
            env.step(one)
        return actions.size / (process_time() - start)

    return case


def learning(env: Any, rollouts: int = ROLLOUTS) -> Callable[[], float]:
    """A case: steps a CPU second of PPO learning, its own share included."""
    from stable_baselines3 import PPO

    rollout: int = ROLLOUT * env.num_envs
    model = PPO("MlpPolicy", env, n_steps=ROLLOUT, batch_size=rollout // 4, n_epochs=4, seed=0, device="cpu")

    def case() -> float:
        start = process_time()
        model.learn(rollouts * rollout)
        return rollouts * rollout / (process_time() - start)

    return case


def measured() -> Iterator[Measured]:
    """Bare steps, then PPO."""
    import torch

    gym.register_envs(conflictbench)
    torch.set_num_threads(1)
    sides: dict[str, Callable[[int], Any]] = {OURS: ours, THEIRS: theirs, MONITORED: partial(theirs, monitored=True)}
    steps = {f"{name} {n}": stepping(make(n)) for n in SIZES for name, make in sides.items()}
    yield Measured(title="bare steps", figures=measure(steps, STEP_ROUNDS), unit="steps/s", goals=STEP_GOALS)
    learns = {f"PPO, {name} {n}": learning(make(n)) for n in SIZES[1:] for name, make in sides.items()}
    yield Measured(title="PPO", figures=measure(learns, PPO_ROUNDS), unit="steps/s", goals=PPO_GOALS)


def main() -> None:
    """Print the two tables."""
    for one in measured():
        print(one.text())


if __name__ == "__main__":
    main()
