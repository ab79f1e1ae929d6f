"""A block whose pictures show everything, and how the lint finds it after a change. Own design."""

from __future__ import annotations

from typing import Any

from tests.envs.visual.scenes import block_data, scene, zone

from conflictbench.envs.visual.clip import Geometry
from conflictbench.envs.visual.lint.lint import lint_scene
from conflictbench.errors import Fault

HALF = Geometry(416, 240)  # thresholds are in pixels of the standard size, whatever the size that is drawn


def good_block() -> dict[str, Any]:
    """The small scenario's block, its clinic's door moved away from the picture's edge."""
    block = block_data()
    zone(block, "hill")["rect"] = [8.4, 2.6, 12.0, 6.4]
    return block


def faults_of(block: dict[str, Any]) -> list[Fault]:
    """Everything that cannot be seen of a block."""
    return lint_scene(scene(block, geometry=HALF))


def messages_at(block: dict[str, Any], key: str) -> list[str]:
    """What is found at a key."""
    return [each.message for each in faults_of(block) if each.key == key]


def fault_at(block: dict[str, Any], key: str) -> Fault:
    """The one finding at a key."""
    (fault,) = [each for each in faults_of(block) if each.key == key]
    return fault
