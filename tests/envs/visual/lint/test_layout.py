"""The measures of docs/visual.md, "A layout that works": what stands at them is seen, and hides no zone's name."""

from __future__ import annotations

from typing import Any

import pytest
from tests.envs.visual.lint.blocks import HALF
from tests.envs.visual.scenes import block_data, entity, scene

from conflictbench.envs.visual.lint.bench import Bench
from conflictbench.envs.visual.lint.cases import cases
from conflictbench.envs.visual.lint.seen import entity_faults, zone_faults

pytest.importorskip("skia", reason="the extra `visual` is not installed")

FRONT = 3.4  # of the zones
VALVE = {"angle": {"var": "valve", "map": {"shut": 0, "to_field": 90, "to_clinic": 270}}}
GAUGES = [{"label": f"GAUGE {number}", "var": "tank"} for number in range(3)]


def layout(*things: dict[str, Any]) -> dict[str, Any]:
    """The room of the page with three columns of zones and these things."""
    block = block_data()
    block["camera"] |= {"pos": [7.5, -5.6, 6.4], "look_at": [7.5, 4.6, 1.45], "fov": 62}
    block["room"] = {"size": [15, 11, 4.8]}
    columns = ("farm", "CAVERN", 0.8, 4.8), ("yard", "BORE", 5.2, 9.8), ("hill", "SHELTER", 10.2, 14.2)
    block["zones"] = [
        {"id": key, "label": name, "rect": [left, FRONT, right, 9.0]} for key, name, left, right in columns
    ]
    block["zones"][2]["door"] = "clinic_door"
    entity(block, "racks")["at"] = [2.0, 8.0]
    entity(block, "vat")["at"] = [6.4, 8.0]
    block["entities"].remove(entity(block, "panel"))  # its place is what is tried
    wheel, arm = entity(block, "wheel"), block["actors"][0]
    wheel["at"], arm["dock"] = [8.6, 4.4], [6.6, 3.0, 4.3]
    block["entities"] += things
    return block


def messages(*things: dict[str, Any]) -> list[str]:
    """What cannot be seen of the things and of the names in that room."""
    drawn = scene(layout(*things), geometry=HALF)
    bench = Bench(drawn)
    return [f"{each.key}: {each}" for each in (*entity_faults(bench, list(cases(drawn))), *zone_faults(bench))]


def panel(x: float, gauges: int) -> dict[str, Any]:
    return {"id": "dials", "glyph": "gauge_panel", "at": [x, 0.5], "gauges": GAUGES[:gauges]}


def lever(x: float, y: float) -> dict[str, Any]:
    return {"id": "stick", "glyph": "lever", "at": [x, y], "bind": VALVE}


def test_layout__of_the_page_shows_everything() -> None:
    assert messages() == []


@pytest.mark.parametrize("x", [2.5, 5.0, 7.5, 10.0, 12.5])
def test_console__at_its_measures_is_seen_and_hides_no_name(x: float) -> None:
    bind = {"glow": {"var": "tank", "steps": [[0, 0], [0.5, 1]]}}
    assert messages({"id": "desk", "glyph": "button_console", "at": [x, 0.9], "bind": bind}) == []


@pytest.mark.parametrize("x", [3.0, 5.0, 7.5, 10.0, 12.0])
def test_lever__at_its_measures_is_seen_and_hides_no_name(x: float) -> None:
    assert messages(lever(x, 1.1)) == []


def test_lever__further_in_front_is_under_the_caption() -> None:
    (message,) = messages(lever(7.5, 0.8))
    assert "visual.entities.stick" in message and "before it: the overlay" in message


@pytest.mark.parametrize(
    "x, gauges", [(3.0, 1), (6.5, 1), (8.5, 1), (12.0, 1), (5.0, 3), (5.5, 3), (9.5, 3), (10.0, 3)]
)
def test_panel__before_the_gap_between_two_names_hides_none(x: float, gauges: int) -> None:
    assert messages(panel(x, gauges)) == []


def test_panel__before_the_middle_of_a_zone_hides_its_name() -> None:
    (message,) = messages(panel(7.5, 2))
    assert "visual.zones.yard.label" in message and "before it: dials" in message


@pytest.mark.parametrize("x", [1.0, 13.0])
@pytest.mark.parametrize("glyph", ["screen", "window"])
def test_wall__at_its_measures_shows_what_hangs_there(glyph: str, x: float) -> None:
    shown: dict[str, Any] = (
        {"lines": [{"label": "TANK", "var": "tank"}]} if glyph == "screen" else {"bind": {"open": "pump"}}
    )
    assert messages({"id": "sign", "glyph": glyph, "wall": "back", "at": [x, 11, 2.5], **shown}) == []
