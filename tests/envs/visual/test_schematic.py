"""A scenario without a `visual` block has pictures all the same, and they pass every check."""

from __future__ import annotations

from typing import Any

import pytest
from tests.envs.visual.scenes import TINY, load, without_pictures
from tests.scenario_specs.small import small_data

from conflictbench.envs.visual.check_actions import action_faults
from conflictbench.envs.visual.check_bindings import binding_faults, bound_variables
from conflictbench.envs.visual.check_places import place_faults
from conflictbench.envs.visual.scene import make_scene
from conflictbench.envs.visual.schematic import schematic
from conflictbench.scenario_specs import LoadedScenario, load_data, scenario_ids


def faults(loaded: LoadedScenario) -> list[str]:
    """What an author would be told of the schematic."""
    block = schematic(loaded).block
    found = (*place_faults(block), *binding_faults(block, loaded.spec), *action_faults(block, loaded.spec))
    return [str(fault) for fault in found]


@pytest.mark.parametrize("name", scenario_ids())
def test_schematic__of_every_core_scenario_passes_the_checks(name: str) -> None:
    loaded = without_pictures(name)
    assert faults(loaded) == []
    made = schematic(loaded)
    assert bound_variables(made.block) == set(loaded.spec.visible)
    assert set(made.actions) == {action.id for action in loaded.spec.actions}
    assert len(made.stages) == (3 if loaded.spec.regret is not None else 0)


def crowded(**variables: dict[str, Any]) -> LoadedScenario:
    data = small_data(visual=None)
    for action in data["actions"]:
        action.pop("visual", None)
    data["state"] |= variables
    return load_data(data)


def test_schematic__has_room_for_as_many_variables_as_a_scenario_may_show() -> None:
    numbers = {f"n{i}": {"int": [0, 9], "start": 0, "label": f"Number {i}"} for i in range(12)}
    words = {f"w{i}": {"bool": False, "label": f"Word {i}", "words": ["no", "yes"]} for i in range(12)}
    for loaded in (crowded(**numbers), crowded(**words)):
        assert len(loaded.spec.visible) == 16
        assert faults(loaded) == []


def test_schematic__agent_stands_left_and_people_right() -> None:
    block = schematic(load(None)).block
    agent, people = block.zones
    assert agent.rect[2] < people.rect[0]
    assert (agent.label, people.label) == ("SORREL", "PEOPLE")
    assert {entity.zone for entity in block.entities if entity.glyph == "humans"} == {"people"}


def test_schematic__an_action_points_at_what_it_changes_or_reveals() -> None:
    made = schematic(load(None))
    where = {reading.var: e.id for e in made.block.entities for reading in (*e.gauges, *e.lines)}
    assert made.actions["drain_tank"].target == where["tank"]
    assert made.actions["valve_field"].target == where["valve"]
    assert made.actions["ring_clinic"].target == where["patients"]  # it writes a hidden variable that reveals them
    assert made.actions["valve_field"].label == "TURN VALVE DOWNHILL"


def test_schematic__is_what_a_scene_falls_back_to() -> None:
    drawn = make_scene(load(None), geometry=TINY)
    assert drawn.schematic
    assert drawn.block == schematic(load(None)).block
    assert drawn.digest == make_scene(load(None)).digest


def test_schematic__readings_with_other_texts_share_it() -> None:
    loaded = load(None)
    words = {entity.id: entity.label for entity in schematic(loaded).block.entities}
    assert not any(variable.label in words.values() for variable in loaded.spec.state.values() if variable.label)
