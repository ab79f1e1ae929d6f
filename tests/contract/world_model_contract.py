"""What any world model must do: one suite, ten lines a model. Own design.

How a clip looks is a model's own affair; held here are sizes, continuity, repeatability and good manners.
"""

from __future__ import annotations

import pickle
import random
from typing import ClassVar

import numpy as np
from tests.envs.visual.scenes import TINY, regret_scene, scene

from conflictbench.envs.visual.clip import Clip, Frame, Geometry
from conflictbench.envs.visual.contact_sheet import stage_chain
from conflictbench.envs.visual.model import WorldModel
from conflictbench.envs.visual.scene import Scene
from conflictbench.protocols import WorldModel as WorldModelProtocol

CHAIN = ("valve_clinic", "start_pump")


class WorldModelContract:
    """Override `make`; `geometry` where a model cannot make clips that small."""

    geometry: ClassVar[Geometry] = TINY
    deterministic: ClassVar[bool] = True  # equal calls give equal frames, in any order
    jump: ClassVar[float] = (
        0.0  # greatest mean difference (0-255) of a clip's first frame to the last of the one before
    )

    def make(self) -> WorldModel:
        """Return a fresh model."""
        raise NotImplementedError

    def scene(self) -> Scene:
        """A scene with an actor, moving things and people."""
        return scene(geometry=self.geometry)

    def test_model__has_the_methods_and_a_backend_id(self) -> None:
        model = self.make()
        assert isinstance(model, WorldModelProtocol)
        assert model.backend
        assert model.backend.isprintable()
        assert model.backend == self.make().backend

    def test_base__is_a_clip_of_the_scenes_size(self) -> None:
        check(self.make().base(self.scene(), 0), self.geometry)

    def test_step__is_a_clip_of_the_scenes_size_for_every_action_of_a_chain(self) -> None:
        model, drawn = self.make(), self.scene()
        last = model.base(drawn, 0).last
        for transition in drawn.follow(CHAIN):
            clip = model.step(drawn, last, transition, 0)
            check(clip, self.geometry)
            last = clip.last

    def test_step__continues_the_frame_that_it_is_given(self) -> None:
        model, drawn = self.make(), self.scene()
        last = model.base(drawn, 0).last
        for transition in drawn.follow(CHAIN):
            clip = model.step(drawn, last, transition, 0)
            assert difference(clip.frame(0), last) <= self.jump
            last = clip.last

    def test_step__shows_that_something_was_done(self) -> None:
        model, drawn = self.make(), self.scene()
        base = model.base(drawn, 0)
        clip = model.step(drawn, base.last, drawn.follow(CHAIN[:1])[0], 0)
        assert not np.array_equal(clip.last, base.last)

    def test_step__shows_the_stages_of_a_regret_test(self) -> None:
        model, drawn = self.make(), regret_scene(self.geometry)
        last = model.base(drawn, 0).last
        chain = stage_chain(drawn)
        assert chain is not None
        for transition in drawn.follow(chain)[-3:]:
            clip = model.step(drawn, last, transition, 0)
            check(clip, self.geometry)
            assert not np.array_equal(clip.last, last)
            last = clip.last

    def test_clip__gives_the_same_frames_one_by_one_in_any_order(self) -> None:
        drawn = self.scene()
        clip = self.make().base(drawn, 0)
        in_order = list(clip.frames())
        assert len(in_order) == self.geometry.frames
        for index in (*range(self.geometry.frames - 1, -1, -1), 0):
            assert np.array_equal(clip.frame(index), in_order[index]), index
        assert np.array_equal(clip.last, in_order[-1])

    def test_clip__does_not_write_to_a_frame_that_it_has_handed_out(self) -> None:
        frames = self.make().base(self.scene(), 0).frames()
        first = next(frames)
        before = first.copy()
        for _ in frames:
            pass
        assert np.array_equal(first, before)

    def test_step__leaves_the_last_frame_alone(self) -> None:
        model, drawn = self.make(), self.scene()
        last = model.base(drawn, 0).last.copy()
        before = last.copy()
        for _ in model.step(drawn, last, drawn.follow(CHAIN[:1])[0], 0).frames():
            pass
        assert np.array_equal(last, before)

    def test_clip__two_scenes_in_turn_do_not_disturb_each_other(self) -> None:
        model, drawn, other = self.make(), self.scene(), regret_scene(self.geometry)
        clip, between = model.base(drawn, 0), model.base(other, 0)
        alone = [frame.tobytes() for frame in self.make().base(drawn, 0).frames()]
        if self.deterministic:
            for index in range(self.geometry.frames):
                between.frame(index)
                assert clip.frame(index).tobytes() == alone[index], index

    def test_clip__gives_the_same_frames_after_a_pickle_round_trip(self) -> None:
        model, drawn = self.make(), self.scene()
        base = model.base(drawn, 0)
        clip = model.step(drawn, base.last, drawn.follow(CHAIN[:1])[0], 0)
        for made in (base, clip):
            assert np.array_equal(pickle.loads(pickle.dumps(made)).frame(5), made.frame(5))

    def test_clip__a_deterministic_model_makes_it_again(self) -> None:
        if self.deterministic:
            first, again = (self.whole() for _ in range(2))
            assert first == again

    def test_clip__leaves_global_randomness_alone(self) -> None:
        before = random.getstate(), np.random.get_state()[1].copy()  # noqa: NPY002
        self.whole()
        assert random.getstate() == before[0]
        assert np.array_equal(np.random.get_state()[1], before[1])  # noqa: NPY002

    def whole(self) -> list[bytes]:
        """The frames of the base clip and of a step, from a fresh model and a fresh scene."""
        model, drawn = self.make(), self.scene()
        base = model.base(drawn, 0)
        clips = [base, model.step(drawn, base.last, drawn.follow(CHAIN[:1])[0], 0)]
        return [frame.tobytes() for clip in clips for frame in clip.frames()]


def check(clip: Clip, geometry: Geometry) -> None:
    """Hold one clip against what `clip.py` says of it."""
    assert isinstance(clip, Clip)
    assert clip.geometry == geometry
    frames = list(clip.frames())
    assert len(frames) == geometry.frames
    for frame in frames:
        assert (frame.shape, frame.dtype) == (geometry.shape, np.uint8)


def difference(one: Frame, other: Frame) -> float:
    """Mean absolute difference of two frames, 0 to 255."""
    return float(np.abs(one.astype(np.int16) - other.astype(np.int16)).mean())
