"""The lint of one scenario: everything that its pictures are to tell and that cannot be seen. Source: visual.md 3.4."""

from __future__ import annotations

from conflictbench.envs.visual.lint.acted import action_faults
from conflictbench.envs.visual.lint.bench import Bench
from conflictbench.envs.visual.lint.cases import cases
from conflictbench.envs.visual.lint.mood import mood_faults
from conflictbench.envs.visual.lint.seen import entity_faults, zone_faults
from conflictbench.envs.visual.scene import Scene
from conflictbench.errors import Fault


def lint_scene(scene: Scene) -> list[Fault]:
    """What cannot be seen of a scene; no file or line in it yet.

    Raises:
        ModuleNotFoundError: the extra `visual` is not installed.
    """
    bench = Bench(scene)
    chosen = list(cases(scene))
    found = [*entity_faults(bench, chosen), *zone_faults(bench), *mood_faults(bench)]
    for case in chosen:
        found += action_faults(bench, case)
    return found
