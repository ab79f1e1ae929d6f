"""Where things stand: within their zone, apart from each other, in view."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.envs.visual.scenes import block_data, entity, scene

from conflictbench.envs.visual.block import Block
from conflictbench.envs.visual.clip import Geometry
from conflictbench.envs.visual.procedural.camera import DESIGN_HEIGHT, DESIGN_WIDTH, Camera
from conflictbench.envs.visual.procedural.clock import printed_time, unit_seconds
from conflictbench.envs.visual.procedural.compiling import Compiler
from conflictbench.envs.visual.procedural.noise import noise
from conflictbench.envs.visual.procedural.paths import Path
from conflictbench.envs.visual.procedural.placing import Obstacle, apart, row
from conflictbench.envs.visual.procedural.routing import edge_towards, elbows
from conflictbench.envs.visual.procedural.viewpoint import camera_of

ZONE = (4.0, 2.0, 9.0, 6.0)


def test_camera__what_it_looks_at_is_the_middle_of_the_picture() -> None:
    camera = Camera((6.5, -5.4, 5.6), (6.5, 4.0, 1.0), 62.0)
    assert camera.project((6.5, 4.0, 1.0)) == pytest.approx((DESIGN_WIDTH / 2, DESIGN_HEIGHT / 2))


def test_camera__its_field_of_view_is_from_side_to_side() -> None:
    # 90 degrees: at 10 m the picture is 20 m wide, so 5 m to the side is a quarter of it from the middle.
    camera = Camera((0.0, 0.0, 1.0), (0.0, 10.0, 1.0), 90.0)
    assert camera.project((5.0, 10.0, 1.0)) == pytest.approx((DESIGN_WIDTH * 0.75, DESIGN_HEIGHT / 2))
    assert camera.size((0.0, 10.0, 1.0)) == pytest.approx(DESIGN_WIDTH / 20)


def test_camera__steps_back_until_every_zone_is_in_view() -> None:
    data = block_data()
    data["camera"] = {"pos": [6.5, -3.0, 5.6], "look_at": [6.5, 4.0, 1.0], "fov": 60}
    block = Block.model_validate(data)
    camera = camera_of(block)
    assert camera.pos[1] < -3.0
    for zone in block.zones:
        for x in (zone.rect[0], zone.rect[2]):
            assert 0 <= camera.project((x, zone.rect[1], 0.0))[0] <= DESIGN_WIDTH


@settings(deadline=None, derandomize=True, max_examples=60)
@given(
    count=st.integers(1, 60),
    wide=st.floats(0.2, 3.0),
    anchor=st.floats(4.0, 9.0),
    stacks=st.integers(1, 3),
)
def test_row__keeps_within_its_zone_and_apart(count: int, wide: float, anchor: float, stacks: int) -> None:
    spots = row((anchor, 3.0), count, (wide, 0.5), 0.6, stacks, ZONE)
    assert len(spots) == len(set(spots)) == count
    assert all(ZONE[0] <= anchor + x - wide / 2 + 1e-9 and anchor + x + wide / 2 <= ZONE[2] + 1e-9 for x, _, _ in spots)
    for k, (x, y, z) in enumerate(spots):
        for a, b, c in spots[:k]:
            assert abs(x - a) >= wide - 1e-9 or abs(y - b) >= 0.5 - 1e-9 or abs(z - c) >= 0.6 - 1e-9


@settings(deadline=None, derandomize=True, max_examples=30)
@given(count=st.integers(1, 60))
def test_apart__people_stand_in_the_zone_and_clear_of_things(count: int) -> None:
    thing = Obstacle(6.5, 3.5, 1.0, 0.8, 1.5)
    places = apart(ZONE, count, [thing], "here")
    assert len(places) == count
    for x, y in places:
        assert ZONE[0] <= x <= ZONE[2] and ZONE[1] <= y <= ZONE[3]
        assert not (abs(x - 6.5) < 0.6 and abs(y - 3.5) < 0.5)


def test_apart__few_people_do_not_stand_behind_each_other() -> None:
    places = apart(ZONE, 5, [], "here")
    for k, (x, y) in enumerate(places):
        assert all(abs(x - a) > 0.5 or abs(y - b) > 1.0 for a, b in places[:k])


def test_apart__a_zone_full_of_things_still_holds_people() -> None:
    assert len(apart(ZONE, 3, [Obstacle(6.5, 4.0, 20.0, 20.0, 1.0)], "here")) == 3


def test_elbows__a_pipe_runs_along_the_axes_of_the_room() -> None:
    points = elbows([(1.0, 5.0, 0.3), (4.0, 3.0, 0.3), (4.1, 6.0, 0.3)], 0.0)
    assert points == ((1.0, 5.0, 0.3), (1.0, 3.0, 0.3), (4.0, 3.0, 0.3), (4.1, 6.0, 0.3))


def test_edge_towards__a_pipe_ends_just_inside_the_nearest_edge() -> None:
    assert edge_towards(ZONE, (0.0, 4.0)) == (4.45, 4.0)
    assert edge_towards(ZONE, (6.0, 4.0)) == (6.0, 4.0)


def test_path__is_walked_by_share_of_its_length() -> None:
    path = Path([(0.0, 0.0, 0.0), (3.0, 0.0, 0.0), (3.0, 1.0, 0.0)])
    assert path.length == 4.0
    assert path.at(0.5) == (2.0, 0.0, 0.0)
    assert path.at(0.875) == (3.0, 0.5, 0.0)
    assert path.at(-1.0) == (0.0, 0.0, 0.0)
    assert path.at(2.0) == (3.0, 1.0, 0.0)
    assert [leg[2:] for leg in path.legs()] == [(0.0, 3.0), (3.0, 4.0)]


def test_compiler__a_door_stands_in_the_front_of_its_zone() -> None:
    nodes = {node.id: node for node in Compiler(scene().block, 0).nodes()}
    x, y, z = nodes["clinic_door"].placed.at
    assert (y, z) == (2.6, 0.0)
    assert 8.8 < x < 12.6


def test_compiler__zones_know_whose_they_are() -> None:
    compiler = Compiler(scene().block, 0)
    assert {zone.id: compiler.side(zone) for zone in compiler.block.zones} == {"farm": "ai", "hill": "human"}
    sides = {node.id: node.placed.side for node in compiler.nodes()}
    assert (sides["racks"], sides["queue"], sides["clinic_pipe"], sides["field_pipe"]) == ("ai", "human", "human", "ai")


def test_compiler__a_screen_hangs_where_it_is_hidden_least_and_in_the_picture() -> None:
    block = block_data()
    entity(block, "vat")["at"] = [6.5, 9.0]  # before the middle of the back wall
    compiler = Compiler(scene(block, geometry=Geometry(64, 40)).block, 0)
    wall = next(node for node in compiler.nodes() if node.id == "wall")
    x, y = compiler.camera.project(wall.placed.at)
    assert 0 < x < DESIGN_WIDTH and 36 < y < DESIGN_HEIGHT
    assert abs(wall.placed.at[0] - 6.5) > 1.0


def test_noise__is_what_it_was() -> None:
    assert noise("a", 1) == noise("a", 1) != noise("a", 2)
    assert 0.0 <= noise("x") < 1.0
    assert noise("a", 1) == pytest.approx(0.179154797611, abs=1e-11)


def test_clock__is_the_storys_own() -> None:
    assert printed_time("2041-11-09T22:52:00", 125.25) == "2041-11-09 22:54:05.25"
    assert printed_time("2041-12-31T23:59:59", 1.0) == "2042-01-01 00:00:00.00"
    assert [unit_seconds(unit) for unit in ("minutes", "hour", "Days", "shifts")] == [60, 3600, 86_400, 60]
