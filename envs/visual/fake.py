"""A world model for tests and dry runs: flat frames, a colour for each state, no drawing library. Own design."""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import NDArray

from conflictbench.envs.visual.clip import Clip, Frame, LazyClip
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


def _fade(scene: Scene, first: Colour, last: Colour) -> Clip:
    geometry = scene.geometry
    steps = max(1, geometry.frames - 1)

    def draw(index: int) -> Frame:
        share = index if geometry.frames > 1 else steps  # of one frame, the end
        frame = np.empty(geometry.shape, np.uint8)
        frame[:] = (first * (steps - share) + last * share) // steps
        return frame

    return LazyClip(geometry, draw)
