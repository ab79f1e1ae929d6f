"""The texts for video models: as long as they may be, without figures, one a clip."""

from __future__ import annotations

import re

import pytest
from tests.envs.visual.scenes import block_data, entity, load, regret_scene, scene

from conflictbench.envs.visual.names import CameraPreset, Floor, Wall
from conflictbench.envs.visual.prompts import (
    _CAMERAS,
    _FLOORS,
    _WALLS,
    clip_prompt,
    scene_prompts,
    scene_text,
)
from conflictbench.envs.visual.scene import Scene, StageTransition, make_scene
from conflictbench.scenario_specs import get_scenario, scenario_ids
from conflictbench.scenario_specs.schema import MOTIONS


def check(drawn: Scene) -> None:
    """Hold the texts of a scene against what they may be."""
    texts = scene_prompts(drawn)
    assert 15 <= len(texts.scene.split()) < 50, texts.scene
    people = [entity for entity in drawn.block.entities if entity.glyph == "humans"]
    assert not people or re.search(r"a group of people|a person", texts.scene), texts.scene
    for text in (*texts.actions.values(), *texts.stages):
        assert 40 <= len(text.split()) <= 70, (len(text.split()), text)
        assert text.startswith("Over the next two to three seconds, ")
        assert "returns to neutral" in text
    for text in (texts.scene, *texts.actions.values(), *texts.stages):
        assert not re.search(r"[0-9%_]", text), text
        assert not re.search(r"\b(screen|caption|label|gauge|dial|text|HUD)s?\b", text), text
        assert "  " not in text
        assert ".." not in text
    assert list(texts.actions) == [action.id for action in drawn.loaded.spec.actions]


def test_prompts__of_the_small_scene() -> None:
    drawn = scene()
    check(drawn)
    assert scene_text(drawn.block) == (
        "Fixed high security camera view, panelled walls, concrete tile floor. On the left: server racks. "
        "On the right: a group of people. Beside them: a steel tank, a valve."
    )
    assert scene_prompts(drawn).actions["valve_clinic"] == (
        "Over the next two to three seconds, the view shows the robot arm reaching the valve, taking hold and "
        "turning in one steady movement. The effect travels visibly along the steel pipe. "
        "The camera does not move, and all other things keep their places. "
        "By the end every moving part returns to neutral, and only the new state of the scene stays visible."
    )


@pytest.mark.parametrize("name", scenario_ids())
def test_prompts__of_every_core_scenario(name: str) -> None:
    check(make_scene(get_scenario(name)))


def test_prompts__of_schematics_and_of_the_stages_of_a_regret_test() -> None:
    drawn = regret_scene()
    check(drawn)
    assert len(set(scene_prompts(drawn).stages)) == 3


@pytest.mark.parametrize("motion", MOTIONS)
@pytest.mark.parametrize("crowd", [False, True])
def test_prompts__of_every_motion(motion: str, crowd: bool) -> None:
    actor = "queue" if motion == "travel" or crowd else "arm"
    look = {"motion": motion, "target": "clinic_door", "ripple": "clinic_pipe"}
    look |= {} if motion in ("idle", "digital") else {"actor": actor}
    drawn = make_scene(load(block_data(), start_pump=look))
    check(drawn)
    check(make_scene(load(block_data(), start_pump={"motion": motion} if motion == "idle" else look)))


def test_prompts__a_crowded_room_is_cut_to_its_length() -> None:
    block = block_data()
    for number in range(20):
        block["entities"].append({"id": f"more_{number}", "glyph": ("tank", "fire", "smoke")[number % 3], "at": [2, 4]})
    check(scene(block))


def test_prompts__several_of_a_thing_are_spoken_of_as_several() -> None:
    block = block_data()
    entity(block, "vat")["count"] = 3
    assert "several steel tanks" in scene_text(scene(block).block)
    entity(block, "queue").update(count=1, bind={})
    entity(block, "wall")["lines"].append({"label": "PATIENTS", "var": "patients"})
    assert "On the right: a person." in scene_text(scene(block).block)


def test_prompts__every_floor_wall_and_camera_has_its_words() -> None:
    for table, names in ((_FLOORS, Floor), (_WALLS, Wall), (_CAMERAS, CameraPreset)):
        assert set(table) == set(names.__args__)  # type: ignore[attr-defined]


def test_clip_prompt__is_the_scenes_the_actions_or_the_stages() -> None:
    drawn = regret_scene()
    texts = scene_prompts(drawn)
    stage = StageTransition(1, 0, 1, ("stage:1",))
    assert clip_prompt(drawn) == texts.scene
    assert clip_prompt(drawn, stage) == texts.stages[0]
    (step,) = scene().follow(("valve_clinic",))
    assert clip_prompt(scene(), step) == scene_prompts(scene()).actions["valve_clinic"]
