"""Scenes, nodes and clips for tests of the clip store; a process of its own may ask for one. Own design.

python -m tests.envs.visual.store.clips FOLDER ACTION ...   prints "made" or "found", and the digest
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.envs.visual.scenes import TINY, load

from conflictbench.envs.visual.clip import Clip, Frame, Geometry
from conflictbench.envs.visual.fake import FakeWorldModel
from conflictbench.envs.visual.scene import AnyTransition, Scene, make_scene
from conflictbench.envs.visual.store import ClipStore, Entry, Node, StoredWorldModel, node_of

CHAIN = ("valve_clinic", "start_pump")


def scene(geometry: Geometry = TINY) -> Scene:
    """A scene that needs no drawing library."""
    return make_scene(load(None), None, geometry)


def node(actions: Sequence[str] = CHAIN, *, seed: int = 0, of: Scene | None = None) -> Node:
    """A node of that scene."""
    return node_of(of or scene(), FakeWorldModel.backend, seed, tuple(actions))


class Counted(FakeWorldModel):
    """The fake, which notes what it is asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def base(self, scene: Scene, seed: int) -> Clip:
        self.asked.append("base")
        return super().base(scene, seed)

    def step(self, scene: Scene, last_frame: Frame, transition: AnyTransition, seed: int) -> Clip:
        self.asked.append(transition.chain[-1])
        return super().step(scene, last_frame, transition, seed)


def replay(model: StoredWorldModel, scene: Scene, actions: Sequence[str] = CHAIN, seed: int = 0) -> Clip:
    """The clip after these actions."""
    clip = model.base(scene, seed)
    for transition in scene.follow(actions):
        clip = model.step(scene, clip.last, transition, seed)
    return clip


def maker(scene: Scene, actions: Sequence[str] = CHAIN) -> Callable[[], Clip]:
    """Makes the clip after these actions without a store."""

    def make() -> Clip:
        clip = FakeWorldModel().base(scene, 0)
        for transition in scene.follow(actions):
            clip = FakeWorldModel().step(scene, clip.last, transition, 0)
        return clip

    return make


def kept(store: ClipStore, actions: Sequence[str] = CHAIN) -> Entry:
    """The entry of the chain, made if need be."""
    return store.fetch(node(actions), maker(scene(), actions))


def main(folder: str, *actions: str) -> None:
    """Ask for one clip of a shared folder, and say how it came about."""
    store, calls = ClipStore(Path(folder)), []

    def make() -> Clip:
        calls.append("made")
        return maker(scene(), actions)()

    entry = store.fetch(node(actions), make)
    print(calls[0] if calls else "found", entry.manifest.digest)


if __name__ == "__main__":
    main(*sys.argv[1:])
