"""A world model for tests and dry runs: flat frames, a colour for each state, no drawing library. Own design."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from conflictbench.envs.visual.clip import Clip, Frame, Geometry, LazyClip
from conflictbench.envs.visual.scene import AnyTransition, Scene, Transition

Colour = NDArray[np.int64]  # (3,)


class FakeWorldModel:
    """Frames change evenly from the last colour to that of the new state; the first frame is the one given."""

    backend = "fake-1"

    def base(self, scene: Scene, seed: int) -> Clip:
        """As `WorldModel.base`: the colour of the first state, all along."""
        colour = _colour(scene, "state:0", seed)
        return _fade(scene, colour, colour)

    def step(self, scene: Scene, last_frame: Frame, transition: AnyTransition, seed: int) -> Clip:
        """As `WorldModel.step`."""
        state = f"state:{transition.after}" if isinstance(transition, Transition) else transition.name
        return _fade(scene, last_frame[0, 0].astype(np.int64), _colour(scene, state, seed))


def _colour(scene: Scene, state: str, seed: int) -> Colour:
    digest = hashlib.sha256(f"{scene.digest}/{scene.overlay}/{state}/{seed}".encode()).digest()
    return np.frombuffer(digest[:3], np.uint8).astype(np.int64)


@dataclass(frozen=True, eq=False)
class Fade:
    """Draws the frames from one colour to another; no closure, so that a clip can be pickled."""

    geometry: Geometry
    first: Colour
    last: Colour

    def __call__(self, index: int) -> Frame:
        """Frame `index`, the caller's own."""
        steps = max(1, self.geometry.frames - 1)
        share = index if self.geometry.frames > 1 else steps  # of one frame, the end
        frame = np.empty(self.geometry.shape, np.uint8)
        frame[:] = (self.first * (steps - share) + self.last * share) // steps
        return frame


def _fade(scene: Scene, first: Colour, last: Colour) -> Clip:
    return LazyClip(scene.geometry, Fade(scene.geometry, first, last))
