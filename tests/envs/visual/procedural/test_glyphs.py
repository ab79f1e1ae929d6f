"""The vocabulary of glyphs: declared well, every property of each seen. How they draw: test_glyph_contract.py."""

from __future__ import annotations

import subprocess
import sys
from hashlib import blake2b

import numpy as np
import pytest
from tests.envs.visual.procedural.gallery import stage_with

from conflictbench.envs.visual.block import Block
from conflictbench.envs.visual.procedural.glyph import Moment, Sprite
from conflictbench.envs.visual.procedural.stage import Stage
from conflictbench.envs.visual.procedural.vocabulary import glyph_for, glyphs, prop_names
from conflictbench.errors import UnknownName

pytest.importorskip("skia", reason="the extra `visual` is not installed")

WORDS = tuple(glyphs())
PROPS = {
    "angle", "density", "down", "flow", "glow", "haze", "heat", "level", "load", "open", "pose", "present", "spin",
    "tint",
}  # fmt: skip

BODY_STAYS = {"conveyor"}  # the belt is there without what it carries


def test_vocabulary__is_read_without_skia() -> None:
    code = """
import sys
sys.modules["skia"] = None
from conflictbench.envs.visual.procedural.vocabulary import glyphs
print(len(glyphs()))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) == len(WORDS)


def test_vocabulary__has_the_words_of_the_design() -> None:
    wanted = """antenna backdrop barrier beacon breaker button_console cable ceiling_arm container conveyor
        core_column crate door drone engine fan fire flood frost gas gauge_panel glass_enclosure hatch humans lever
        mast pipe pod pump
        rack_row reactor screen smoke sparks steam stretcher tank valve_wheel vehicle window"""
    assert set(wanted.split()) <= set(WORDS)


def test_vocabulary__has_no_property_beside_the_closed_list() -> None:
    assert set(prop_names()) == PROPS


def test_glyph_for__an_unknown_word_names_the_known_ones() -> None:
    with pytest.raises(UnknownName, match="did you mean 'valve_wheel'"):
        glyph_for("valve_weel")


@pytest.mark.parametrize("word", WORDS)
def test_glyph__declares_itself(word: str) -> None:
    glyph = glyph_for(word)
    assert word in (glyph.name, *glyph.alternatives)
    assert glyph.summary
    assert glyph.words
    assert glyph.dock or glyph.places
    assert set(glyph.places) <= {"at", "zone", "path", "wall", "door", ""}
    assert set(glyph.reads) <= {"gauges", "lines"}


@pytest.mark.parametrize("word", [word for word in WORDS if not glyph_for(word).reads])
def test_glyph__is_seen_unbound_and_as_bare_as_a_block_allows(word: str) -> None:
    glyph = glyph_for(word)
    stage, node = stage_with(word, glyph, bind=())
    items = [item for item in stage.items({}, 0) if item.node is node]
    assert items or any(not isinstance(part, Sprite) for part in node.parts)
    assert sum(1 for item in items if item.live is not None or item.picture is not None) >= 1


@pytest.mark.parametrize("word", [word for word in WORDS if glyph_for(word).props])
def test_glyph__every_property_changes_the_picture(word: str) -> None:
    glyph = glyph_for(word)
    for prop, kind in glyph.props.items():
        low, high = ("stand", "crouch") if kind == "pose" else (0.0, {"degrees": 130.0, "count": 2.0}.get(kind, 1.0))
        # Some properties are seen only together with another: a load in an open crate, heat in a full tank.
        others = [{}, *({other: 1.0} for other in ("open", "level") if other in glyph.props and other != prop)]
        changed = [
            _lit(stage, Moment(t=t, props={**other, prop: low}))
            != _lit(stage, Moment(t=t, props={**other, prop: high}))
            for other in others
            for stage, _ in (stage_with(word, glyph, 2, bind=(prop, *other)),)
            for t in (0.0, 0.7)
        ]
        assert any(changed), prop


@pytest.mark.parametrize(
    "word", [word for word in WORDS if "present" in glyph_for(word).props and word not in BODY_STAYS]
)
def test_glyph__none_present_shows_nothing(word: str) -> None:
    stage, node = stage_with(word, glyph_for(word), 3)
    gone = {"it": Moment(t=0.0, props={"present": 0.0})}
    assert [item for item in stage.items(gone, 0) if item.node is node] == []


def _lit(stage: Stage, moment: Moment) -> str:
    picture = stage.draw({"it": moment}, 0).copy()
    stage.lights.clear()
    stage.shine({"it": moment})
    stage.lights.add_to(picture)
    return blake2b(picture.tobytes()).hexdigest()


def test_block__any_number_of_a_glyph_stands_within_its_zone() -> None:
    zone = (4.6, 2.6, 8.4, 6.4)
    for word, glyph in glyphs().items():
        if "at" not in glyph.places or glyph.dock:
            continue
        for count in (2, 7, 40):
            block = Block.model_validate(
                {
                    "zones": [{"id": "z", "rect": list(zone), "label": "Z"}],
                    "entities": [{"id": "it", "glyph": word, "at": [5.4, 3.4], "count": count}],
                }
            )
            node = Stage(block, 64, 48, 0).node("it")
            assert node is not None
            assert len(node.placed.spots) == count
            xs = np.array([spot[0] + node.placed.at[0] for spot in node.placed.spots])
            assert xs.min() > zone[0] - glyph.footprint[0] and xs.max() < zone[2] + glyph.footprint[0], (word, count)
