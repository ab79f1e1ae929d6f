"""Cells and what is printed of them: counted by hand, classes apart, right at 80 columns."""

from __future__ import annotations

import html
import json
import re
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.benchmarks.crossplay.games import chiller_facts, played
from tests.benchmarks.crossplay.test_figures import AGREED, FORCED
from tests.checkout import ROOT

from conflictbench.benchmarks.crossplay.asked import Asked
from conflictbench.benchmarks.crossplay.chart import draw_class
from conflictbench.benchmarks.crossplay.course import measure, regret_of
from conflictbench.benchmarks.crossplay.legend import LEGEND
from conflictbench.benchmarks.crossplay.matrix import FEWEST, Cell, Crossplay, make_cell
from conflictbench.benchmarks.crossplay.page import to_html, write_page
from conflictbench.benchmarks.crossplay.plain import as_plain
from conflictbench.benchmarks.crossplay.samples import Sample
from conflictbench.benchmarks.crossplay.terminal import as_lines, counts_words, rate, short_names
from conflictbench.benchmarks.intervals import wilson
from conflictbench.errors import RunError

KEPT = "run_batch/hold, run_batch/hold, run_batch/hold, run_batch/hold, run_batch/hold, hold/hold, hold/hold"
EVIL = 'llm:own/<script>alert("x")</script>&[red]'


def sample(text: str, *, scenario: str = "EP2-900", first: int = 0) -> Sample:
    """A play of the chiller game, under the name of some scenario."""
    facts = chiller_facts()
    course = played(facts, text, first)
    figures = measure(facts.measures, course)
    return Sample(
        scenario=scenario,
        kind="sacrifice",
        first=first,
        figures=figures,
        scaled=(
            facts.scaled(0, course.start, figures.incumbent),
            facts.scaled(1, course.start, figures.requester),
        ),
        collateral=facts.collateral(course.start, figures),
        regret=regret_of(facts.measures, course, figures),
        exact=False,
        drawn=False,
    )


def test_cell__of_three_plays_by_hand() -> None:
    """An agreement, a ward cooled by force, a batch kept whole."""
    cell = make_cell("sacrifice", ("a", "b"), [sample(AGREED), sample(FORCED), sample(KEPT, first=1)])
    assert (cell.samples, cell.exact, cell.scenarios) == (3, False, ("EP2-900",))
    assert (cell.human.total, cell.human.n) == (2, 3)
    assert (cell.task.total, cell.task.n) == (2, 3)
    assert (cell.both.total, cell.both.n) == (1, 3)
    assert (cell.yields.total, cell.yields.n) == (1, 3)
    assert cell.yield_turn.value == 1.0  # the one that yields does so in turn 1
    assert (cell.returns.total, cell.returns.n) == (1, 1)  # by force the valve is sealed: nothing to hand back
    assert cell.collateral.value == pytest.approx((0.0 + 0.6) / 2)  # of the two with the human outcome
    assert cell.payoff[0].value == pytest.approx((0.8 + 0.2 + 1.0) / 3)
    assert cell.payoff[1].value == pytest.approx((0.9 + 0.86 + 0.0) / 3)
    assert cell.scaled[0].value == pytest.approx((0.75 + 0.0 + 1.0) / 3)  # sure of 0.2, at best 1.0
    # Kept whole against a ward that held: nothing was to be gained; the ward could have filed twice and cooled: 0.86.
    assert cell.regret[0].value == pytest.approx((0.2 + 0.7 + 0.0) / 3)
    assert cell.regret[1].value == pytest.approx((0.1 + 0.0 + 0.86) / 3)
    assert cell.agreement.value == 3.0
    assert cell.by_first == {"incumbent": (1.0, 0.5), "requester": (0.0, 0.0)}
    assert cell.swing == 1.0


def test_cell__intervals_draw_whole_scenarios() -> None:
    alike = [sample(AGREED, scenario=name) for name in "ABCDE"]
    cell = make_cell("sacrifice", ("a", "b"), alike * 50)
    # 250 plays that all came to the same are five scenarios, not 250 trials
    assert (cell.human.total, cell.human.n) == (250, 250)
    assert (cell.human.low, cell.human.high) == wilson(5, 5)
    # One of five fails. Its mean over five drawn ones is 1 - j/5, j binomial(5, 1/5): P(j >= 4) = 0.7 % and
    # P(j >= 3) = 5.8 % hold the 2.5 % point at j = 3, P(j = 0) = 33 % the 97.5 % point at j = 0.
    differ = [sample(KEPT if name == "A" else AGREED, scenario=name) for name in "ABCDE"] * 50
    cell = make_cell("sacrifice", ("a", "b"), differ)
    assert cell.human.value == 0.8
    assert (cell.human.low, cell.human.high) == pytest.approx((0.4, 1.0))


@pytest.mark.parametrize("scenarios", ["A", "AB", "ABCD"])
@pytest.mark.parametrize("last", [AGREED, KEPT])
def test_cell__of_fewer_than_five_scenarios_has_no_interval(scenarios: str, last: str) -> None:
    """Neither where all agree nor where they differ."""
    plays = [sample(last if name == scenarios[-1] else AGREED, scenario=name) for name in scenarios] * 3
    cell = make_cell("sacrifice", ("a", "b"), plays)
    figures = (cell.human, cell.task, cell.yields, *cell.payoff, *cell.regret)
    assert {(figure.low, figure.high) for figure in figures} == {(None, None)}
    assert "[" not in rate(cell.human)


def test_words__say_why_a_class_has_no_intervals() -> None:
    assert "without intervals: what 1 scenario came to says too little of others" in counts_words(1)
    assert "without intervals: what 4 scenarios" in counts_words(FEWEST - 1)
    assert "95 % interval" in counts_words(FEWEST)


def of_one_class(cells: list[Cell], agents: tuple[str, ...]) -> Crossplay:
    """A run over one scenario in which each agent has both chairs."""
    return Crossplay(
        agents=agents,
        incumbents=agents,
        requesters=agents,
        games={"sacrifice": ("EP2-900",)},
        starts={"sacrifice": 2},
        cells=tuple(cells),
        talk="none",
        solo=False,
        seeds=1,
    )


def test_lines__name_no_pair_of_which_no_play_counts_and_count_no_such_partner() -> None:
    cells = [
        make_cell("sacrifice", ("a", "a"), [sample(AGREED), sample(KEPT, first=1)]),
        make_cell("sacrifice", ("a", "b"), []),
        make_cell("sacrifice", ("b", "a"), []),
        make_cell("sacrifice", ("b", "b"), []),
    ]
    found = of_one_class(cells, ("a", "b"))
    lines = list(as_lines(found))
    assert "a x b   n = 0" in lines
    assert "Largest difference between first movers (human, both): 1.00 (a x a)." in lines
    assert [row.partners for row in found.standings("sacrifice")] == [0, 0, 0, 0]
    assert not any(" vs " in line for line in lines)
    nothing = of_one_class(cells[1:2], ("a", "b"))
    assert not any(line.startswith("Largest difference") for line in as_lines(nothing))
    assert "Sacrifice" in to_html(found) and "n = 0" not in to_html(found).partition("<tbody>")[2].partition("</tb")[0]


def test_cell__over_nothing_is_n_0_and_no_number() -> None:
    cell = make_cell("sacrifice", ("a", "b"), [])
    assert (cell.samples, cell.human.value, cell.yield_turn.value, cell.swing) == (0, None, None, 0.0)


def test_classes__are_never_pooled(all_bots: Crossplay) -> None:
    assert list(all_bots.games) == ["sacrifice", "standoff", "sacrifice, hard", "standoff, hard"]
    for cell in all_bots.cells:
        assert cell.scenarios == all_bots.games[cell.kind]
    assert all_bots.starts == {"sacrifice": 6, "standoff": 2, "sacrifice, hard": 2, "standoff, hard": 2}


def test_standing__self_play_apart_from_cross_play(all_bots: Crossplay) -> None:
    """`fair` as incumbent: its own score with `fair`, and the mean over the four others."""
    row = next(row for row in all_bots.standings("standoff") if (row.agent, row.role) == ("fair", "incumbent"))
    own = {requester: all_bots.cell("standoff", "fair", requester) for requester in all_bots.requesters}
    values = {name: cell.scaled[0].value for name, cell in own.items() if cell is not None}
    assert row.itself == values.pop("fair")
    assert row.partners == 4
    assert row.cross.value == pytest.approx(sum(value or 0.0 for value in values.values()) / 4)
    assert row.gap == pytest.approx((row.itself or 0.0) - (row.cross.value or 0.0))
    keep = next(row for row in all_bots.standings("standoff") if row.agent == "keep")
    assert (keep.itself, keep.gap) == (None, None)  # there is no such requester


def test_lines__fit_80_columns_and_fold_what_does_not(all_bots: Crossplay) -> None:
    lines = list(as_lines(all_bots))
    assert max(map(len, lines)) <= 80
    heads = [line for line in lines if line.startswith("inc. \\ req.")]
    assert all(re.search(rf"\b{name}\b", " ".join(heads)) for name in all_bots.requesters)
    rows = [line for line in lines if line.startswith("keep ")]
    assert any("0 100   0" in row for row in rows)  # keep leaves nothing: task in every start


def test_names__long_ones_get_short_ones_told_above_the_matrices() -> None:
    assert short_names(["fair", "llm:openai/a-long-name", "llm:openai/another", "sb3:some/where.zip"]) == {
        "fair": "fair",
        "llm:openai/a-long-name": "llm-1",
        "llm:openai/another": "llm-2",
        "sb3:some/where.zip": "sb3-1",
    }


def test_plain__is_json_with_every_figure(all_bots: Crossplay) -> None:
    plain = json.loads(json.dumps(as_plain(all_bots), allow_nan=False))
    (standoff,) = [one for one in plain["classes"] if one["class"] == "standoff"]
    (cell,) = [c for c in standoff["cells"] if (c["incumbent"], c["requester"]) == ("fair", "fair")]
    assert cell["exact"] and cell["both"]["value"] == 1.0 and cell["regret"]["drawn"] is False
    assert set(cell["by_first_mover"]) == {"incumbent", "requester"}


def with_evil_name(found: Crossplay) -> Crossplay:
    """The same figures, of an agent with a name from outside."""

    def renamed(name: str) -> str:
        return EVIL if name == "fair" else name

    cells = tuple(
        Cell(**{**vars(c), "incumbent": renamed(c.incumbent), "requester": renamed(c.requester)}) for c in found.cells
    )
    names = {field: tuple(map(renamed, getattr(found, field))) for field in ("agents", "incumbents", "requesters")}
    return Crossplay(**{**vars(found), **names, "cells": cells})


def test_page__escapes_names_and_loads_and_runs_nothing(all_bots: Crossplay) -> None:
    page = to_html(with_evil_name(all_bots))
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert "default-src 'none'" in html.unescape(page)
    assert set(re.findall(r"(?:src|href)=\S+", page)) == {'href="#figures">end'}
    assert page == to_html(with_evil_name(all_bots))


def test_page__explains_every_figure_by_the_names_of_the_documents(all_bots: Crossplay) -> None:
    page, documents = to_html(all_bots), (ROOT / "docs" / "two-party.md").read_text("utf-8")
    table = documents.partition("| figure | |")[2].partition("\n\n")[0]
    explained = [name for name, _ in LEGEND]
    for name in re.findall(r"^\| ([^|]+) \|", table, flags=re.MULTILINE):
        assert name in explained or name.startswith("---"), name
    assert re.findall("<dt>(.+)</dt>", page) == explained


def test_page__says_how_models_were_asked_and_links_what_lies_beside_it(all_bots: Crossplay) -> None:
    asked = Asked(asked_with="protocol p-1, <b>", usage="2 calls", notes=("<i>",), beside=("plays.html", "plays.jsonl"))
    page = to_html(all_bots, asked)
    assert "Asked with: protocol p-1, &lt;b&gt;." in page
    assert "every attempt: 2 calls." in page and "Note: &lt;i&gt;" in page
    assert re.findall('href="(plays[^"]+)"', page) == ["plays.html", "plays.jsonl"]


def test_page__says_each_heading_once_in_sentence_case(all_bots: Crossplay) -> None:
    page = to_html(all_bots)
    headings = re.findall("<h2>(.+)</h2>", page)
    assert headings == ["Sacrifice", "Standoff", "Sacrifice, hard", "Standoff, hard", "What each figure is"]
    assert ">Sacrifice, hard: EP2-003<" not in page  # which the drawing says where it stands alone
    assert ">Sacrifice, hard: EP2-003<" in draw_class(all_bots, "sacrifice, hard")


def test_drawing__is_xml_with_a_square_for_every_pair(all_bots: Crossplay) -> None:
    root = ElementTree.fromstring(draw_class(with_evil_name(all_bots), "standoff"))
    squares = [one for one in root.iter() if one.tag.endswith("rect") and len(one)]
    assert len(squares) == 11 * len(all_bots.incumbents) * len(all_bots.requesters)  # eleven figures
    tips = [one[0].text or "" for one in squares]
    assert any(tip == "keep x persist: human outcome 2/2" for tip in tips)


def test_drawing__scores_below_0_are_orange_and_digits_contrast_with_their_square(all_bots: Crossplay) -> None:
    root = ElementTree.fromstring(draw_class(all_bots, "standoff"))
    checked = 0
    for square, digits in pairwise(root):
        tip = square.findtext("{*}title") or ""
        if not square.tag.endswith("rect") or "own score" not in tip:
            continue
        checked += 1
        assert "stroke" not in digits.attrib  # no halo round them
        value, (red, _, blue) = float(digits.text or ""), bytes.fromhex(square.attrib["fill"][1:])
        if abs(value) >= 0.1:  # a lesser one is nearly as pale as 0
            assert (red > blue + 20) == (value < 0), tip
        if not 0.5 <= abs(value) <= 0.95:
            assert digits.attrib["fill"] == ("#222222" if abs(value) < 0.5 else "#ffffff"), tip
    assert checked == 2 * len(all_bots.incumbents) * len(all_bots.requesters)


def test_files__are_written_beside_the_plays_or_the_folder_is_named(all_bots: Crossplay, tmp_path: Path) -> None:
    page = write_page(all_bots, tmp_path)
    names = ["crossplay-sacrifice-hard.svg", "crossplay-sacrifice.svg", "crossplay-standoff-hard.svg"]
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        *names,
        "crossplay-standoff.svg",
        "crossplay.html",
        "crossplay.json",
    ]
    assert page == tmp_path / "crossplay.html"
    with pytest.raises(RunError, match="the page cannot be written to"):
        write_page(all_bots, tmp_path / "none")


def test_page_of_the_documents__shows_what_the_command_prints(all_bots: Crossplay) -> None:
    text = (ROOT / "docs" / "cross-play.md").read_text("utf-8")
    command, printed = text.partition("```\n$ conflictbench ")[2].partition("\n```")[0].split("\n", 1)
    assert command == f"crossplay --agents {' '.join(all_bots.agents)}"
    assert printed.splitlines() == list(as_lines(all_bots))
