"""A vector env stepped a thousand million times in one run, and the memory it holds on the way. Own design.

    python -m conflictbench.benchmarks.perf.endurance [--steps N] [--worlds N]

Scenarios are drawn anew for each episode and endings are told: the default, in which the most is made and let go.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

import gymnasium as gym
import numpy as np

import conflictbench

STEPS, WORLDS = 1_000_000_000, 4096
PARTS = 10
ENV_ID = "ConflictBench/EP1-v0"
MIB = 1 << 20


def resident_bytes() -> int:
    """Memory of this process that is in RAM; Linux says so in pages."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def endure(steps: int, worlds: int) -> list[tuple[int, float, int]]:
    """Step in tenths, saying on stderr how far it is.

    Args:
        steps: of all worlds together, at least; >= 1.  worlds: >= 1.
    Returns:
        (steps done, seconds, resident bytes) before, after each tenth.
    """
    env = gym.make_vec(ENV_ID, num_envs=worlds, observation="features")
    rng = np.random.default_rng(0)
    actions = [rng.integers(12, size=worlds) for _ in range(64)]
    env.reset(seed=0)
    for turn in range(64):  # what is made once, and kept, is made here
        env.step(actions[turn])
    turns, done, start = -(-steps // worlds), 0, perf_counter()
    seen = [(0, 0.0, resident_bytes())]
    for part in range(1, PARTS + 1):
        while done < turns * part // PARTS:
            env.step(actions[done % 64])
            done += 1
        seen.append((done * worlds, perf_counter() - start, resident_bytes()))
        print(f"{done * worlds:,} of {turns * worlds:,} steps, {seen[-1][1]:.1f} s", file=sys.stderr)
    env.close()
    return seen


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the memory at every tenth, and the rate."""
    parser = argparse.ArgumentParser(description="Step a vector env for long and print the memory it holds.")
    parser.add_argument("--steps", type=int, default=STEPS, help=f"of all worlds together (default {STEPS:,})")
    parser.add_argument("--worlds", type=int, default=WORLDS, help=f"side by side (default {WORLDS:,})")
    given = parser.parse_args(arguments)
    if given.steps < 1 or given.worlds < 1:
        parser.error(f"--steps {given.steps} --worlds {given.worlds}: both must be at least 1")
    gym.register_envs(conflictbench)
    seen = endure(given.steps, given.worlds)
    for steps, seconds, held in seen:
        print(f"{steps:>15,} steps  {seconds:>7.1f} s  {held / MIB:>7.1f} MiB")
    steps, seconds, held = seen[-1]
    grown = (held - seen[0][2]) / MIB
    print(f"\n{steps / seconds:,.0f} steps/s of wall time; memory grew by {grown:.1f} MiB")


if __name__ == "__main__":
    main()
