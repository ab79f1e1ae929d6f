"""What happens in a clip, and when: hands, walks, ripples, values on their way."""

from __future__ import annotations

import pytest
from tests.envs.visual.procedural.gallery import MOTIONS
from tests.envs.visual.scenes import block_data, data_with, scene

from conflictbench.envs.visual.clip import Geometry, sample_indices
from conflictbench.envs.visual.procedural.camera import add, length, sub
from conflictbench.envs.visual.procedural.glyph import Moment
from conflictbench.envs.visual.procedural.motion import Plan
from conflictbench.envs.visual.procedural.stage import Stage
from conflictbench.envs.visual.procedural.timeline import Beat, beat
from conflictbench.envs.visual.scene import Scene, make_scene
from conflictbench.scenario_specs import load_data

pytest.importorskip("skia", reason="the extra `visual` is not installed")


def plan_of(drawn: Scene, *actions: str) -> Plan:
    """The clip of the last of these actions."""
    stage = Stage(drawn.block, 64, 40, 0)
    return Plan(stage, drawn, drawn.follow(actions)[-1] if actions else None)


def at(plan: Plan, frame: int) -> dict[str, Moment]:
    """Moments of a frame of 49."""
    return plan.moments(beat(frame, 49), frame / 16)


def looking(**look: str | None) -> Scene:
    """The small scene in which `valve_clinic` looks like this."""
    visual = {key: value for key, value in look.items() if value is not None}
    return make_scene(
        load_data(data_with(block_data(), valve_clinic=visual), path="small.yaml"), None, Geometry(64, 40)
    )


def test_beat__has_contact_at_16_the_effect_at_32_and_rest_at_48() -> None:
    first, second, third = (beat(index, 49) for index in sample_indices())
    assert (first.reach, first.work) == (1.0, 1.0)
    assert second.share == 1.0
    assert (third.reach, third.work, third.digital, third.ripple, third.caption) == (0.0, 0.0, 0.0, 0.0, 0.0)
    assert all(beat(index, 49).reach == 0.0 for index in (46, 47, 48))


def test_beat__nothing_has_happened_in_the_first_frame() -> None:
    begin = beat(0, 49)
    assert (begin.reach, begin.work, begin.share, begin.digital, begin.ripple, begin.caption) == (0, 0, 0, 0, 0, 0)
    assert begin.pulse is None


@pytest.mark.parametrize("name", ["reach", "work", "digital", "ripple", "caption"])
def test_beat__what_is_done_rises_and_falls_once(name: str) -> None:
    values = [getattr(Beat(tick / 4), name) for tick in range(193)]
    top = values.index(max(values))
    assert values[0] == values[-1] == 0.0
    assert max(values) == 1.0
    assert values[: top + 1] == sorted(values[: top + 1])
    fall = values[len(values) - 1 - values[::-1].index(1.0) :]
    assert fall == sorted(fall, reverse=True)


def test_beat__a_clip_of_another_length_passes_the_same_ticks() -> None:
    assert beat(80, 81) == beat(48, 49)
    assert beat(40, 81).tick == 24.0
    assert beat(0, 1).tick == 48.0


def test_props__go_from_the_state_before_to_the_state_after() -> None:
    plan = plan_of(scene(), "valve_clinic")
    angles = [at(plan, frame)["wheel"].number("angle", -1.0) for frame in range(49)]
    assert angles[0] == 0.0
    assert angles[32] == angles[48] == 270.0
    assert angles == sorted(angles)
    assert 0.0 < angles[23] < 270.0


def test_readings__count_up_and_say_nothing_that_is_not_known() -> None:
    drawn = scene()
    plan = plan_of(drawn, "drain_tank")
    texts = [at(plan, frame)["panel"].readings[0].text for frame in (0, 23, 48)]
    start = drawn.loaded.spec.state["tank"].start_value
    assert texts[0] == str(start)
    assert texts[2] == "0"
    assert 0 < int(texts[1]) < start
    hidden = plan.reading("patients", "PATIENTS", 0.0, "", None)
    assert (hidden.text, hidden.share) == ("--", None)


def test_hand__is_on_the_target_at_frame_16_and_at_rest_in_the_end() -> None:
    plan = plan_of(scene(), "valve_clinic")
    arm, wheel = plan.stage.node("arm"), plan.stage.node("wheel")
    assert arm is not None and wheel is not None
    hand = at(plan, 16)["arm"].hand
    assert hand is not None
    assert length(sub(add(arm.placed.at, hand), wheel.contact)) < 0.05
    assert at(plan, 0)["arm"].hand is None
    assert at(plan, 48)["arm"].hand is None
    assert at(plan, 16)["wheel"].work == 1.0


def test_ripple__runs_through_its_pipe_once_and_no_other() -> None:
    plan = plan_of(scene(), "valve_clinic")
    places = [at(plan, frame)["clinic_pipe"].pulse for frame in range(49)]
    run = [place for place in places if place is not None]
    assert run == sorted(run)
    assert run[0] < 0.1 and run[-1] > 0.9
    assert places[16] is None and places[34] is None
    assert all(at(plan, frame)["field_pipe"].pulse is None for frame in range(49))


def test_digital__lights_its_target_and_moves_no_hand() -> None:
    plan = plan_of(scene(), "ring_clinic")
    assert at(plan, 16)["wall"].alert == 1.0
    assert at(plan, 48)["wall"].alert == 0.0
    assert at(plan, 16)["wall"].work == 0.0
    assert at(plan, 16)["arm"].hand is None


WHO = {"digital": None, "idle": None, "travel": "queue"}  # an arm stays at its dock


@pytest.mark.parametrize("motion", [*MOTIONS, "idle"])
def test_motion__is_a_closed_loop(motion: str) -> None:
    drawn = looking(motion=motion, actor=WHO.get(motion, "arm"), target="vat")
    plan = plan_of(drawn, "valve_clinic")
    first, last = at(plan, 0), at(plan, 48)
    for name, moment in last.items():
        assert (moment.work, moment.alert, moment.shift, moment.hand) == (0.0, 0.0, (0.0, 0.0, 0.0), None), name
        assert (first[name].work, first[name].shift) == (0.0, (0.0, 0.0, 0.0))
    busy = at(plan, 16)
    assert (busy["vat"].alert if motion == "digital" else busy["vat"].work) == (0.0 if motion == "idle" else 1.0)


@pytest.mark.parametrize("motion", ["travel", "carry", "open"])
def test_motion__people_go_to_their_target_and_come_back(motion: str) -> None:
    drawn = looking(motion=motion, actor="queue", target="vat")
    plan = plan_of(drawn, "valve_clinic")
    queue, vat = plan.stage.node("queue"), plan.stage.node("vat")
    assert queue is not None and vat is not None
    moment = at(plan, 16)["queue"]
    there = add(add(queue.placed.at, queue.placed.spots[0]), moment.shift)
    assert 0.5 < length(sub(there, vat.placed.at)) < 1.1
    assert at(plan, 48)["queue"].shift == (0.0, 0.0, 0.0)
    assert at(plan, 6)["queue"].heading == -1.0  # the vat stands to their left
    assert at(plan, 40)["queue"].heading == 1.0
    assert moment.carrying == (motion == "carry")


def test_motion__a_door_that_acts_on_itself_stays_where_it_is() -> None:
    plan = plan_of(looking(motion="open", actor="clinic_door", target="clinic_door"), "valve_clinic")
    assert all(at(plan, frame)["clinic_door"].shift == (0.0, 0.0, 0.0) for frame in range(49))
    assert at(plan, 20)["clinic_door"].work == 1.0


def test_urgency__changes_once_in_the_middle_and_an_actions_own_level_passes() -> None:
    calm = plan_of(looking(motion="idle"), "valve_clinic")
    assert {calm.urgency(beat(frame, 49)).level for frame in range(49)} == {0}


def test_moments__are_the_same_whenever_they_are_asked_for() -> None:
    plan = plan_of(scene(), "valve_clinic")
    once = [at(plan, frame) for frame in range(49)]
    assert [at(plan, frame) for frame in reversed(range(49))] == once[::-1]


def test_base__nothing_is_done() -> None:
    plan = plan_of(scene())
    for frame in (0, 16, 32, 48):
        assert all((m.work, m.alert, m.motion, m.pulse) == (0.0, 0.0, "", None) for m in at(plan, frame).values())
