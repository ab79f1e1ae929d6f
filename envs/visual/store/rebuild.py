"""A kept clip as a clip again: all its frames, from the disk or from the world model that made it. Own design."""

from __future__ import annotations

from conflictbench.envs.visual.clip import Clip, Geometry
from conflictbench.envs.visual.model import WorldModel
from conflictbench.envs.visual.registry import WORLD_MODELS, make_world_model
from conflictbench.envs.visual.scene import Scene, make_scene
from conflictbench.envs.visual.store.clip_store import ClipStore
from conflictbench.envs.visual.store.listing import Held, held
from conflictbench.envs.visual.store.manifest import Manifest
from conflictbench.envs.visual.store.node import backend_id
from conflictbench.envs.visual.store.stored_model import StoredClip, StoredWorldModel
from conflictbench.envs.visual.store.whole import find_whole
from conflictbench.errors import ClipStoreError, NotYetAvailable, UnknownName
from conflictbench.scenario_specs import get_scenario

KEY_SHOWN = 12  # digits that lists print; enough to name an entry


def entry_called(store: ClipStore, key: str) -> Held:
    """The entry whose key begins with these digits.

    Raises:
        UnknownName: there is none, or more than one.
    """
    every = list(held(store.root))
    found = [item for item in every if item.key.startswith(key.lower())]
    if len(found) != 1 or not key:
        near = found or every
        hint = "give more of its digits" if found and key else "`conflictbench clips stats --entries` lists them"
        raise UnknownName("clip", key, [item.key[:KEY_SHOWN] for item in near], hint=hint)
    return found[0]


def clip_of(store: ClipStore, item: Held) -> Clip:
    """All frames of a kept clip: those on disk, the rest drawn again by the world model that drew them.

    Raises:
        ClipStoreError: the entry is damaged, its scenario has changed, or its world model is another by now.
    """
    manifest = item.manifest
    entry = store.find(manifest.node) if manifest is not None else None
    if manifest is None or entry is None:
        raise ClipStoreError(f"{item.folder} is damaged; `conflictbench clips stats --check` moves it away")
    whole = find_whole(entry)
    if whole is not None:
        return StoredClip(manifest.node, entry, _never, whole)
    scene, model = _scene(manifest), StoredWorldModel(_model(manifest), store)
    clip = model.base(scene, manifest.seed)
    for transition in scene.follow(manifest.actions):
        clip = model.step(scene, clip.last, transition, manifest.seed)
    return clip


def _scene(manifest: Manifest) -> Scene:
    overlay = manifest.backend.rpartition("+")[2]
    scene = make_scene(get_scenario(manifest.scenario), overlay, Geometry(*manifest.geometry))
    if scene.digest != manifest.scene:
        raise ClipStoreError(f"{manifest.scenario} has changed since this clip was made; only its kept frames are left")
    return scene


def _model(manifest: Manifest) -> WorldModel:
    """The world model of this version that an entry names."""
    overlay = manifest.backend.rpartition("+")[2]
    backends = []
    for name in WORLD_MODELS:
        try:
            model = make_world_model(name)
        except NotYetAvailable:
            continue
        if backend_id(model.backend, overlay) == manifest.backend:
            return model
        backends.append(model.backend)
    raise ClipStoreError(
        f"the clip was made by {manifest.backend}, which is not at hand (here: {', '.join(backends)}); "
        "only its kept frames are left"
    )


def _never() -> Clip:
    raise AssertionError("every frame is kept")
