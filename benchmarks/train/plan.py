"""What a training is: the facts that make two commands the same training, checked before anything is written.

Own design, as `benchmarks.plan` for runs.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from re import sub
from typing import Any

from pydantic import BaseModel, ConfigDict

from conflictbench.agents.sb3_policy import Algo
from conflictbench.benchmarks.manifest import digest
from conflictbench.benchmarks.train.tuned import algo_called, family_settings
from conflictbench.envs.fiction.families import FAMILIES
from conflictbench.envs.fiction.reward import parse_reward
from conflictbench.errors import InvalidValue, UnknownName
from conflictbench.scenario_specs import get_scenario, scenario_ids

MOST_SEED = 2**31  # torch and NumPy take 32 bits, and seeds of later parts of a training are derived from it


class TrainingIdentity(BaseModel):
    """Two commands with equal identities are one training."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    env_id: str
    env_kwargs: dict[str, Any]  # arguments of `gym.make`, but the observation is a policy's own affair
    scenarios: dict[str, str]  # id -> digest of its file's content
    algo: Algo
    settings: dict[str, Any]  # of the algorithm, `n_envs` among them
    steps: int  # of the env; SB3 ends with the first whole rollout that reaches them
    seed: int

    @property
    def family(self) -> str:
        """EP1, EP2 or EP3."""
        return FAMILIES[self.env_id]

    def directory_name(self) -> str:
        """`train-<family>-<algo>-<reward>-<seed>-<8 hex>`, safe as one path component."""
        reward = sub(r"[^a-z0-9.]+", "-", json.dumps(self.env_kwargs["reward"])).strip("-")
        return f"train-{self.family}-{self.algo}-{reward}-seed{self.seed}-{digest(self.model_dump(mode='json'), 4)}"


def plan_training(
    env_id: str,
    algo: str,
    *,
    reward: Any = "human",
    scenarios: Sequence[str] = (),
    steps: int | None = None,
    seed: int = 0,
) -> TrainingIdentity:
    """What a training would be. Nothing is written, and nothing of SB3 is loaded.

    Args:
        env_id: `ConflictBench/EP1-v0`, `EP2-v0` or `EP3-v0`.
        algo: "dqn", "maskable-ppo" or "ppo".
        reward: as `gym.make(..., reward=...)`.
        scenarios: ids of the family, in any case and order; none for all.
        steps: of the env; None for those of the family's settings.
        seed: of worlds, weights and choices.
    Raises:
        UnknownName, InvalidValue: a value is not valid; the message says what is.
    """
    if env_id not in FAMILIES:
        raise UnknownName("env to train on", env_id, FAMILIES)
    family, known = FAMILIES[env_id], algo_called(algo)
    settings = family_settings(family)
    parse_reward(reward)
    asked = settings.steps if steps is None else steps
    if type(asked) is not int or asked < 1:
        raise InvalidValue(f"steps {asked!r} must be a whole number >= 1")
    if type(seed) is not int or not 0 <= seed < MOST_SEED:
        raise InvalidValue(f"seed {seed!r} must be a whole number from 0 to {MOST_SEED - 1}")
    chosen = _scenarios(family, scenarios)
    return TrainingIdentity(
        env_id=env_id,
        env_kwargs={"mask": "exists", "reward": reward, **({"scenario": list(chosen)} if scenarios else {})},
        scenarios={scenario: get_scenario(scenario).digest for scenario in chosen},
        algo=known,
        settings=settings.of(known).model_dump(),
        steps=asked,
        seed=seed,
    )


def differences(there: Mapping[str, Any], here: Mapping[str, Any]) -> Iterator[str]:
    """Where two trainings differ, one string each: "steps 100 -> 200"; what is there stands first."""
    for name in sorted(there.keys() | here.keys()):
        old, new = there.get(name), here.get(name)
        if old == new:
            continue
        if isinstance(old, Mapping) and isinstance(new, Mapping):
            yield from (f"{name}: {one}" for one in differences(old, new))
        else:
            yield f"{name} {json.dumps(old)} -> {json.dumps(new)}"


def _scenarios(family: str, asked: Sequence[str]) -> tuple[str, ...]:
    """Sorted ids, all of the family where none is asked for."""
    ids = scenario_ids("core", family)
    named = {scenario.casefold(): scenario for scenario in ids}
    for one in asked:
        if one.casefold() not in named:
            raise UnknownName(f"scenario of {family}", one, ids)
    return tuple(sorted({named[one.casefold()] for one in asked})) if asked else tuple(sorted(ids))
