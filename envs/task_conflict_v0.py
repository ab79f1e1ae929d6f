"""The two-party game as PettingZoo has it: `parallel_env`, `env` and `raw_env`. Own design (docs/two-party.md).

    from conflictbench.envs import task_conflict_v0
    env = task_conflict_v0.parallel_env(scenario="EP2-001", talk="signal")

Importing this module imports PettingZoo and puts "task_conflict-v0" into its registries, where it has them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conflictbench.errors import NotYetAvailable
from conflictbench.extras import how_to_install_alone

try:
    import pettingzoo
except ModuleNotFoundError as error:
    if error.name != "pettingzoo":
        raise
    raise NotYetAvailable("task_conflict_v0", f"pettingzoo: {how_to_install_alone('pettingzoo')}") from None

from conflictbench.envs.task_conflict.config import AGENTS
from conflictbench.envs.task_conflict.env import TaskConflictEnv

if TYPE_CHECKING:
    from pettingzoo import AECEnv

ENV_ID = "task_conflict-v0"

__all__ = ["AGENTS", "ENV_ID", "TaskConflictEnv", "env", "parallel_env", "raw_env"]


def parallel_env(scenario: Any = None, **kwargs: Any) -> TaskConflictEnv:
    """Both parties act at once; arguments, actions and observations as `TaskConflictEnv`."""
    return TaskConflictEnv(scenario, **kwargs)


def raw_env(scenario: Any = None, **kwargs: Any) -> AECEnv:
    """The parties act one behind the other, and neither sees what the other chose before both have."""
    from conflictbench.envs.task_conflict.aec import TaskConflictAEC

    return TaskConflictAEC(parallel_env(scenario, **kwargs))


def env(scenario: Any = None, **kwargs: Any) -> AECEnv:
    """`raw_env` with PettingZoo's checks: an action outside the space is an AssertionError, and so is a wrong order."""
    from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper

    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(raw_env(scenario, **kwargs)))


def _register() -> None:
    """Enter the registries of PettingZoo 1.27 and later, once."""
    if not hasattr(pettingzoo, "register"):
        return
    registries = {"parallel": pettingzoo.parallel_registry, "aec": pettingzoo.aec_registry}
    for kind, function in (("parallel", "parallel_env"), ("aec", "env")):
        if ENV_ID not in registries[kind]:
            pettingzoo.register(kind, ENV_ID, entry_point=f"{__name__}:{function}")


_register()
