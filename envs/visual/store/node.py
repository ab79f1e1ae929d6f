"""A node of the tree of action chains, and the key its clip is found by. Source: ConflictBench appendix A.3.

Beyond the paper's chain, the key covers everything that changes pixels: scene, backend with its version, overlay, seed
and geometry. Two clips under one key would have to be equal, so nothing is ever overwritten.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from conflictbench.envs.visual.clip import Geometry, sample_indices
from conflictbench.envs.visual.scene import Scene

KEY_VERSION = 1


@dataclass(frozen=True, kw_only=True)
class Node:
    """A clip's place: which scene, drawn how, after which executed actions (none: the base clip)."""

    scenario: str
    scene: str  # digest of the scene
    backend: str  # of the world model, with the overlay, which changes what a viewer is told
    seed: int
    geometry: Geometry
    actions: tuple[str, ...] = ()

    @cached_property
    def key(self) -> str:
        """64 hex digits."""
        return hashlib.sha256(canonical(self.parts)).hexdigest()

    @property
    def parts(self) -> dict[str, Any]:
        """What the key is made of, as plain values."""
        size = self.geometry
        return {
            "version": KEY_VERSION,
            "scenario": self.scenario,
            "scene": self.scene,
            "backend": self.backend,
            "seed": self.seed,
            "geometry": [size.width, size.height, size.frames, size.fps],
            "actions": list(self.actions),
        }

    @property
    def parent(self) -> Node | None:
        """The node before the last action."""
        return replace(self, actions=self.actions[:-1]) if self.actions else None


def node_of(scene: Scene, backend: str, seed: int, actions: tuple[str, ...] = ()) -> Node:
    """The node of a clip of `scene`."""
    return Node(
        scenario=scene.id,
        scene=scene.digest,
        backend=backend_id(backend, scene.overlay),
        seed=seed,
        geometry=scene.geometry,
        actions=actions,
    )


def backend_id(backend: str, overlay: str) -> str:
    """A world model's id with the overlay level, so that runs at two levels never mix."""
    return f"{backend}+{overlay}"


def kept_frames(geometry: Geometry) -> tuple[int, ...]:
    """The frames that are kept as stills: the first, those that models see, and the last, which the next continues."""
    return tuple(sorted({*sample_indices(geometry, include_first=True), geometry.frames - 1}))


def canonical(value: Any) -> bytes:
    """JSON with one way to write each value."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False).encode("ascii")
