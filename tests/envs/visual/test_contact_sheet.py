"""What a contact sheet shows: every action where it can be seen, the stages, and the levels of urgency."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from tests.envs.visual.scenes import TINY, regret_scene, scene

from conflictbench.envs.visual.contact_sheet import (
    Row,
    clips_of,
    draw_sheet,
    routes,
    showing_chains,
    stage_chain,
    urgency_chains,
    whole_sheet,
)
from conflictbench.envs.visual.fake import FakeWorldModel
from conflictbench.errors import InvalidValue, UnknownName


def test_routes__are_shortest_and_reach_every_state_that_can_be() -> None:
    shown = scene()
    found, tables = routes(shown), shown.loaded.tables
    for state, chain in found.items():
        taken = shown.follow(chain)
        assert (taken[-1].after if taken else 0) == state  # type: ignore[union-attr]
    lengths = [len(chain) for chain in found.values()]
    assert lengths == sorted(lengths)
    assert len(found) == tables.n_states


def test_showing_chains__end_with_their_action_before_an_end_where_one_can() -> None:
    shown = scene()
    tables = shown.loaded.tables
    for action, chain in showing_chains(shown).items():
        assert chain is not None
        assert chain[-1] == action
        last = shown.follow(chain)[-1]
        index = [one.id for one in shown.loaded.spec.actions].index(action)
        goes_on = [
            s
            for s in routes(shown)
            if tables.accepted[s, index] and tables.outcome[int(tables.next_state[s, index])] < 0
        ]
        assert bool(tables.outcome[last.after] < 0) is bool(goes_on)  # type: ignore[union-attr]


def test_urgency_chains__lead_to_their_levels() -> None:
    shown = scene()
    for level, chain in urgency_chains(shown).items():
        if chain is not None:
            taken = shown.follow(chain)
            assert shown.urgency(taken[-1].after if taken else 0) == level  # type: ignore[union-attr]
        else:
            assert level not in {
                shown.urgency(state) for state in routes(shown) if shown.loaded.tables.outcome[state] < 0
            }


def test_stage_chain__goes_through_all_stages_of_a_regret_test() -> None:
    chain = stage_chain(regret_scene())
    assert chain is not None
    assert chain[-3:] == ("stage:1", "stage:2", "stage:3")
    assert stage_chain(scene()) is None


def test_clips_of__a_chain_are_named_and_continue_one_another() -> None:
    clips = clips_of(scene(), FakeWorldModel(), ("valve_clinic", "start_pump"))
    assert [name for name, _ in clips] == ["base", "valve_clinic", "start_pump"]
    for (_, before), (_, after) in pairwise(clips):
        assert np.array_equal(after.frame(0), before.last)
    with pytest.raises(UnknownName, match="unknown action 'sing'"):
        clips_of(scene(), FakeWorldModel(), ("sing",))
    with pytest.raises(InvalidValue, match="is not accepted after"):
        clips_of(scene(), FakeWorldModel(), ("valve_clinic", "valve_clinic"))


def test_whole_sheet__has_a_row_for_each_thing() -> None:
    rows = list(whole_sheet(scene(), FakeWorldModel()))
    titles = [row.title.split(" (")[0] for row in rows]
    assert titles == ["base", *(action.id for action in scene().loaded.spec.actions), "urgency"]
    assert all(len(row.tiles) == len(row.words) == 3 for row in rows[:-1])  # 0, 4, 8 of nine frames
    assert len(rows[-1].tiles) == 4
    regret = [row.title for row in whole_sheet(regret_scene(), FakeWorldModel())]
    assert regret[-4:] == ["stage:1", "stage:2", "stage:3", "urgency"]


def test_draw_sheet__places_the_tiles_and_leaves_room_for_a_missing_one() -> None:
    tile = np.full((*TINY.shape[:2], 3), 200, np.uint8)
    sheet = draw_sheet("a heading that is far too long for so narrow a sheet", [Row("one", (tile, None), ("a", "b"))])
    assert sheet.shape == (44 + 44 + 24 + 8, 8 + 2 * (32 + 8), 3)
    assert (sheet[44 + 22 : 44 + 22 + 24, 8 : 8 + 32] == 200).all()
    assert not (sheet[44 + 22 : 44 + 22 + 24, 48 : 48 + 32] == 200).any()
    assert np.array_equal(
        sheet,
        draw_sheet("a heading that is far too long for so narrow a sheet", [Row("one", (tile, None), ("a", "b"))]),
    )
