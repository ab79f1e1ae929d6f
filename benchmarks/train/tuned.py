"""The tuned settings of each family and algorithm, read from `settings/*.yaml`. Own design, after rl-zoo3's files."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, Field

from conflictbench.agents.sb3_policy import ALGORITHMS, Algo
from conflictbench.errors import UnknownName
from conflictbench.types import CATEGORIES

LINEAR = "lin_"


class AlgoSettings(BaseModel):
    """Of one algorithm: `n_envs` worlds, and every other key an argument of its class."""

    model_config = ConfigDict(frozen=True, extra="allow")

    n_envs: int = Field(ge=1)

    def arguments(self) -> dict[str, Any]:
        """Keyword arguments of the algorithm's class, as they stand in the file."""
        return dict(self.model_extra or {})


class FamilySettings(BaseModel):
    """Of one family."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    steps: int = Field(ge=1)  # of the env, where nobody says how many
    ppo: AlgoSettings
    maskable_ppo: AlgoSettings = Field(alias="maskable-ppo")
    dqn: AlgoSettings

    def of(self, algo: Algo) -> AlgoSettings:
        """Those of one algorithm."""
        found: AlgoSettings = getattr(self, algo.replace("-", "_"))
        return found


@cache
def family_settings(family: str) -> FamilySettings:
    """The settings of a family.

    Raises:
        UnknownName: there is no such family.
    """
    if family not in CATEGORIES:
        raise UnknownName("family", family, CATEGORIES)
    text = files("conflictbench.benchmarks.train").joinpath("settings", f"{family}.yaml").read_text("utf-8")
    return FamilySettings.model_validate(yaml.safe_load(text))


def algo_called(name: str) -> Algo:
    """The algorithm of that name. Raises UnknownName."""
    for algo in ALGORITHMS:
        if algo == name:
            return algo
    raise UnknownName("algo", name, ALGORITHMS)


def with_schedules(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments of a class of SB3, each "lin_x" as the schedule it stands for."""
    from stable_baselines3.common.utils import LinearSchedule

    return {
        name: LinearSchedule(float(value.removeprefix(LINEAR)), 0.0, 1.0)
        if isinstance(value, str) and value.startswith(LINEAR)
        else value
        for name, value in arguments.items()
    }
