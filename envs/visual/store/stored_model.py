"""A world model that makes each clip once, and then gives what a store holds. Source: ConflictBench appendix A.3."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import Any

from conflictbench.envs.visual.clip import Clip, Frame
from conflictbench.envs.visual.model import WorldModel
from conflictbench.envs.visual.prompts import clip_prompt
from conflictbench.envs.visual.scene import AnyTransition, Scene
from conflictbench.envs.visual.store.clip_store import ClipStore
from conflictbench.envs.visual.store.entry import Entry
from conflictbench.envs.visual.store.folder import clip_folder
from conflictbench.envs.visual.store.node import Node, node_of
from conflictbench.envs.visual.store.whole import decoded, find_whole, keep_whole
from conflictbench.errors import InvalidValue


class StoredWorldModel:
    """Any world model with a store before it; clips are found by the chain of executed actions."""

    def __init__(self, model: WorldModel, store: ClipStore, *, whole: bool = False) -> None:
        """Put `store` before `model`.

        Args:
            whole: keep every frame. Otherwise the first, the sampled and the last frames are kept, and the model is
                asked again for the others: right for a model that repeats itself cheaply.
        """
        self.model, self.store, self.whole = model, store, whole

    @property
    def backend(self) -> str:
        """As `WorldModel.backend`: that of the model behind the store."""
        return self.model.backend

    def base(self, scene: Scene, seed: int) -> Clip:
        """As `WorldModel.base`.

        Raises:
            ClipStoreFull: the disk is full; a caller that may go on without an image catches this.
            ClipStoreError: the folder cannot be used.
        """
        make = Maker(self.model, scene, seed)
        return self._clip(node_of(scene, self.backend, seed), make, partial(clip_prompt, scene))

    def step(self, scene: Scene, last_frame: Frame, transition: AnyTransition, seed: int) -> Clip:
        """As `WorldModel.step`.

        Raises:
            InvalidValue: the transition has no chain, by which alone its clip can be found.
            ClipStoreFull: the disk is full; a caller that may go on without an image catches this.
            ClipStoreError: the folder cannot be used.
        """
        if not transition.chain:
            raise InvalidValue(f"{transition} has no chain of executed actions; a clip store finds clips by it")
        make = Maker(self.model, scene, seed, (last_frame, transition))
        node = node_of(scene, self.backend, seed, transition.chain)
        return self._clip(node, make, partial(clip_prompt, scene, transition))

    def _clip(self, node: Node, make: Callable[[], Clip], prompt: Callable[[], str]) -> Clip:
        entry = self.store.fetch(node, make, prompt)
        frames = None
        if self.whole:
            frames = find_whole(entry) or keep_whole(self.store, node, entry, make())
        return StoredClip(node, entry, make, frames)


class Maker:
    """Asks a world model for a clip once, and not before it is needed; pickled, it asks anew."""

    def __init__(
        self, model: WorldModel, scene: Scene, seed: int, step: tuple[Frame, AnyTransition] | None = None
    ) -> None:
        """`step`: the last frame before and the transition; None for the base clip."""
        self._asked = (model, scene, seed, step)
        self._clip: Clip | None = None

    def __call__(self) -> Clip:
        """The model's own clip."""
        if self._clip is None:
            model, scene, seed, step = self._asked
            self._clip = model.base(scene, seed) if step is None else model.step(scene, *step, seed)
        return self._clip

    def __reduce__(self) -> tuple[Any, ...]:
        return Maker, self._asked


class StoredClip(Clip):
    """Kept frames from the store; the others from the whole clip where it is kept, else from the model, when asked."""

    def __init__(self, node: Node, entry: Entry, make: Callable[[], Clip], whole: bytes | None = None) -> None:
        """Frames of `entry`; `make` gives the model's own clip, `whole` the encoded frames."""
        self.geometry = node.geometry
        self.key = node.key
        self.entry = entry
        self._make, self._whole = make, whole

    @property
    def digest(self) -> str:
        """64 hex digits over the pixels of the kept frames."""
        return self.entry.manifest.digest

    def frame(self, index: int) -> Frame:
        """As `Clip.frame`."""
        kept = self.entry.still(self._checked(index))
        if kept is not None:
            return kept
        if self._whole is not None:
            return next(islice(decoded(self._whole, self.geometry), index, None))
        return self._make().frame(index)

    def frames(self) -> Iterator[Frame]:
        """As `Clip.frames`."""
        return super().frames() if self._whole is None else decoded(self._whole, self.geometry)


def with_store(model: WorldModel, *, whole: bool = False) -> WorldModel:
    """The model behind the store of `clip_folder`; the model itself where that is off."""
    folder = clip_folder()
    return model if folder is None else StoredWorldModel(model, ClipStore(folder), whole=whole)
