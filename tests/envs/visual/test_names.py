"""The closed lists and the vocabulary of glyphs agree with what can be drawn."""

from __future__ import annotations

import re
from typing import get_args

from conflictbench.envs.visual.names import CAMERAS, CameraPreset, Color
from conflictbench.envs.visual.procedural.colours import NAMED
from conflictbench.envs.visual.procedural.glyph import PROP_KINDS
from conflictbench.envs.visual.procedural.vocabulary import glyphs
from conflictbench.scenario_specs.schema import ID_PATTERN

PROPERTIES = {
    "angle", "density", "down", "flow", "glow", "haze", "heat", "level", "load", "open", "pose", "present", "spin",
    "tint",
}  # fmt: skip


def test_colours__are_those_that_are_mixed() -> None:
    assert list(get_args(Color)) == sorted(NAMED)


def test_cameras__each_preset_has_its_place() -> None:
    assert set(CAMERAS) == set(get_args(CameraPreset))


def test_glyphs__have_names_and_properties_out_of_the_closed_lists() -> None:
    for name, glyph in glyphs().items():
        assert re.fullmatch(ID_PATTERN, name), name
        assert set(glyph.props) <= PROPERTIES, name
        assert set(glyph.props.values()) <= set(PROP_KINDS), name
        assert set(glyph.places) <= {"at", "zone", "path", "wall", "door", ""}, name
        assert set(glyph.reads) <= {"gauges", "lines"}, name
        assert glyph.places or glyph.dock, name  # an entity stands somewhere, an actor at its dock


def test_glyphs__every_property_means_one_kind_of_number() -> None:
    kinds: dict[str, set[str]] = {}
    for glyph in glyphs().values():
        for prop, kind in glyph.props.items():
            kinds.setdefault(prop, set()).add("share" if kind == "signed" else kind)  # one cannot run backwards
    assert {prop: found for prop, found in kinds.items() if len(found) > 1} == {}


def test_glyphs__words_fit_a_sentence_without_figures() -> None:
    for name, glyph in glyphs().items():
        assert not re.search(r"[0-9_.]", glyph.words), name
        assert glyph.words == glyph.words.strip(), name
