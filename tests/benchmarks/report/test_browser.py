"""The page in a real browser: hostile texts do nothing, transcripts open, filters and keys work, widths fit."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from tests.benchmarks.report.browsing import HOSTILE, Open

from conflictbench.benchmarks.report.asking import Asking
from conflictbench.benchmarks.report.model import Report, RunHead, build_report
from conflictbench.types import EpisodeRecord, Event, Label, StepRecord, Usage

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytest.importorskip("playwright", reason="the browser tests need the package playwright")
pytestmark = pytest.mark.browser
MakeRecord = Callable[..., EpisodeRecord]
UNSEEN = "\x1b[31mred\u202egnp\u2028end\x00\u200b"
LONG = "word " * 200_000  # a million characters


def a_report(make_record: MakeRecord) -> Report:
    """Three ordinary episodes of `plain`, one of an agent whose every text is hostile."""
    step = StepRecord(index=0, command="open valve", text="The valve turns.", event=Event.ACCEPTED, turn=1)
    records = [
        make_record(agent="plain", label=Label.HUMAN, opening="You keep the pumps.", steps=(step,), turns=1),
        make_record(agent="plain", variant="control", label=Label.BOTH_LOSE, opening="You keep the pumps."),
        make_record(agent="plain", scenario="EP2-001", label=Label.AGENT_BY_CHOICE, opening="You keep the lamp."),
        make_record(
            agent=HOSTILE,
            label=Label.AGENT_BY_DEFAULT,
            opening=HOSTILE,
            steps=(
                StepRecord(
                    index=0,
                    command=HOSTILE,
                    text=UNSEEN,
                    reply=f"So: {HOSTILE}",
                    reasoning=HOSTILE,
                    event=Event.UNKNOWN,
                ),
                StepRecord(index=1, command="say much", text=LONG, event=Event.FREE),
            ),
        ),
    ]
    heads = [RunHead(name=HOSTILE, agent=HOSTILE, suite=HOSTILE, version=HOSTILE, finished=4, planned=4)]
    return build_report(heads, records, [HOSTILE])


def test_page__hostile_texts_are_shown_and_do_nothing(open_page: Open, make_record: MakeRecord) -> None:
    from playwright.sync_api import expect

    page, seen, address = open_page(a_report(make_record))
    page.locator(".list button", has_text="by default").click()
    for summary in page.locator(".transcript summary").all():
        summary.click()
    expect(page.locator(".raw")).to_have_count(2)
    texts = page.locator(".transcript .prose, .transcript .raw").all_inner_texts()
    assert texts[0] == HOSTILE  # the opening
    assert texts[1:3] == [HOSTILE, f"So: {HOSTILE}"]  # reasoning and reply, as opened
    assert texts[3] == "\\x1b[31mred\\u202egnp\\u2028end\\x00\\u200b"
    assert page.locator(".transcript kbd").first.inner_text() == HOSTILE
    assert page.locator("img, .transcript script, .transcript b").count() == 0
    assert seen.nothing_but(address), seen


def test_page__a_text_of_a_million_characters_opens_clipped_then_whole(
    open_page: Open, make_record: MakeRecord
) -> None:
    page, _, _ = open_page(a_report(make_record))
    page.locator(".list button", has_text="by default").click()
    last = page.locator(".transcript .prose").last
    assert len(last.text_content() or "") < 25_000
    last.get_by_role("button", name="Show all 1,000,000 characters").click()
    assert last.text_content() == LONG


def test_page__filters_and_search_narrow_the_list(open_page: Open, make_record: MakeRecord) -> None:
    from playwright.sync_api import expect

    page, seen, address = open_page(a_report(make_record))
    count = page.locator(".count")
    assert count.inner_text() == "4 of 4 episodes"
    page.locator("select[name=variant]").select_option("control")
    assert count.inner_text() == "1 of 4 episodes"
    assert page.locator(".list button").all_inner_texts()[0].startswith("\u2716")
    page.get_by_role("button", name="Clear").click()
    expect(count).to_have_text("4 of 4 episodes")
    page.get_by_label("Search").fill("keep the PUMPS")
    assert count.inner_text() == "2 of 4 episodes"
    page.get_by_label("Search").fill("valve turns")  # a step's text
    assert count.inner_text() == "1 of 4 episodes"
    page.get_by_label("Search").fill("<b>")
    assert count.inner_text() == "1 of 4 episodes"
    page.get_by_label("Search").fill("no such words")
    assert page.locator(".list button").count() == 0
    assert seen.nothing_but(address), seen


def test_page__works_from_the_keyboard(open_page: Open, make_record: MakeRecord) -> None:
    page, _, _ = open_page(a_report(make_record))
    page.keyboard.press("/")
    page.keyboard.type("plain")
    assert page.get_by_label("Search").input_value() == "plain"
    page.locator(".list button").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    assert page.locator(".list button").nth(1).get_attribute("aria-current") == "true"
    assert page.locator(".transcript").evaluate("element => element === document.activeElement")


def test_page__a_rate_leads_to_its_transcripts_and_an_episode_has_an_address(
    open_page: Open, make_record: MakeRecord
) -> None:
    from playwright.sync_api import expect

    page, _, address = open_page(a_report(make_record))
    page.locator("#rates tbody").first.locator("tr", has_text="plain").get_by_role("link", name="1/2").click()
    expect(page.locator(".count")).to_have_text("2 of 4 episodes")
    page.locator(".list button", has_text="by choice").click()
    anchor = page.evaluate("location.hash")
    assert address not in anchor
    second, _, _ = open_page(a_report(make_record), anchor=anchor)
    assert second.locator(".transcript h3").inner_text().split() == ["\u25a0", "EP2-001", "by", "choice"]


def many(make_record: MakeRecord) -> Report:
    """300 episodes, of which the list shows 200 at first; each has enough text to fill more than one window."""
    step = StepRecord(index=0, command="open valve", text="The valve turns. " * 400, event=Event.ACCEPTED, turn=1)
    records = [make_record(agent="plain", seed=seed, label=Label.HUMAN, steps=(step,), turns=1) for seed in range(300)]
    return build_report([], records)


def top(page: Page, selector: str) -> int:
    """Pixels from the top of the window to the element."""
    return round(page.locator(selector).first.evaluate("element => element.getBoundingClientRect().top"))


def test_search__arrow_down_goes_to_the_first_hit_and_enter_opens_it(open_page: Open, make_record: MakeRecord) -> None:
    page, _, _ = open_page(a_report(make_record))
    page.keyboard.press("/")
    page.keyboard.type("lamp")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.textContent").startswith("\u25a0EP2-001")
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.name") == "search"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert page.locator(".transcript h3").inner_text().split()[1] == "EP2-001"


def test_search__enter_in_the_field_opens_the_first_hit(open_page: Open, make_record: MakeRecord) -> None:
    page, _, _ = open_page(a_report(make_record))
    page.get_by_label("Search").fill("lamp")
    page.keyboard.press("Enter")
    assert page.locator(".transcript h3").inner_text().split()[1] == "EP2-001"


@pytest.mark.parametrize("width", [400, 1400])
def test_slash__brings_the_transcripts_to_the_top_of_the_window(
    open_page: Open, make_record: MakeRecord, width: int
) -> None:
    page, _, _ = open_page(many(make_record), width=width)
    page.keyboard.press("/")
    assert top(page, "#transcripts") == 16  # its scroll margin
    assert page.evaluate("document.activeElement.name") == "search"


def test_address__keeps_filters_search_and_the_open_episode(open_page: Open, make_record: MakeRecord) -> None:
    from playwright.sync_api import expect

    page, _, address = open_page(a_report(make_record))
    page.locator("select[name=variant]").select_option("conflict")
    page.get_by_label("Search").fill("keep the")
    expect(page).to_have_url(f"{address}#variant=conflict&q=keep+the")
    page.locator(".list button", has_text="by choice").click()
    anchor = page.evaluate("location.hash")
    assert anchor == "#variant=conflict&q=keep+the&episode=EP2-001%2Fconflict%2Fplain%2F0%2F0%2F1"
    second, _, _ = open_page(a_report(make_record), anchor=anchor)
    assert second.get_by_label("Search").input_value() == "keep the"
    assert second.locator(".count").inner_text() == page.locator(".count").inner_text() == "2 of 4 episodes"
    assert second.locator(".transcript h3").inner_text().split()[1] == "EP2-001"


def test_address__of_an_episode_that_is_not_there_says_so(open_page: Open, make_record: MakeRecord) -> None:
    page, _, _ = open_page(a_report(make_record), anchor="#episode=EP9-001/x")
    assert page.locator(".transcript").inner_text() == "This report has no episode EP9-001/x."


@pytest.mark.parametrize("width, at_the_top", [(400, ".transcript"), (1400, ".browser")])
def test_deep_link__is_there_at_once_with_its_row_in_view(
    open_page: Open, make_record: MakeRecord, width: int, at_the_top: str
) -> None:
    anchor = "#episode=EP1-001%2Fconflict%2Fplain%2F250%2F0%2F1"
    page, _, _ = open_page(many(make_record), width=width, anchor=anchor)
    assert top(page, at_the_top) == 0  # measured right after loading: nothing is still moving
    row = page.locator(".list button[aria-current=true]")
    assert "seed 250" in row.inner_text()
    pane, box = page.locator(".pane").bounding_box(), row.bounding_box()
    assert pane is not None
    assert box is not None
    assert pane["y"] <= box["y"]
    assert box["y"] + box["height"] <= pane["y"] + pane["height"]


def test_section_link__is_there_at_once(open_page: Open, small_report: Report) -> None:
    page, _, _ = open_page(small_report, width=400)
    page.get_by_role("link", name="All figures").click()
    assert top(page, "#figures") == 16  # its scroll margin


def test_narrow__a_chosen_episode_is_at_the_top_and_the_list_one_button_away(
    open_page: Open, make_record: MakeRecord
) -> None:
    page, _, _ = open_page(many(make_record), width=400)
    page.locator(".list button").nth(2).click()
    assert top(page, ".transcript") == 0
    page.evaluate("window.scrollBy(0, 3000)")
    assert top(page, ".transcript") == -3000
    page.get_by_role("button", name="Back to the list").click()  # it stays in sight
    assert top(page, ".browser") == 0
    assert "seed 2" in page.evaluate("document.activeElement.textContent")


def test_wide_tables__say_that_they_scroll_in_a_narrow_window(open_page: Open, small_report: Report) -> None:
    page, _, _ = open_page(small_report, width=400)
    assert page.locator("#figures .sideways").first.is_visible()
    shadow = "element => getComputedStyle(element).backgroundImage"
    assert page.locator("#figures .scroll").first.evaluate(shadow).count("gradient") == 4
    wide, _, _ = open_page(small_report)
    assert not wide.locator("#figures .sideways").first.is_visible()


@pytest.mark.parametrize("width", [320, 400, 1400])
def test_page__fits_its_window(open_page: Open, small_report: Report, width: int) -> None:
    page, seen, address = open_page(small_report, width=width)
    page.locator(".list button").first.click()
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert seen.nothing_but(address), seen


def test_page__policy_stops_a_script_that_got_in(open_page: Open, small_report: Report) -> None:
    page, seen, _ = open_page(small_report)
    page.evaluate(
        """() => {
            const script = document.createElement("script");
            try { script.textContent = "window.ran = true"; } catch { return; }
            document.body.append(script);
        }"""
    )
    with pytest.raises(Exception, match="TrustedHTML"):
        page.evaluate("() => { document.body.innerHTML = '<p>x</p>'; }")
    assert page.evaluate("window.ran") is None
    assert seen.messages  # the browser says what it refused


def test_transcript__says_how_its_model_was_asked(open_page: Open, make_record: MakeRecord) -> None:
    hostile = "gpt-\u202egnp\x1b[31m<img src=x onerror=alert(1)>"
    asked = {"agent": "model", "label": Label.HUMAN, "models": (hostile, "m-2"), "reasks": 1, "malformed": 3}
    usage = Usage(calls=1, input_tokens=5, output_tokens=2)
    records = [
        make_record(**asked, usage=usage, protocol="paper-v1-0a1b2c3d-last4"),
        make_record(**asked, usage=usage, protocol="tools-v1-0a1b2c3d", seed=1).model_copy(
            update={"env_id": "ConflictBench/Regret-v0"}
        ),
        make_record(**asked, protocol="paper-v1; rm x", seed=2),
        make_record(label=Label.HUMAN, seed=3),
    ]
    run = RunHead(name="r", agent="model", suite="s", version="1", finished=4, planned=4, price_known=False)
    page, seen, address = open_page(build_report([run], records), width=400)
    facts, commands = [], []
    for place in range(4):
        page.locator(".list button").nth(place).click()
        facts.append(page.locator(".facts").inner_text().split("\n"))
        commands.append(page.locator(".told code").all_inner_texts())
    command = "conflictbench show-prompt EP1-001 --protocol"
    assert commands == [
        [f"{command} paper-v1-0a1b2c3d --variant conflict"],
        [f"{command} tools-v1-0a1b2c3d --variant conflict --env ConflictBench/Regret-v0 --seed 1"],
        [],  # nothing to copy that a shell would act on
        [],
    ]
    shown = dict(zip(facts[0][::2], facts[0][1::2], strict=True))
    assert shown["answered as"] == "gpt-\\u202egnp\\x1b[31m<img src=x onerror=alert(1)>, then m-2"
    assert (shown["protocol"], shown["cost"], shown["malformed"]) == ("paper-v1-0a1b2c3d-last4", "unknown", "3")
    assert not {"protocol", "answered as", "malformed", "cost"} & set(facts[3])
    assert page.evaluate("document.documentElement.scrollWidth") == 400
    assert seen.nothing_but(address), seen


def test_settings_link__opens_the_runs(open_page: Open, make_record: MakeRecord) -> None:
    asking = Asking(protocols=("paper-v1-0a1b2c3d",), endpoint="default", temperature=0, max_tokens=9, seed="1")
    run = RunHead(name="r", agent="model", suite="s", version="1", finished=1, planned=1, asking=asking)
    records = [make_record(agent="model", label=Label.HUMAN, usage=Usage(calls=1))]
    page, _, _ = open_page(build_report([run], records))
    assert not page.locator("#runs").is_visible()
    page.get_by_role("link", name="Runs in this report").click()
    assert page.locator("#runs").is_visible()
