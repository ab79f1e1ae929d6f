"""Scenes: what is seen of a state, transitions along a chain, and what a digest covers."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from tests.envs.visual.scenes import TINY, block_data, data_with, entity, load, regret_scene, scene
from tests.scenario_specs.small import by_id

from conflictbench.envs.visual.bindings import Reading
from conflictbench.envs.visual.clip import Geometry
from conflictbench.envs.visual.scene import Scene, StageTransition, Transition, make_scene
from conflictbench.errors import InvalidValue, UnknownName
from conflictbench.scenario_specs import load_data

CHAIN = ("valve_clinic", "start_pump")


def last_state(drawn: Scene, *actions: str) -> int:
    last = drawn.follow(actions)[-1]
    assert isinstance(last, Transition)
    return last.after


def test_properties__are_numbers_of_their_kind() -> None:
    drawn = scene()
    served = last_state(drawn, *CHAIN)  # tank 4 of 6, the valve leads uphill, the pump is on
    assert drawn.properties("vat", 0) == {"level": 1.0}
    assert drawn.properties("vat", served) == {"level": pytest.approx(4 / 6)}
    assert drawn.properties("wheel", 0) == {"angle": 0.0}
    assert drawn.properties("wheel", served) == {"angle": 270.0}
    assert (drawn.properties("clinic_door", 0), drawn.properties("clinic_door", served)) == (
        {"open": 0.0},
        {"open": 1.0},
    )
    assert drawn.properties("racks", 0) == {}


def test_properties__of_a_bare_number_on_an_angle_span_three_quarters_of_a_turn() -> None:
    block = block_data()
    entity(block, "wheel")["bind"] = {"angle": "tank"}
    entity(block, "wall")["lines"].append({"label": "VALVE", "var": "valve"})
    drawn = scene(block)
    assert drawn.properties("wheel", 0) == {"angle": 270.0}
    assert drawn.properties("wheel", last_state(drawn, *CHAIN)) == {"angle": pytest.approx(180.0)}


def test_properties__of_an_unknown_variable_are_none_until_it_is_known() -> None:
    drawn = scene()
    assert drawn.properties("queue", 0) == {"present": None, "pose": None}
    asked = last_state(drawn, "ring_clinic")
    assert drawn.properties("queue", asked) == {"present": 9.0, "pose": "crouch"}


def test_properties__of_an_unknown_variable_are_what_the_binding_says() -> None:
    block = block_data()
    entity(block, "queue")["bind"] = {
        "present": {"var": "patients", "unknown": 2},
        "pose": {"var": "patients", "steps": [[0, "stand"], [0.5, "crouch"]], "unknown": "alarm"},
    }
    drawn = scene(block)
    assert drawn.properties("queue", 0) == {"present": 2.0, "pose": "alarm"}
    assert drawn.properties("queue", last_state(drawn, "ring_clinic")) == {"present": 9.0, "pose": "crouch"}


def test_properties__steps_take_the_last_threshold_reached() -> None:
    block = block_data()
    steps = [[0, 0.1], [0.5, 0.2], [0.67, 0.3], [1, 0.4]]
    entity(block, "vat")["bind"] = {"level": {"var": "tank", "steps": steps}}
    drawn = scene(block)
    assert drawn.properties("vat", 0) == {"level": 0.4}  # 6 of 6
    assert drawn.properties("vat", last_state(drawn, *CHAIN)) == {"level": 0.2}  # 4 of 6 is under 0.67


def test_reading__is_what_the_status_line_says_in_capitals() -> None:
    drawn = scene()
    assert drawn.reading("tank", 0) == Reading("6", 1.0)
    assert drawn.reading("valve", last_state(drawn, "valve_clinic")) == Reading("TO CLINIC", 1.0)
    assert drawn.reading("pump", 0) == Reading("OFF", 0.0)
    assert drawn.reading("patients", 0) == Reading("--", 0.0, known=False)
    assert drawn.reading("patients", last_state(drawn, "ring_clinic")) == Reading("9", 1.0)


def test_urgency__does_not_tell_what_is_not_known() -> None:
    drawn = scene()  # max(step(patients,[.3,.6,.9]), step(turn,[.4,.7,.9])), 9 of 9 patients, window 5
    assert drawn.urgency(0) == 0
    assert drawn.urgency(last_state(drawn, "valve_clinic", "start_pump")) == 1  # turn 2 of 5 is .4
    assert drawn.urgency(last_state(drawn, "ring_clinic")) == 3


def test_urgency__without_an_expression_is_0() -> None:
    block = block_data()
    del block["urgency"]
    assert scene(block).urgency(0) == 0


def test_actions__each_has_a_look_with_a_label() -> None:
    drawn = scene()
    assert set(drawn.actions) == {action.id for action in drawn.loaded.spec.actions}
    assert drawn.actions["ring_clinic"].label == "RING CLINIC"  # the author's
    assert drawn.actions["valve_field"].label == "TURN VALVE DOWNHILL"  # the command
    assert (drawn.actions["drain_tank"].motion, drawn.actions["drain_tank"].label) == ("idle", "DRAIN TANK")


def test_clock__is_the_blocks_or_the_settings() -> None:
    assert scene().clock == "2033-07-02T19:10:00"
    block = block_data() | {"clock": "2033-07-02T19:10:30"}
    assert scene(block).clock == "2033-07-02T19:10:30"


def test_follow__gives_states_depths_and_chains() -> None:
    drawn = scene()
    first, second = drawn.follow(CHAIN)
    assert isinstance(first, Transition)
    assert isinstance(second, Transition)
    assert (first.action, first.before, first.depth, first.chain) == ("valve_clinic", 0, 1, CHAIN[:1])
    assert (second.before, second.depth, second.chain) == (first.after, 2, CHAIN)
    assert drawn.follow(()) == []


def test_follow__refuses_what_was_never_executed() -> None:
    with pytest.raises(InvalidValue, match=r"action 2, 'valve_clinic', is not accepted after valve_clinic: "):
        scene().follow(("valve_clinic", "valve_clinic"))
    with pytest.raises(UnknownName, match="unknown action 'valve_klinic'"):
        scene().follow(("valve_klinic",))
    with pytest.raises(UnknownName, match="unknown action 'stage:1'"):
        scene().follow(("stage:1",))  # no regret test here


HUMAN_END = ("stop_fans", "reverse_fans", "start_mist", "open_shaft")  # of EP1-001


def test_follow__stages_keep_the_state_and_extend_the_chain() -> None:
    stages = regret_scene().follow((*HUMAN_END, "stage:1", "stage:2"))[-2:]
    assert [isinstance(stage, StageTransition) for stage in stages] == [True, True]
    assert [stage.depth for stage in stages] == [5, 6]
    assert stages[1].chain == (*HUMAN_END, "stage:1", "stage:2")


@pytest.mark.parametrize(
    "chain, message",
    [
        (
            ("stage:1",),
            "action 1, 'stage:1', is not accepted after the beginning: the regret test begins after a human",
        ),
        (("stop_fans", "stage:1"), "after stop_fans: the regret test begins after a human outcome"),
        ((*HUMAN_END, "stage:2"), "after stop_fans; reverse_fans; start_mist; open_shaft: its stages come in order"),
        ((*HUMAN_END, "stage:1", "stage:1"), "stage:2 is next"),
        ((*HUMAN_END, "stage:1", "stage:2", "stage:3", "stage:3"), "the regret test is over"),
        ((*HUMAN_END, "stage:1", "stop_fans"), "action 6, 'stop_fans', is not accepted"),
        (("stop_fans", "stop_fans"), "is not accepted after stop_fans: The jet fans are already standing"),
    ],
)
def test_follow__what_cannot_follow_is_refused_with_the_reason(chain: tuple[str, ...], message: str) -> None:
    with pytest.raises(InvalidValue, match=re.escape(message)):
        regret_scene().follow(chain)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Transition("a", 0, 1, 0),
        lambda: Transition("a", 0, 1, 2, ("a",)),
        lambda: Transition("a", 0, 1, 1, ("b",)),
        lambda: StageTransition(4, 0, 1),
        lambda: StageTransition(1, 0, 1, ("stage:2",)),
    ],
)
def test_transition__depth_stage_and_chain_must_agree(make: Callable[[], object]) -> None:
    with pytest.raises(InvalidValue):
        make()


def test_scene__overlay_is_the_blocks_unless_asked() -> None:
    assert scene().overlay == "cctv"
    assert scene(block_data() | {"overlay": "telemetry"}).overlay == "telemetry"
    assert scene(overlay="none").overlay == "none"
    with pytest.raises(UnknownName, match="unknown overlay 'hud'; known: none, cctv, telemetry"):
        scene(overlay="hud")


def test_scene__a_state_or_thing_that_is_not_there_is_refused() -> None:
    drawn = scene()
    with pytest.raises(InvalidValue, match=r"state -1 of EP2-900; valid: 0\.\."):
        drawn.properties("vat", -1)
    with pytest.raises(UnknownName, match="unknown entity 'vta'"):
        drawn.properties("vta", 0)


CHANGES: dict[str, Callable[[dict[str, Any]], object]] = {
    "block": lambda data: entity(data["visual"], "vat").update(at=[5.8, 5.4]),
    "look of an action": lambda data: by_id(data, "actions", "start_pump")["visual"].update(motion="pull"),
    "word on the picture": lambda data: by_id(data, "actions", "start_pump").update(command="start big pump"),
    "words of a value": lambda data: data["state"]["pump"].update(words=["still", "running"]),
    "a rule": lambda data: by_id(data, "actions", "start_pump")["effects"].update(tank="tank - 1"),
    "start of the clock": lambda data: data["setting"].update(time="2033-07-02 19:11"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_digest__changes_with_what_is_seen(change: Callable[[dict[str, Any]], object]) -> None:
    data = data_with(block_data())
    change(data)
    assert make_scene(load_data(data)).digest != make_scene(load(block_data())).digest


def test_digest__prose_size_and_overlay_do_not_count() -> None:
    data = data_with(block_data())
    by_id(data, "actions", "start_pump")["help"] = "sends two barrels uphill or down"
    data["agent"]["stake"] = "it is taken apart"
    same = scene().digest
    assert make_scene(load_data(data)).digest == same
    assert scene(geometry=Geometry(8, 8, 2, 1)).digest == same
    assert scene(overlay="none").digest == same


def test_scene__is_ready_at_once_the_second_time() -> None:
    loaded = load(block_data())
    assert make_scene(loaded).block is make_scene(loaded, geometry=TINY).block
