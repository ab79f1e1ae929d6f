"""What the lint looks at: pictures of chosen moments, without grain, shake or print. Own design.

Two moments are compared at one time of the clock and one level of urgency, so that what differs between their pictures
is what the action or the state did, and not a lamp that blinks or a drone that bobs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from conflictbench.envs.visual.lint.cases import shown_by
from conflictbench.envs.visual.lint.layers import Layers, Mask
from conflictbench.envs.visual.procedural.compiling import Node
from conflictbench.envs.visual.procedural.director import Director
from conflictbench.envs.visual.procedural.glyph import Moment
from conflictbench.envs.visual.procedural.identity import overlay_mask
from conflictbench.envs.visual.procedural.motion import Plan
from conflictbench.envs.visual.procedural.timeline import STILL, TICKS, Beat
from conflictbench.envs.visual.scene import AnyTransition, Scene

STEP = 20  # of 255 in any channel: from here on a pixel counts as changed

Picture = NDArray[np.uint8]  # (h, w, 3)


@dataclass(frozen=True)
class Shot:
    """A moment to be looked at."""

    moments: Mapping[str, Moment]
    level: int


class Bench:
    """One scene, its director, and pictures of its moments."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.director = Director(scene, seed=0)
        self.stage = self.director.stage
        self.printed = overlay_mask(scene)
        self.nodes: dict[str, Node] = {node.id: node for node in self.stage.nodes}

    def during(self, transition: AnyTransition, tick: float, *, level: int | None = None) -> Shot:
        """A tick (0..48) of the clip of a transition."""
        return self._shot(self.director.plan(transition), Beat(tick), transition.depth, tick, level)

    def rest(self, state: int, *, depth: int = 0, tick: float = 0.0, level: int | None = None) -> Shot:
        """A state in which nothing is done, at the time of that tick of a clip."""
        plan = self.director.plan(None)
        plan.before = plan.after = state
        return self._shot(plan, STILL, depth, tick, level)

    def layers(self, shot: Shot) -> Layers:
        """The items of a moment."""
        return Layers(self.stage, self.stage.items(shot.moments, shot.level), self.printed)

    def paint(self, shot: Shot) -> Picture:
        """The things of a moment under constant light."""
        return np.array(self.stage.draw(shot.moments, shot.level)[:, :, :3])

    def lit(self, shot: Shot) -> Picture:
        """The same with every glow and lamp."""
        frame = self.stage.draw(shot.moments, shot.level)
        lights = self.stage.lights
        lights.clear()
        self.stage.shine(shot.moments)
        lights.bloom(frame)
        lights.add_to(frame)
        return np.array(frame[:, :, :3])

    def pixels(self, mask: Mask) -> float:
        """Size of a mask in pixels of the standard size."""
        return float(mask.sum()) / (self.stage.raster.sx * self.stage.raster.sy)

    def showing(self, variable: str) -> list[str]:
        """Entities that show a variable."""
        return [entity.id for entity in self.scene.block.entities if variable in shown_by(entity)]

    def _shot(self, plan: Plan, beat: Beat, depth: int, tick: float, level: int | None) -> Shot:
        geometry = self.scene.geometry
        seconds = (depth + tick / TICKS) * geometry.seconds
        moments = plan.moments(beat, seconds)
        if level is None:
            return Shot(moments, plan.urgency(beat).level)
        return Shot({name: replace(moment, urgency=level) for name, moment in moments.items()}, level)


def changed(a: Picture, b: Picture) -> Mask:
    """Pixels that differ so much that they are seen to."""
    return np.asarray((np.abs(a.astype(np.int16) - b) >= STEP).any(axis=2))
