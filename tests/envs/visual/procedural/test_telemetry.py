"""Printed numbers bear the names of variables: labels may differ between the readings of a scenario."""

from __future__ import annotations

import numpy as np
import pytest
from tests.envs.visual.scenes import block_data, data_with

from conflictbench.envs.visual.clip import Geometry
from conflictbench.envs.visual.procedural.director import Director
from conflictbench.envs.visual.scene import Scene, make_scene
from conflictbench.scenario_specs import load_data

pytest.importorskip("skia", reason="the extra `visual` is not installed")

SIZE = Geometry(416, 240)


def relabelled(label: str, overlay: str) -> Scene:
    data = data_with(block_data())
    data["state"]["tank"]["label"] = label
    return make_scene(load_data(data, path="small.yaml"), overlay, SIZE)


def frame(drawn: Scene) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    director = Director(drawn, 0)
    return director.frame(director.plan(None), 0)


def test_telemetry__does_not_depend_on_labels() -> None:
    one, other = relabelled("Tank", "telemetry"), relabelled("Water left for the clinic", "telemetry")
    assert one.digest == other.digest
    assert np.array_equal(frame(one), frame(other))


def test_telemetry__prints_along_the_lower_edge() -> None:
    printed, plain = (frame(relabelled("Tank", overlay)) for overlay in ("telemetry", "cctv"))
    changed = np.abs(printed.astype(int) - plain).max(axis=2) > 40
    assert changed[220:].sum() > 500
    assert changed[:200].sum() == 0
