"""Things, people and names that a picture does not show are found, with what stands before them."""

from __future__ import annotations

import numpy as np
import pytest
from tests.envs.visual.lint.blocks import fault_at, faults_of, good_block, messages_at
from tests.envs.visual.scenes import entity, scene, zone

from conflictbench.envs.visual.clip import Geometry
from conflictbench.envs.visual.lint.bench import Bench
from conflictbench.envs.visual.lint.layers import dilated
from conflictbench.envs.visual.lint.lint import lint_scene

pytest.importorskip("skia", reason="the extra `visual` is not installed")


def test_lint__finds_nothing_where_everything_is_seen() -> None:
    assert faults_of(good_block()) == []


def test_lint__finds_the_same_in_any_size() -> None:
    block = good_block()
    entity(block, "vat")["at"] = [10.2, 1.0]  # before the clinic's name
    keys = [
        [each.key for each in lint_scene(scene(block, geometry=size))]
        for size in (Geometry(), Geometry(624, 360), Geometry(416, 240))
    ]
    assert keys == [["visual.zones.hill.label"]] * 3


def test_entity__behind_another_is_told_what_hides_it() -> None:
    block = good_block()
    entity(block, "wheel")["at"] = [2.4, 5.9]  # the racks stand at y = 4.6
    fault = fault_at(block, "visual.entities.wheel")
    assert "400 and 40% are needed; before it: racks" in fault.message
    assert fault.fix == "move it or racks aside"


def test_entity__beyond_the_edge_is_cut_off() -> None:
    block = good_block()
    entity(block, "panel")["at"] = [0.4, 1.3]
    found = messages_at(block, "visual.entities.panel")
    assert any("the picture's edge cuts it off" in message for message in found), found


def test_entity__under_what_the_overlay_prints_is_not_seen() -> None:
    block = good_block()
    box = {"id": "box", "glyph": "crate", "at": [6.5, 0.2], "bind": {"level": "tank"}}
    block["entities"].append(box)  # where the caption of an action is printed
    found = messages_at(block, "visual.entities.box")
    assert any("before it: the overlay" in message for message in found), found
    assert messages_at({**block, "overlay": "none"}, "visual.entities.box") == []


def test_entity__that_comes_late_in_the_story_is_looked_at_then() -> None:
    block = good_block()
    glow = {"var": "tank", "steps": [[0, 1], [0.5, 0]]}  # two barrels are left after two turns of the pump
    block["entities"].append({"id": "smoke", "glyph": "smoke", "zone": "farm", "bind": {"density": glow}})
    assert faults_of(block) == []


def test_entity__that_is_never_drawn_is_told_so() -> None:
    block = good_block()
    never = {"var": "tank", "steps": [[0, 0], [0.5, 0]]}
    block["entities"].append({"id": "smoke", "glyph": "smoke", "zone": "farm", "bind": {"density": never}})
    fault = fault_at(block, "visual.entities.smoke")
    assert fault.message.startswith("covers 0 pixels of the picture at most, 400 are needed")
    assert fault.fix == "remove it"


def test_entity__that_is_there_at_an_ending_alone_is_told_that_no_clip_shows_one() -> None:
    block = good_block()
    drained = {"var": "tank", "steps": [[0, 1], [0.1, 0]]}  # which always ends the story: otherwise two are left
    block["entities"].append({"id": "boat", "glyph": "container", "at": [6.9, 4.6], "bind": {"present": drained}})
    fault = fault_at(block, "visual.entities.boat")
    assert fault.message.startswith("covers 0 pixels of the picture at most, 400 are needed")
    assert fault.message.endswith("; at an ending it covers more, but no clip is made of an ending")
    assert fault.fix == "let it show while the story runs, or remove it"


def test_people__of_a_small_group_are_seen_one_by_one() -> None:
    block = good_block()
    block["entities"].append({"id": "guards", "glyph": "humans", "at": [5.9, 6.6], "count": 2})  # behind the vat
    entity(block, "vat")["at"] = [5.9, 5.2]
    block["entities"].append({"id": "crates", "glyph": "container", "at": [6.9, 5.2]})
    messages = [each.message for each in faults_of(block) if each.key == "visual.entities.guards"]
    assert any("of one of its 2 people" in message and "vat" in message for message in messages), messages


def test_zone__its_name_must_be_legible() -> None:
    block = good_block()
    entity(block, "vat")["at"] = [10.2, 1.0]
    fault = fault_at(block, "visual.zones.hill.label")
    assert "of the name 'CLINIC' on the floor can be seen, 60% are needed; before it: vat" in fault.message
    assert fault.fix.startswith("move vat off the floor before the zone's front edge")


def test_zone__a_name_under_what_the_overlay_prints_is_told_so() -> None:
    block = good_block()
    zone(block, "hill")["rect"] = [4.0, 0.9, 9.6, 2.4]  # the caption of an action is printed over its name
    fault = fault_at(block, "visual.zones.hill.label")
    assert "before it: the overlay" in fault.message and "what the overlay prints" in fault.fix


def test_zones__both_sides_are_there() -> None:
    block = good_block()
    zone(block, "farm")["rect"] = [4.6, 2.6, 8.2, 6.4]  # the racks now stand beside it, in nobody's zone
    entity(block, "vat")["at"] = [5.2, 5.4]
    assert "no zone is the agent's side" in fault_at(block, "visual.zones").message


def test_layers__a_veil_covers_nothing_and_is_measured_by_itself() -> None:
    shares = []
    for smoke in ([], [{"id": "smoke", "glyph": "smoke", "zone": "hill"}]):
        block = good_block()
        block["entities"] += smoke
        bench = Bench(scene(block, geometry=Geometry(416, 240)))
        layers = bench.layers(bench.rest(0))
        shares.append(layers.seen(lambda item: item.node.id == "queue").share)
    assert layers.seen(lambda item: item.node.id == "smoke").visible > 400
    assert shares[0] == shares[1] > 0.8


def test_dilated__grows_a_pixel_into_a_square() -> None:
    mask = np.zeros((9, 9), np.bool_)
    mask[4, 4] = True
    grown = dilated(mask, 2)
    assert grown.sum() == 25
    assert grown[2:7, 2:7].all()
