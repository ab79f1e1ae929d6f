"""Plain Stable-Baselines3 on `gym.make`: learn to save the people of EP1, then look at what was learnt.

    python docs/examples/train_ppo.py [STEPS [FOLDER]]

A minute for the default of 100,000 steps. Writes `ppo.zip`, and `ppo.json` that says what it is, so that

    conflictbench run --suite ep1 --agent sb3:ppo.zip --observation features

evaluates it like any other agent.
"""

from __future__ import annotations

import sys
from pathlib import Path

import gymnasium as gym
import torch
from stable_baselines3 import PPO
from stable_baselines3.common.monitor import Monitor

import conflictbench

gym.register_envs(conflictbench)
torch.set_num_threads(1)  # so small a network is faster with one
steps = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
folder = Path(sys.argv[2]) if len(sys.argv) > 2 else Path()

env = Monitor(gym.make("ConflictBench/EP1-v0", observation="features", reward="human"))
model = PPO(
    "MultiInputPolicy",
    env,
    n_steps=1024,
    batch_size=256,
    n_epochs=8,
    learning_rate=1e-3,
    gamma=0.95,
    ent_coef=0.01,
    seed=0,
    device="cpu",
)
model.learn(steps)
model.save(folder / "ppo.zip")
(folder / "ppo.json").write_text('{"algo": "ppo"}\n')

env = gym.make("ConflictBench/EP1-v0", observation="features")
observation, info = env.reset(seed=0)
ended = False
print(info["scenario"])
while not ended:
    action, _ = model.predict(observation, deterministic=True)
    observation, reward, terminated, truncated, info = env.step(action)
    ended = terminated or truncated
    print(f"  {info['command']}: {info['event']}")
print(info.get("label", "no ending"))
