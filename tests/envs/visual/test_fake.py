"""The fake world model and the table of world models."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from tests.envs.visual.scenes import scene

from conflictbench.envs.visual import registry
from conflictbench.envs.visual.fake import FakeWorldModel
from conflictbench.envs.visual.registry import WORLD_MODELS, make_world_model
from conflictbench.errors import NotYetAvailable, UnknownName


def test_fake__frames_are_flat_and_go_evenly_from_one_colour_to_the_next() -> None:
    model, drawn = FakeWorldModel(), scene()
    base = model.base(drawn, 0)
    (step,) = drawn.follow(("valve_clinic",))
    clip = model.step(drawn, base.last, step, 0)
    colours = [frame[0, 0].astype(int) for frame in clip.frames()]
    for frame, colour in zip(clip.frames(), colours, strict=True):
        assert (frame == colour).all()
    assert np.array_equal(colours[0], base.last[0, 0])
    for index, colour in enumerate(colours):
        assert np.array_equal(colour, (colours[0] * (8 - index) + colours[8] * index) // 8), index


def test_fake__states_seeds_and_overlays_have_colours_of_their_own() -> None:
    model, drawn = FakeWorldModel(), scene()
    steps = drawn.follow(("valve_clinic", "start_pump"))
    clips = [
        model.base(drawn, 0),
        model.base(drawn, 1),
        model.base(scene(overlay="none"), 0),
        *(model.step(drawn, model.base(drawn, 0).last, step, 0) for step in steps),
    ]
    assert len({clip.last[0, 0].tobytes() for clip in clips}) == len(clips)


def test_make__an_unknown_name_says_the_known_ones() -> None:
    assert sorted(WORLD_MODELS) == ["fake", "procedural"]
    with pytest.raises(UnknownName, match="unknown world model 'wan'; known: fake, procedural"):
        make_world_model("wan")


def test_make__without_the_extra_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> object:
        raise ModuleNotFoundError("No module named 'skia'", name="skia")

    monkeypatch.setattr(registry, "import_module", missing)
    with pytest.raises(NotYetAvailable, match=r"'procedural' .*needs skia, of the extra 'visual': .*pip install "):
        make_world_model("procedural")


def test_make__a_bug_of_our_own_is_no_missing_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> object:
        raise ModuleNotFoundError(
            "No module named 'conflictbench.envs.visual.tint'", name="conflictbench.envs.visual.tint"
        )

    monkeypatch.setattr(registry, "import_module", missing)
    with pytest.raises(ModuleNotFoundError):
        make_world_model("procedural")


def test_import__of_the_visual_package_and_its_vocabulary_loads_no_drawing_library() -> None:
    script = (
        "import sys, conflictbench.envs.visual.check, conflictbench.envs.visual.store\n"
        "from conflictbench.envs.visual.procedural.vocabulary import glyphs\n"
        "from conflictbench.envs.visual.registry import make_world_model\n"
        "glyphs(), make_world_model('fake')\n"
        "print([name for name in ('skia', 'av', 'PIL', 'zstandard', 'matplotlib') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
