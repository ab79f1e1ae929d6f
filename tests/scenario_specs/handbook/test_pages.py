"""Pages about scenarios: those that are kept are those that the files make, and they can be read."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.checkout import ROOT

from conflictbench.scenario_specs import get_scenario, scenario_ids
from conflictbench.scenario_specs.handbook.graph import AGENT, PEOPLE, draw_graph
from conflictbench.scenario_specs.handbook.pages import FOLDER, GAMES, INDEX, handbook, write_handbook
from conflictbench.scenario_specs.handbook.svg import Svg
from conflictbench.scenario_specs.parties.joint import get_joint, two_party_ids
from conflictbench.scenario_specs.verifier.evidence import Evidence

DOCS = ROOT / "docs"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return dict(handbook())


def test_handbook__the_pages_in_docs_are_those_the_files_make(pages: dict[str, str]) -> None:
    kept = {f"{own}/{path.name}": path.read_text("utf-8") for own in (FOLDER, GAMES) for path in (DOCS / own).iterdir()}
    kept[INDEX] = (DOCS / INDEX).read_text("utf-8")

    assert sorted(kept) == sorted(pages)
    stale = [name for name in pages if kept[name] != pages[name]]
    assert stale == [], "write them anew with `make pages`"


def test_handbook__has_a_page_and_a_drawing_of_every_scenario_and_an_index_of_them(
    pages: dict[str, str],
) -> None:
    for scenario in scenario_ids():
        assert pages[f"{FOLDER}/{scenario}.md"].startswith(f"# {scenario}: ")
        assert f"![routes of {scenario}]({scenario}.svg)" in pages[f"{FOLDER}/{scenario}.md"]
        assert f"[{scenario}](scenarios/{scenario}.md)" in pages[INDEX]


def test_handbook__has_a_page_of_every_game_and_the_page_about_games_leads_to_each(pages: dict[str, str]) -> None:
    about = (DOCS / "two-party.md").read_text("utf-8")
    for scenario in two_party_ids():
        page = pages[f"{GAMES}/{scenario}.md"]
        assert page.startswith(f"# {scenario} for two: ")
        assert f"[{scenario}](games/{scenario}.md)" in about
        game = get_joint(scenario).game
        helps = [move.action.help for moves in game.moves for move in moves if move.action is not None]
        assert [text for text in helps if text not in page] == []


def test_scenario_page__holds_every_text_that_is_read(pages: dict[str, str]) -> None:
    page = pages[f"{FOLDER}/EP1-001.md"]
    spec = get_scenario("EP1-001").spec

    texts = [*spec.paragraphs, *(action.help for action in spec.actions), *(item.look for item in spec.items)]
    texts += [need.else_ for action in spec.actions for need in action.needs]
    texts += [end.text for outcome in spec.outcomes for end in outcome.ends]
    assert len(texts) == 5 + 12 + 2 + 23 + 5
    assert [text for text in texts if " ".join(text.split()) not in page] == []


def test_draw_graph__has_each_route_in_its_colour_and_every_running_state_in_a_bar() -> None:
    evidence = Evidence(get_scenario("EP1-001"))
    drawing = ElementTree.fromstring(draw_graph(evidence))

    # 4 sets of people's actions of 4, 4, 4 and 5, of which two share their first step; 2 of the agent's of 4
    strokes = [path.get("stroke") for path in drawing.iter(f"{SVG}path")]
    assert strokes.count(PEOPLE) == (4 + 4 + 4 + 5) - 2
    assert strokes.count(AGENT) == (4 + 4) - 1  # stopping the fans is drawn as a step of the people's
    words = [text.text for text in drawing.iter(f"{SVG}text")]
    assert [word for word in words if word and word.endswith((" state", " states"))] == [
        "1 state",
        "6 states",
        "29 states",
        "123 states",
        "427 states",
        "1,242 states",
    ]
    assert int((evidence.tables.outcome < 0).sum()) == 1 + 6 + 29 + 123 + 427 + 1242


def test_write_handbook__twice_gives_the_same_bytes_and_drops_pages_of_scenarios_that_are_gone(tmp_path: Path) -> None:
    written = write_handbook(tmp_path)
    first = {path: path.read_bytes() for path in written}
    gone = tmp_path / FOLDER / "EP9-999.md"
    gone.write_text("old", "utf-8")

    assert write_handbook(tmp_path) == written
    assert {path: path.read_bytes() for path in written} == first
    assert not gone.exists()


def test_svg__words_and_tooltips_are_escaped() -> None:
    svg = Svg(width=9, height=9, background="#ffffff")
    svg.text(0, 0, 'a<b> & "c"', size=9, fill="#000000")
    svg.circle(0, 0, 1, fill="#000000", stroke="#000000", tooltip="<script>")

    root = ElementTree.fromstring(svg.document(title="x < y"))
    assert [text.text for text in root.iter(f"{SVG}text")] == ['a<b> & "c"']
    assert [title.text for title in root.iter(f"{SVG}title")] == ["x < y", "<script>"]
