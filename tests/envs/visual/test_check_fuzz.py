"""Whatever stands in a block: it is refused with faults, or it can be shown in every state; never an exception."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.envs.visual.scenes import TINY, block_data, data_with

from conflictbench.envs.visual.check import check_block
from conflictbench.envs.visual.prompts import scene_prompts
from conflictbench.envs.visual.scene import make_scene
from conflictbench.errors import Fault, SpecError
from conflictbench.scenario_specs import load_data

JUNK: list[Any] = [
    None, True, -1, 0, 2, 0.5, 99, 10**30, 1e308, -1e308, float("nan"), float("inf"), "", "x", "\x00", "x" * 5000,
    "vat", "queue", "hill", "tank", "valve", "pump", "patients", "asked", "stand", "pipe", "humans", "screen", [], {},
    [1, 2], [0, 0, 1, 1], [[0, 1]], [["a", {}]], {"var": "tank"}, {"var": "valve", "map": {}}, {"id": "vat"}, [None],
]  # fmt: skip


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in nested plain data, but the whole."""
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in entries:
        yield (*path, key)
        yield from places(inner, (*path, key))


PLACES = sorted(places(block_data()), key=repr)
changes = st.lists(
    st.tuples(st.sampled_from(PLACES), st.sampled_from(["set", "remove", "add"]), st.sampled_from(range(len(JUNK)))),
    min_size=1,
    max_size=3,
)


def change(block: Any, path: tuple[Any, ...], kind: str, junk: Any) -> None:
    """Set, remove or add to the value at `path`, if it is still there."""
    try:
        for key in path[:-1]:
            block = block[key]
        if kind == "set":
            block[path[-1]] = junk
        elif kind == "remove":
            del block[path[-1]]
        elif isinstance(block, list):
            block.append(junk)
        else:
            block[str(junk)[:20] or "new"] = junk
    except (KeyError, IndexError, TypeError):
        return


@settings(max_examples=400, deadline=None, derandomize=True)
@given(changes)
def test_check__junk_is_refused_or_can_be_shown(made: list[tuple[tuple[Any, ...], str, int]]) -> None:
    block = block_data()
    for path, kind, junk in made:
        change(block, path, kind, JUNK[junk])
    try:
        loaded = load_data(data_with(block), path="small.yaml")
    except SpecError:
        return
    faults = check_block(loaded)
    for fault in faults:
        assert isinstance(fault, Fault)
        assert fault.key.startswith(("visual", "actions.", "regret."))
        assert fault.message
        assert len(str(fault)) < 3_000
    if faults:
        return
    drawn = make_scene(loaded, geometry=TINY)
    for state in range(0, loaded.tables.n_states, 7):
        assert drawn.urgency(state) in (0, 1, 2, 3)
        for entity in drawn.block.entities:
            for value in drawn.properties(entity.id, state).values():
                assert value is None or isinstance(value, str) or np.isfinite(value)
    assert scene_prompts(drawn).scene
