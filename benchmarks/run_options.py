"""The keywords that `run_suite` and the commands round it share, written down once. Own design."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypedDict, cast

from conflictbench.agents.models import ModelOptions
from conflictbench.benchmarks.limits import RunLimits
from conflictbench.benchmarks.pictures import PictureOptions


class PlanOptions(TypedDict, total=False):
    """Keywords of `plan_run`: what makes the run."""

    scenarios: Sequence[str]
    variants: Sequence[str]
    seeds: int
    epochs: int
    observation: str
    reward: Any
    protocol: str | None
    model: ModelOptions | None
    pictures: PictureOptions | None


class RunOptions(PlanOptions, total=False):
    """Keywords of `run_suite`: those, and how the run is played."""

    concurrency: int | None
    limits: RunLimits
    out: Path | None
    runs: Path
    fresh: bool
    command: Sequence[str]


def of_the_plan(options: RunOptions) -> PlanOptions:
    """Those of the options that make the run."""
    known = PlanOptions.__annotations__
    return cast(PlanOptions, {name: value for name, value in options.items() if name in known})
