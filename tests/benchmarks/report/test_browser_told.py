"""What a model was told and what it thought, in a real browser: folded, opened together, left out of the search."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.benchmarks.report.browsing import HOSTILE, Open

from conflictbench.benchmarks.report.model import Report, build_report
from conflictbench.benchmarks.report.told import Told, asked_by
from conflictbench.types import EpisodeRecord, Event, Label, StepRecord

pytest.importorskip("playwright", reason="the browser tests need the package playwright")
pytestmark = pytest.mark.browser
MakeRecord = Callable[..., EpisodeRecord]


def told_report(make_record: MakeRecord) -> Report:
    """Two episodes of a model of which it is known what it was told, one of which reasons twice."""
    steps = tuple(
        StepRecord(
            index=place,
            command="open valve",
            text="It turns.",
            event=Event.ACCEPTED,
            turn=place + 1,
            reply="ACTION: open valve",
            reasoning=f"Thought {place}.",
            reasoning_source="text",
        )
        for place in range(2)
    )
    asked = {"agent": "model", "label": Label.HUMAN, "opening": "You wake.", "protocol": "tools-v1-0a1b2c3d"}
    records = [make_record(**asked, steps=steps, turns=2), make_record(**asked, seed=1)]
    words = Told(instructions=f"Act. {HOSTILE}", help_page="- close lid: shuts it", tools='{"name": "act"}')
    return build_report([], records, told={asked_by(records[0]): words})


def test_transcript__shows_folded_what_the_model_was_told(open_page: Open, make_record: MakeRecord) -> None:
    from playwright.sync_api import expect

    page, seen, address = open_page(told_report(make_record))
    page.locator(".list button").first.click()
    folded = page.locator(".transcript > details")
    assert folded.locator("summary").all_inner_texts() == [
        "instructions to the model, before the opening",
        "help page that followed: the commands on offer",
        "function on offer",
    ]
    assert page.locator(".transcript .raw").count() == 0  # until it is opened
    for summary in folded.locator("summary").all():
        summary.click()
    expect(folded.locator(".raw")).to_have_count(3)
    texts = folded.locator(".raw").all_inner_texts()
    assert texts == [f"Act. {HOSTILE}", "- close lid: shuts it", '{"name": "act"}']
    assert page.locator(".told").count() == 0  # nobody needs the command that prints it
    page.get_by_label("Search").fill("close lid")  # on offer in every episode, given in none
    assert page.locator(".list button").count() == 0
    assert seen.nothing_but(address), seen


def test_transcript__one_button_opens_all_reasoning_here_and_in_the_next(
    open_page: Open, make_record: MakeRecord
) -> None:
    from playwright.sync_api import expect

    page, _, _ = open_page(told_report(make_record))
    rows, button = page.locator(".list button"), page.locator(".openall")
    rows.first.click()
    expect(page.locator(".steps details[open]")).to_have_count(0)
    button.click()
    texts = ["Thought 0.", "ACTION: open valve", "Thought 1.", "ACTION: open valve"]
    expect(page.locator(".steps .raw")).to_have_text(texts)
    rows.nth(1).click()
    assert button.count() == 0  # nothing in it to open
    rows.first.click()
    expect(page.locator(".steps details[open]")).to_have_count(4)
    assert button.inner_text() == "Close all"
    button.click()
    expect(page.locator(".steps details[open]")).to_have_count(0)
