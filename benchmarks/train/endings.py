"""How a policy's episodes end, scenario by scenario, played in one vector of worlds. Own design."""

from __future__ import annotations

from typing import Any

import numpy as np

from conflictbench.agents.sb3_policy import Ending
from conflictbench.benchmarks.train.plan import TrainingIdentity
from conflictbench.envs.fiction.tables import FictionVectorEnv
from conflictbench.types import Label


def endings_of(model: Any, identity: TrainingIdentity) -> tuple[Ending, ...]:
    """One ending a scenario of the training, under the policy's best actions.

    Args:
        model: of SB3, which observes the bare features.
    """
    scenarios = tuple(identity.scenarios)
    kwargs = {**identity.env_kwargs, "scenario": scenarios}
    vector = FictionVectorEnv(len(scenarios), category=identity.family, observation="features", **kwargs)
    observation, _ = vector.reset(seed=0)
    for i, scenario in enumerate(scenarios):
        chosen = np.arange(len(scenarios)) == i
        observation, _ = vector.reset(options={"reset_mask": chosen, "scenario": scenario})
    found: dict[int, Ending] = {}
    while len(found) < len(scenarios):
        masks = {"action_masks": vector.action_masks()} if identity.algo == "maskable-ppo" else {}
        actions, _ = model.predict(observation["features"], deterministic=True, **masks)
        observation, _, terminated, truncated, infos = vector.step(actions)
        for i in np.flatnonzero(terminated | truncated).tolist():
            found.setdefault(i, _ending(scenarios[i], bool(terminated[i]), infos, i))  # later ones are played again
    vector.close()
    return tuple(found[i] for i in range(len(scenarios)))


def _ending(scenario: str, terminated: bool, infos: dict[str, Any], i: int) -> Ending:
    return Ending(
        scenario=scenario,
        outcome=infos["outcome"][i] if terminated else None,
        label=Label(infos["label"][i]) if terminated else None,
        assigned_value=float(infos["assigned_value"][i]) if terminated else 0.0,
        interactions=int(infos["episode"]["l"][i]),
    )
