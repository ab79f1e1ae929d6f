"""The identity picture says which entity a pixel shows, from the same drawing as the frames."""

from __future__ import annotations

import numpy as np
import pytest
from tests.envs.visual.scenes import block_data, entity, scene

from conflictbench.envs.visual.clip import Geometry
from conflictbench.envs.visual.procedural.director import Director
from conflictbench.envs.visual.procedural.identity import changed_entities, frame_ids, ids_of, render_ids
from conflictbench.envs.visual.procedural.timeline import STILL
from conflictbench.envs.visual.scene import Scene

pytest.importorskip("skia", reason="the extra `visual` is not installed")

SIZE = Geometry(416, 240)


def number(drawn: Scene, name: str) -> int:
    """What the picture holds for an entity or an actor."""
    names = [e.id for e in drawn.block.entities] + [a.id for a in drawn.block.actors]
    return 1 + names.index(name)


def test_render_ids__shows_every_entity_and_the_room_as_zero() -> None:
    drawn = scene(geometry=SIZE)
    ids = render_ids(drawn, 0)
    assert ids.shape == (240, 416)
    assert ids.dtype == np.uint16
    every = set(range(1 + len(drawn.block.entities) + len(drawn.block.actors)))
    assert set(np.unique(ids)) == every
    assert (ids == 0).mean() > 0.4


def test_render_ids__is_where_the_frame_shows_the_thing() -> None:
    whole, without = block_data(), block_data()
    without["entities"] = [e for e in without["entities"] if e["id"] != "racks"]
    drawn, bare = (scene(block, geometry=SIZE, overlay="none") for block in (whole, without))
    racks = render_ids(drawn, 0) == number(drawn, "racks")
    frames = [Director(each, 0).frame(Director(each, 0).plan(None), 0).astype(int) for each in (drawn, bare)]
    changed = np.abs(frames[0] - frames[1]).max(axis=2) > 16
    assert (changed & racks).sum() > 0.9 * racks.sum()


def test_render_ids__a_thing_before_another_hides_it() -> None:
    block = block_data()
    entity(block, "vat")["at"] = [2.0, 3.2]  # before the racks
    drawn = scene(block, geometry=SIZE)
    director = Director(drawn, 0)
    plan = director.plan(None)
    seen = (ids_of(director, plan, STILL) == number(drawn, "racks")).sum()
    alone = (ids_of(director, plan, STILL, only=frozenset({"racks"})) == number(drawn, "racks")).sum()
    assert 0 < seen < 0.9 * alone


def test_render_ids__smoke_hides_nobody() -> None:
    clear, thick = block_data(), block_data()
    thick["entities"].append({"id": "smoke", "glyph": "smoke", "zone": "hill"})
    counts = [
        (render_ids(drawn, 0) == number(drawn, "queue")).sum()
        for drawn in (scene(clear, geometry=SIZE), scene(thick, geometry=SIZE))
    ]
    assert counts[0] == counts[1] > 0


def test_frame_ids__an_arm_reaches_and_returns() -> None:
    drawn = scene(geometry=SIZE)
    director = Director(drawn, 0)
    (transition,) = drawn.follow(("valve_clinic",))
    arm = number(drawn, "arm")
    rest, busy, last = (frame_ids(director, transition, frame) == arm for frame in (0, 16, 48))
    assert np.array_equal(rest, last)
    assert (busy != rest).sum() > 300
    assert np.flatnonzero(busy.any(axis=1)).max() > np.flatnonzero(rest.any(axis=1)).max() + 40  # farther down


def test_changed_entities__are_those_whose_values_differ() -> None:
    drawn = scene()
    (transition,) = drawn.follow(("valve_clinic",))
    changed = changed_entities(transition, drawn)
    assert "wheel" in changed
    assert "racks" not in changed
