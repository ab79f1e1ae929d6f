"""CPU seconds of a clip, its sampled frames, its video and its store, beside a copy of its pixels. Own design.

    python -m conflictbench.benchmarks.perf.rendering [ID...]

Without ids: the scenario of median cost and the slowest, found by drawing a clip of each. Anchors are taken in the same
run: a copy of 49 RGBA frames from memory to memory, and the same renderer with nothing kept between two things that it
draws. The sampled frames are those of an action, drawn on a scene that shows the state before it, as in an episode.
"""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Callable
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

import numpy as np

from conflictbench.benchmarks.perf.interleaved import Goal, measure, table
from conflictbench.envs.visual.clip import GEOMETRY, ArrayClip, Clip, sample_indices
from conflictbench.envs.visual.episode import BASE, Shown
from conflictbench.envs.visual.export import export_mp4
from conflictbench.envs.visual.lint.cases import cases
from conflictbench.envs.visual.procedural.director import Director
from conflictbench.envs.visual.procedural.model import ProceduralWorldModel
from conflictbench.envs.visual.scene import Scene, Transition, make_scene
from conflictbench.envs.visual.store import ClipStore, node_of
from conflictbench.scenario_specs import get_scenario, scenario_ids

ROUNDS = 5
EVERY = 8  # a plain redraw is dear: every 8th frame of a clip is drawn, and counted for eight
REAL_TIME, MIB = GEOMETRY.seconds, 2**20
SAMPLED = sample_indices()
COPY, FIRST, SECOND, PLAIN = "copy of 49 RGBA frames", "clip, first of a scene", "clip, second", "clip, nothing kept"
THREE, VIDEO, DISK = "sampled frames, live scene", "clip and mp4", "three stills from disk, checked"
MEMORY, COPY_THREE = "sampled frames from memory", "copy of three RGB frames"
ABOUT, ALLOWED, PLAYED = "0.8 s", "0.06 s", "length of a clip"
GOALS = (
    Goal(case=FIRST, anchor=COPY, ratio=45, at_most=True),
    Goal(case=SECOND, anchor=COPY, ratio=45, at_most=True),
    Goal(case=FIRST, anchor=ABOUT, ratio=1, at_most=True),
    Goal(case=FIRST, anchor=PLAIN, ratio=0.4, at_most=True),
    Goal(case=SECOND, anchor=PLAIN, ratio=0.3, at_most=True),
    Goal(case=THREE, anchor=ALLOWED, ratio=1, at_most=True),
    Goal(case=VIDEO, anchor=PLAYED, ratio=0.5, at_most=True),
    Goal(case=MEMORY, anchor=COPY_THREE, ratio=2, at_most=True),
    Goal(case=DISK, anchor=THREE, ratio=0.5, at_most=True),
)
LIVE_GOAL = 40  # MiB of a live scene beside the clip


def timed(work: Callable[[], object]) -> float:
    """CPU seconds of this process."""
    start = process_time()
    work()
    return process_time() - start


def drawn(director: Director, transition: Transition | None, every: int = 1) -> None:
    """Draw a clip, or every so many of its frames, and keep none."""
    plan = director.plan(transition)
    for index in range(0, GEOMETRY.frames, every):
        director.frame(plan, index)


def transitions(scene: Scene) -> list[Transition]:
    """One of each action that a clip is made of."""
    return [case.transition for case in cases(scene)]


class Scenes:
    """The cases of one scenario."""

    def __init__(self, scene: Scene, folder: Path) -> None:
        self.scene = scene
        self.acts = transitions(scene)
        self.turn = count()
        self.source = np.ones((GEOMETRY.frames, GEOMETRY.height, GEOMETRY.width, 4), np.uint8)
        self.target = np.ones_like(self.source)  # there already: what new memory costs, the system decides
        self.three = [frame[:, :, :3].copy() for frame in self.source[: len(SAMPLED)]]
        self.folder = folder
        self.model = ProceduralWorldModel()
        self.clip: Clip = self.model.base(scene, 0)
        self.node = node_of(scene, self.model.backend, 0)
        self.store = ClipStore(folder / scene.id)
        self.store.fetch(self.node, lambda: self.clip, str)
        frames = np.stack([self.clip.frame(index) for index in SAMPLED])
        kept = ArrayClip(frames)
        self.shown = Shown(name=BASE, key=self.node.key, clip=kept, sampled=tuple(range(len(SAMPLED))))

    def act(self) -> Transition:
        """The next action in turn."""
        return self.acts[next(self.turn) % len(self.acts)]

    def first(self) -> float:
        """A new scene and one clip of it."""
        act = self.act()
        return timed(lambda: drawn(Director(self.scene, 0), act))

    def second(self) -> float:
        """A clip of a scene that has drawn another."""
        director = Director(self.scene, 0)
        drawn(director, self.act())
        act = self.act()
        return timed(lambda: drawn(director, act))

    def plain(self) -> float:
        """A clip with every cache off, from a seventh of its frames."""
        director = Director(self.scene, 0, cache_bytes=0)
        act, frames = self.act(), len(range(0, GEOMETRY.frames, EVERY))
        return timed(lambda: drawn(director, act, EVERY)) * GEOMETRY.frames / frames

    def sampled(self) -> float:
        """The three frames that a model sees, of a scene that has shown its beginning and the state before."""
        director, act = Director(self.scene, 0), self.act()
        rest = director.plan(None)
        for state in (0, act.before):
            rest.before = rest.after = state
            director.frame(rest, SAMPLED[-1])
        plan = director.plan(act)
        return timed(lambda: [director.frame(plan, index) for index in SAMPLED])

    def video(self) -> float:
        """A clip of a live scene, drawn and written as mp4."""
        clip = self.model.step(self.scene, self.three[0], self.act(), 0)
        return timed(lambda: export_mp4(clip.frames(), self.folder / "clip.mp4", GEOMETRY.fps))

    def disk(self) -> float:
        """The three stills of a kept clip, every byte and pixel checked."""

        def read() -> None:
            entry = self.store.find(self.node)
            assert entry is not None
            for index in SAMPLED:
                entry.still(index)

        return timed(read)

    def memory(self) -> float:
        """The frames of a clip that is in memory, as the caller's own; ten times, being short."""
        return timed(lambda: [self.shown.frames() for _ in range(10)]) / 10

    def cases(self) -> dict[str, Callable[[], float]]:
        """Case -> one round of it."""
        return {
            COPY: lambda: timed(lambda: np.copyto(self.target, self.source)),
            FIRST: self.first,
            SECOND: self.second,
            PLAIN: self.plain,
            THREE: self.sampled,
            VIDEO: self.video,
            DISK: self.disk,
            MEMORY: self.memory,
            COPY_THREE: lambda: timed(lambda: [np.stack(self.three) for _ in range(10)]) / 10,
            ABOUT: lambda: 0.8,
            ALLOWED: lambda: 0.06,
            PLAYED: lambda: REAL_TIME,
        }

    def live(self) -> float:
        """MiB that a scene holds after a clip of every action."""
        tracemalloc.start()
        before, _ = tracemalloc.get_traced_memory()
        director = Director(self.scene, 0)
        for act in self.acts:
            drawn(director, act, EVERY)
        after, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return (after - before) / MIB


def chosen() -> list[str]:
    """The scenario of median cost and the slowest."""
    costs = {}
    for name in scenario_ids():
        scene = make_scene(get_scenario(name))
        act = transitions(scene)[0]
        costs[name] = timed(lambda scene=scene, act=act: drawn(Director(scene, 0), act, 4))  # type: ignore[misc]
    ranked = sorted(costs, key=lambda name: costs[name])
    return [ranked[len(ranked) // 2], ranked[-1]]


def main() -> None:
    """Print a table for each scenario."""
    with TemporaryDirectory() as folder:
        for name in sys.argv[1:] or chosen():
            scenes = Scenes(make_scene(get_scenario(name)), Path(folder))
            print(f"{name}, {len(scenes.scene.block.entities)} things")
            print(table(measure(scenes.cases(), ROUNDS), "s", GOALS))
            live = scenes.live()
            print(
                f"live scene: {live:.3g} MiB, goal at most {LIVE_GOAL}: {'' if live <= LIVE_GOAL else 'not '}reached\n"
            )


if __name__ == "__main__":
    main()
