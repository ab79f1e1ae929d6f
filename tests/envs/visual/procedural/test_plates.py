"""A thing with a label has a plate over it, which comes and goes with the thing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.envs.visual.scenes import block_data, entity, scene

from conflictbench.envs.visual.clip import Geometry
from conflictbench.envs.visual.procedural.director import Director
from conflictbench.envs.visual.procedural.glyph import Moment, Sprite

pytest.importorskip("skia", reason="the extra `visual` is not installed")

SIZE = Geometry(416, 240)


def labelled(**of_vat: Any) -> Director:
    block = block_data()
    entity(block, "vat").update(of_vat)
    return Director(scene(block, geometry=SIZE, overlay="none"), 0)


def plate(director: Director, name: str) -> Sprite:
    node = director.stage.node(name)
    assert node is not None
    part = node.parts[-1]
    assert isinstance(part, Sprite)
    return part


def test_plate__stands_over_the_middle_of_its_thing() -> None:
    without, with_label = labelled(), labelled(label="WATER")
    changed = np.abs(
        without.frame(without.plan(None), 0).astype(int) - with_label.frame(with_label.plan(None), 0).astype(int)
    ).max(axis=2)
    rows, columns = np.nonzero(changed > 40)
    vat = with_label.stage.node("vat")
    assert vat is not None
    x, y = with_label.stage.camera.project(vat.placed.at)
    assert len(rows) > 100
    assert abs(columns.mean() - x / 2) < 4  # the picture is half the design size
    assert rows.max() < y / 2


def test_plate__is_gone_with_its_thing() -> None:
    part = plate(labelled(label="WATER", bind={"present": {"var": "pump", "map": {"false": 0, "true": 1}}}), "vat")
    assert part.key(Moment(t=0.0, props={"present": 0.0})) is None
    assert part.key(Moment(t=0.0, props={"present": 1.0})) == ()
    assert part.key(Moment(t=0.0)) == ()


def test_run__is_named_by_the_label_of_where_it_leads() -> None:
    director = labelled(label="WATER")
    node = director.stage.node("field_pipe")
    assert node is not None
    assert node.placed.ends == ("WATER", "BARLEY")
