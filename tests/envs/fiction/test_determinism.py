"""The same seed is the same episode in another process, whatever its hash seed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SCRIPT = """
import gymnasium as gym, conflictbench
from conflictbench.scenario_specs import scenario_ids
from tests.contract.env_contract import rollout_digest
for scenario in scenario_ids():
    for observation in ("text", "features"):
        for variant in ("conflict", "control"):
            env = gym.make(f"ConflictBench/{scenario[:3]}-v0", scenario=scenario, observation=observation,
                           variant=variant, privileged=("state", "best_action_human"))
            print(scenario, observation, variant, rollout_digest(env, seed=17, episodes=4))
"""


def _run(hash_seed: str) -> str:
    root = Path(__file__).parents[3]
    path = os.pathsep.join(filter(None, [str(root), os.environ.get("PYTHONPATH"), *sys.path]))
    env = os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": path}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], env=env, cwd=root, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_rollouts__agree_between_processes_with_different_hash_seeds() -> None:
    first, second = _run("1"), _run("2")
    assert first == second
    lines = first.splitlines()
    assert len(lines) >= 12  # three scenarios or more, two observations, two variants
    assert len({line.split()[-1] for line in lines}) == len(lines)
