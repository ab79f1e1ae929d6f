"""Clips that do not show what an action did are found, with what would show it."""

from __future__ import annotations

from typing import Any

import pytest
from tests.envs.visual.lint.blocks import HALF, good_block
from tests.envs.visual.scenes import entity, load, scene

from conflictbench.envs.visual.lint import acted
from conflictbench.envs.visual.lint.acted import action_faults
from conflictbench.envs.visual.lint.bench import Bench
from conflictbench.envs.visual.lint.cases import Case, cases, levels
from conflictbench.envs.visual.lint.lint import lint_scene
from conflictbench.envs.visual.scene import Scene, make_scene
from conflictbench.errors import Fault

pytest.importorskip("skia", reason="the extra `visual` is not installed")


def case_of(drawn: Scene, action: str) -> Case:
    return next(case for case in cases(drawn) if case.transition.action == action)


def faults(drawn: Scene, action: str) -> list[Fault]:
    return list(action_faults(Bench(drawn), case_of(drawn, action)))


def looking(action: str, look: dict[str, Any]) -> Scene:
    """The good block, in which one action looks otherwise."""
    return make_scene(load(good_block(), **{action: look}), geometry=HALF)


def test_cases__take_the_transition_in_which_most_of_what_is_set_differs() -> None:
    drawn = scene(good_block(), geometry=HALF)
    assert {case.transition.action: case.shows for case in cases(drawn)} == {
        "ring_clinic": ("patients",),  # it sets a hidden variable, which makes them known
        "valve_field": ("valve",),
        "valve_clinic": ("valve",),
        "start_pump": ("pump",),
    }  # draining the tank always ends the story, and a clip is made of no end


def test_levels__are_those_of_states_that_run() -> None:
    drawn = scene(good_block(), geometry=HALF)
    assert set(levels(drawn)) == {0, 1, 2, 3}
    assert all(drawn.urgency(state) == level for level, state in levels(drawn).items())


def test_action__sets_a_variable_that_nothing_in_view_shows() -> None:
    block = good_block()
    entity(block, "wheel")["at"] = [2.0, 6.0]  # behind the racks
    (fault,) = [each for each in faults(scene(block, geometry=HALF), "valve_clinic") if each.key.endswith("visual")]
    assert fault.message.startswith("it sets valve, and at most 0 pixels of what shows it (wheel) change; 100")


def test_action__by_hand_must_be_seen_at_its_target() -> None:
    drawn = looking("start_pump", {"actor": "clinic_door", "motion": "press", "target": "racks"})  # a door stays
    (fault,) = [each for each in faults(drawn, "start_pump") if each.key == "actions.start_pump.visual.target"]
    assert fault.message.startswith("clinic_door stays")
    assert fault.fix == "move racks nearer to clinic_door"


def test_action__digital_must_light_something_in_view() -> None:
    block = good_block()
    entity(block, "wheel")["at"] = [2.0, 6.0]
    drawn = make_scene(load(block, start_pump={"motion": "digital", "target": "wheel"}), geometry=HALF)
    assert any("of wheel light up, 300 are needed" in each.message for each in faults(drawn, "start_pump"))


def test_action__what_changes_beside_it_is_astray() -> None:
    drawn = scene(good_block(), geometry=HALF)
    case = case_of(drawn, "valve_clinic")
    nobody = case.visual.model_copy(update={"actor": None})  # so the arm that is drawn belongs to nothing
    found = list(action_faults(Bench(drawn), Case(case.transition, nobody, case.shows)))
    assert [each.message for each in found if "belong to nothing it concerns" in each.message]
    assert not [each for each in action_faults(Bench(drawn), case) if "belong to nothing" in each.message]


def test_action__that_does_not_come_to_rest_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = scene(good_block(), geometry=HALF)
    monkeypatch.setattr(acted, "TICKS", 40.0)  # as if the clip ended while the arm is on its way back
    (fault,) = [each for each in faults(drawn, "valve_clinic") if "differ from the state at rest" in each.message]
    assert fault.key == "actions.valve_clinic.visual"


def test_urgency__that_no_state_reaches_is_found() -> None:
    block = good_block()
    block["urgency"] = {"expr": "step(turn,[.4])"}
    (fault,) = lint_scene(scene(block, geometry=HALF))
    assert fault.key == "visual.urgency.expr"
    assert fault.message == "no state that runs has urgency 2: the picture never says so"


def test_urgency__is_wanted_at_all() -> None:
    block = good_block()
    del block["urgency"]
    (fault,) = lint_scene(scene(block, geometry=HALF))
    assert (fault.key, fault.message[:33]) == ("visual.urgency", "no state that runs has urgency 1 ")
