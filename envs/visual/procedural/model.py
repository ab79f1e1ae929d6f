"""The world model "procedural": clips drawn from the states, by drawing programs alone. Own design.

Nothing is remembered between clips but pictures that are functions of their keys, so a clip is a pure function of
(scene, transition, seed): the last frame that a clip continues is implied by the state it begins in.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import local
from typing import Final

from conflictbench.envs.visual.clip import Clip, Frame, LazyClip
from conflictbench.envs.visual.procedural.director import Director
from conflictbench.envs.visual.procedural.text import fonts_digest
from conflictbench.envs.visual.scene import AnyTransition, Scene

VERSION: Final = 1  # raise it with every change of any pixel
KEPT: Final = 3  # directors a thread: a scene and its neighbours


class ProceduralWorldModel:
    """Draws on the CPU with skia and NumPy; safe to share between threads (each has its own pictures)."""

    def __init__(self) -> None:
        """
        Raises:
            ModuleNotFoundError: the extra `visual` is not installed.
        """
        import skia

        self.backend: str = f"procedural-{VERSION} skia-{skia.__version__} fonts-{fonts_digest()}"
        self._own = local()

    def base(self, scene: Scene, seed: int) -> Clip:
        """The first clip: the start of the story, nothing done yet."""
        return self._clip(scene, None, seed)

    def step(self, scene: Scene, last_frame: Frame, transition: AnyTransition, seed: int) -> Clip:
        """The clip of an action, or of a stage of the regret test."""
        return self._clip(scene, transition, seed)

    def _clip(self, scene: Scene, transition: AnyTransition | None, seed: int) -> Clip:
        plan = self.director(scene, seed).plan(transition)

        def draw(index: int) -> Frame:
            director = self.director(scene, seed)
            return director.frame(plan if plan.stage is director.stage else director.plan(transition), index)

        return LazyClip(scene.geometry, draw)

    def director(self, scene: Scene, seed: int) -> Director:
        """This thread's director of a scene; the few last used are kept."""
        kept: OrderedDict[tuple[object, ...], Director] | None = getattr(self._own, "directors", None)
        if kept is None:
            kept = self._own.directors = OrderedDict()
        geometry = scene.geometry
        key = (scene.digest, scene.overlay, geometry.width, geometry.height, geometry.frames, geometry.fps, seed)
        if key not in kept:
            kept[key] = Director(scene, seed)
            while len(kept) > KEPT:
                kept.popitem(last=False)
        kept.move_to_end(key)
        return kept[key]
