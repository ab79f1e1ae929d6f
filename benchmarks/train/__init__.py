"""Training policies on fiction worlds with Stable-Baselines3: `conflictbench train`. Own design.

Nothing here loads torch or Stable-Baselines3 before somebody trains.
"""

from conflictbench.benchmarks.train.course import Trained, train
from conflictbench.benchmarks.train.plan import plan_training

__all__ = ["Trained", "plan_training", "train"]
