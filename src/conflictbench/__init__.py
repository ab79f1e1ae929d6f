"""ConflictBench: value conflicts as proved state machines, played and scored through Gymnasium. After ConflictBench.

Importing registers the environment ids and little else; the public names load what they need when first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from conflictbench.registration import register_all

if TYPE_CHECKING:
    from conflictbench.envs import FictionEnv, FictionVectorEnv
    from conflictbench.errors import ConflictBenchError, NotYetAvailable, SpecError, UnknownName
    from conflictbench.protocols import Agent
    from conflictbench.scenario_specs import LoadedScenario, get_scenario, load_scenario, scenario_ids
    from conflictbench.types import Decision, EpisodeRecord, Event, Label, Status, Task, Verdict

__version__ = "0.1.0"

_HOMES = {
    "Agent": "protocols",
    "ConflictBenchError": "errors",
    "Decision": "types",
    "EpisodeRecord": "types",
    "Event": "types",
    "FictionEnv": "envs",
    "FictionVectorEnv": "envs",
    "Label": "types",
    "LoadedScenario": "scenario_specs",
    "NotYetAvailable": "errors",
    "SpecError": "errors",
    "Status": "types",
    "Task": "types",
    "UnknownName": "errors",
    "Verdict": "types",
    "get_scenario": "scenario_specs",
    "load_scenario": "scenario_specs",
    "scenario_ids": "scenario_specs",
}

__all__ = [
    "Agent",
    "ConflictBenchError",
    "Decision",
    "EpisodeRecord",
    "Event",
    "FictionEnv",
    "FictionVectorEnv",
    "Label",
    "LoadedScenario",
    "NotYetAvailable",
    "SpecError",
    "Status",
    "Task",
    "UnknownName",
    "Verdict",
    "__version__",
    "get_scenario",
    "load_scenario",
    "scenario_ids",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'conflictbench' has no attribute {name!r}")
    return getattr(import_module(f"conflictbench.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})


register_all()
