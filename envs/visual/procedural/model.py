"""The world model "procedural": clips drawn from the states, by drawing programs alone. Own design.

Nothing is remembered between clips but pictures that are functions of their keys, so a clip is a pure function of
(scene, transition, seed): the last frame that a clip continues is implied by the state it begins in.
"""

from __future__ import annotations

from collections import OrderedDict
from functools import cache
from threading import local
from typing import Any, Final

from conflictbench.envs.visual.clip import Clip, Frame, LazyClip
from conflictbench.envs.visual.procedural.director import Director
from conflictbench.envs.visual.procedural.motion import Plan
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
        return LazyClip(scene.geometry, Drawing(self, scene, transition, seed))

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

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as nothing: another process draws with its own, one for all clips."""
        return _of_this_process, ()


@cache
def _of_this_process() -> ProceduralWorldModel:
    return ProceduralWorldModel()


class Drawing:
    """Draws the frames of one clip; plans and pictures stay behind when it is pickled, and are made anew."""

    def __init__(self, model: ProceduralWorldModel, scene: Scene, transition: AnyTransition | None, seed: int) -> None:
        """Nothing is drawn, nor planned, before a frame is asked for."""
        self.model, self.scene, self.transition, self.seed = model, scene, transition, seed
        self._plan: Plan | None = None

    def __call__(self, index: int) -> Frame:
        """Frame `index`, the caller's own."""
        director, plan = self.model.director(self.scene, self.seed), self._plan
        if plan is None or plan.stage is not director.stage:  # of another thread, or given up meanwhile
            plan = self._plan = director.plan(self.transition)
        return director.frame(plan, index)

    def __reduce__(self) -> tuple[Any, ...]:
        return Drawing, (self.model, self.scene, self.transition, self.seed)
