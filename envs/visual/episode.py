"""What an episode has shown so far: one clip for its beginning, one for each executed action. ConflictBench A.3.

Clips are made when somebody looks, in order, since each continues the last frame of the one before. An episode that
nobody looks at makes none.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from conflictbench.envs.visual.clip import Clip, Frame, Geometry, sample_indices
from conflictbench.envs.visual.model import WorldModel
from conflictbench.envs.visual.names import Overlay
from conflictbench.envs.visual.registry import make_world_model
from conflictbench.envs.visual.scene import (
    AnyTransition,
    Scene,
    StageTransition,
    Transition,
    make_scene,
    stage_name,
)
from conflictbench.envs.visual.settings import PictureSettings
from conflictbench.envs.visual.store import ClipStore, StoredClip, StoredWorldModel, with_store
from conflictbench.envs.visual.store.node import backend_id, node_of
from conflictbench.errors import ClipStoreFull
from conflictbench.scenario_specs import get_scenario

BASE = "base"  # what the clip before the first action is called


@dataclass(frozen=True, kw_only=True, eq=False)
class Shown:
    """One clip of an episode."""

    name: str  # id of the action, "stage:1" of the regret test, or "base"
    key: str  # 64 hex digits: what it was made from, as a clip store finds it
    clip: Clip | None  # None: its store's disk is full
    sampled: tuple[int, ...]  # indices of the frames that a model sees

    @property
    def digest(self) -> str:
        """64 hex digits over the pixels of the kept frames; "" where no store keeps them."""
        return self.clip.digest if isinstance(self.clip, StoredClip) else ""

    @cached_property
    def last(self) -> Frame | None:
        """The last frame; not to be written to. None for a missing clip."""
        return None if self.clip is None else self.clip.last

    def frames(self) -> NDArray[np.uint8] | None:
        """The sampled frames, uint8 (n, height, width, 3), the caller's own. None for a missing clip."""
        return None if self.clip is None else np.stack([self.clip.frame(index) for index in self.sampled])


class EpisodePictures:
    """The clips of one episode after another. A deep copy goes its own way, and shares the clips that there are."""

    def __init__(self, settings: PictureSettings, *, told: bool = True, collect: bool = False) -> None:
        """Take the settings.

        Args:
            told: observation or info shows the pictures, so that each clip will be looked at.
            collect: keep clips until `take_uncollected` asks for them.
        Raises:
            NotYetAvailable: what the world model draws with is not installed, where pictures are told.
        """
        self.settings, self.told = settings, told
        self._collect = collect
        if told:
            _ = self._model
        self._story: tuple[str, str] | None = None  # scenario and pack; None before the first episode
        self._new: list[Shown] = []
        self._uncollected: list[Clip] = []
        self._forget()

    def begin(self, scenario: str, pack: str) -> None:
        """Begin an episode with its base clip."""
        self._story = (scenario, pack)
        self._forget()

    def interact(self) -> None:
        """An interaction begins: what comes now is new, what came before no longer is."""
        self._first_new, self._new, self._settled = len(self._transitions) + 1, [], False

    def act(self, action: str, before: int, after: int) -> None:
        """An action was executed, which did not end the episode."""
        self._add(Transition(action, before, after, *self._place(action)))

    def stage(self, stage: int, state: int) -> None:
        """A stage of the regret test has begun."""
        self._add(StageTransition(stage, state, *self._place(stage_name(stage))))

    @cached_property
    def _model(self) -> WorldModel:
        return _model(self.settings.world_model, self.settings.clips)

    @property
    def scene(self) -> Scene:
        """The scene of the scenario being played."""
        assert self._story is not None
        return _scene(*self._story, self.settings.overlay, self.settings.geometry)

    @property
    def backend(self) -> str:
        """Id of all that makes the pictures, scene, seed and size apart: the world model with the overlay."""
        return backend_id(self._model.backend, self.scene.overlay)

    @property
    def new(self) -> tuple[Shown, ...]:
        """The clips of the last interaction, or of the reset: none or one, two where a stage follows an action.

        Raises:
            ClipStoreFull, ClipStoreError: as `StoredWorldModel.step`; not the first, where missing images are blank.
        """
        self._make()
        return tuple(self._new)

    @property
    def newest(self) -> Shown:
        """The last clip, missing or not. Raises as `new`."""
        self._make()
        assert self._newest is not None
        return self._newest

    @property
    def image(self) -> Frame:
        """The last frame of the newest clip, uint8 (height, width, 3), the caller's own; black if that is missing.

        Raises as `new`.
        """
        last = self.newest.last
        return np.zeros(self.settings.geometry.shape, np.uint8) if last is None else last.copy()

    def take_uncollected(self) -> list[Frame]:
        """Every frame of the clips since the last call; where there is none, the image alone. Raises as `new`."""
        self._make()
        clips, self._uncollected = self._uncollected, []
        return [frame for clip in clips for frame in clip.frames()] or [self.image]

    def info(self) -> dict[str, Any]:
        """What info says of pictures: how many clips are new, whether one is missing, and what was asked for."""
        newest, wanted = self.newest, self.settings.clip_info
        told: dict[str, Any] = {"new_clips": len(self._new), "image_missing": newest.clip is None}
        if newest.clip is not None:
            told |= {"clip": newest.clip} if "clip" in wanted else {}
            told |= {"frames": newest.frames()} if "frames" in wanted else {}
        return told

    def _forget(self) -> None:
        self._transitions: list[AnyTransition] = []
        self._first_new = 0  # number of the first clip of the last interaction; the base clip is 0
        self._made = 0  # clips that there are
        self._settled = False  # nothing is left to be made, or to be tried once more
        self._new = []
        self._newest: Shown | None = None
        self._last: Frame | None = None  # of the last clip that is not missing
        self._uncollected = []

    def _place(self, name: str) -> tuple[int, tuple[str, ...]]:
        """Depth and chain of the next transition."""
        chain = self._transitions[-1].chain if self._transitions else ()
        return len(chain) + 1, (*chain, name)

    def _add(self, transition: AnyTransition) -> None:
        self._transitions.append(transition)
        self._settled = False

    def _make(self) -> None:
        """Make the clips that nobody has looked at; what follows a missing one is missing too: it continues it."""
        if self._settled:
            return
        self._new = [shown for shown in self._new if shown.clip is not None]
        for number in range(self._made, len(self._transitions) + 1):
            clip = self._clip(number) if number == self._made else None
            shown = self._newest = self._shown(number, clip)
            if number >= self._first_new:
                self._new.append(shown)
            if clip is not None:
                self._made, self._last = number + 1, shown.last
                self._uncollected += [clip] if self._collect else []
        self._settled = True

    def _clip(self, number: int) -> Clip | None:
        scene, seed = self.scene, self.settings.clip_seed
        try:
            if number == 0:
                return self._model.base(scene, seed)
            assert self._last is not None
            return self._model.step(scene, self._last, self._transitions[number - 1], seed)
        except ClipStoreFull:
            if self.settings.missing_image == "error":
                raise
            return None

    def _shown(self, number: int, clip: Clip | None) -> Shown:
        chain = self._transitions[number - 1].chain if number else ()
        return Shown(
            name=chain[-1] if chain else BASE,
            key=node_of(self.scene, self._model.backend, self.settings.clip_seed, chain).key,
            clip=clip,
            sampled=sample_indices(self.settings.geometry, include_first=self.settings.first_frame),
        )

    def __deepcopy__(self, memo: dict[int, Any]) -> EpisodePictures:
        """A branch of the episode; clips and models do not change, and are shared."""
        branch = object.__new__(EpisodePictures)
        branch.__dict__ |= {
            name: list(value) if isinstance(value, list) else value for name, value in self.__dict__.items()
        }
        return branch

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as what happened: another process makes the clips again, or finds them in the store."""
        kept = (self.settings, self.told, self._collect, self._story, self._transitions, self._first_new)
        return _again, kept


def _again(
    settings: PictureSettings,
    told: bool,
    collect: bool,
    story: tuple[str, str] | None,
    transitions: list[AnyTransition],
    first_new: int,
) -> EpisodePictures:
    pictures = EpisodePictures(settings, told=told, collect=collect)
    pictures._story, pictures._transitions, pictures._first_new = story, transitions, first_new
    return pictures


@cache
def _world_model(name: str) -> WorldModel:
    """One a process: world models hold no state of an episode, and may hold much else."""
    return make_world_model(name)


def _model(name: str, clips: bool | str) -> WorldModel:
    model = _world_model(name)
    if isinstance(clips, str):
        return StoredWorldModel(model, ClipStore(clips))
    return with_store(model) if clips else model


@lru_cache(maxsize=64)
def _scene(scenario: str, pack: str, overlay: Overlay | None, geometry: Geometry) -> Scene:
    return make_scene(get_scenario(scenario, pack), overlay, geometry)
