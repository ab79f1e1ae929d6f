"""The HTML page as a parser sees it: self-contained, deterministic, with nothing in it that a text put there."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from importlib.resources import files

import pytest

from conflictbench.benchmarks.report.model import Report, RunHead, build_report
from conflictbench.benchmarks.report.page import to_html
from conflictbench.types import EpisodeRecord, Event, Label, Status, StepRecord

MakeRecord = Callable[..., EpisodeRecord]
HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>'\"&lt;{{7*7}}<!--\u2028\x1b[31m\u202e"
CSS = (files("conflictbench.benchmarks.report") / "templates" / "report.css").read_text("utf-8")


class Page(HTMLParser):
    """Every element with its attributes, and the text of each kind of element."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self._open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in {"meta", "input", "br"}:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if self._open:
            self.texts.setdefault(self._open[-1], []).append(data)


def hostile_report(make_record: MakeRecord) -> Report:
    steps = (StepRecord(index=0, command=HOSTILE, text=HOSTILE, reply=HOSTILE, event=Event.UNKNOWN, reasoning=HOSTILE),)
    records = [
        make_record(agent=HOSTILE, label=Label.HUMAN, opening=HOSTILE, steps=steps),
        make_record(agent=HOSTILE, seed=1, status=Status.ENV_ERROR, error=HOSTILE),
    ]
    heads = [RunHead(name=HOSTILE, agent=HOSTILE, suite=HOSTILE, version=HOSTILE, finished=1, planned=2)]
    return build_report(heads, records, [HOSTILE])


def test_page__is_the_same_bytes_twice(small_report: Report) -> None:
    assert to_html(small_report) == to_html(small_report)


def test_page__loads_nothing(small_report: Report) -> None:
    page = Page(to_html(small_report))
    assert not {tag for tag, _ in page.elements} & {
        "link",
        "img",
        "iframe",
        "object",
        "embed",
        "base",
        "video",
        "audio",
    }
    for tag, attributes in page.elements:
        assert not attributes.keys() & {"src", "srcset", "style", "action", "ping"}, tag
        assert not [name for name in attributes if name.startswith("on")], tag
        assert tag != "a" or (attributes["href"] or "").startswith("#")
    assert not re.search(r"https?:|@import|url\((?!#)", to_html(small_report))


def test_page__policy_admits_its_own_style_and_script_alone(small_report: Report) -> None:
    page = Page(to_html(small_report))
    policy = next(
        attributes["content"] or ""
        for tag, attributes in page.elements
        if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy"
    )
    sha = {
        tag: base64.b64encode(hashlib.sha256(page.texts[tag][-1].encode()).digest()).decode()
        for tag in ("style", "script")
    }
    assert policy.split("; ")[:3] == [
        "default-src 'none'",
        f"style-src 'sha256-{sha['style']}'",
        f"script-src 'sha256-{sha['script']}'",
    ]


def test_page__hostile_texts_add_no_element(make_record: MakeRecord) -> None:
    page = Page(to_html(hostile_report(make_record)))
    tags = [tag for tag, _ in page.elements]
    assert (tags.count("script"), tags.count("img"), tags.count("style")) == (2, 0, 1)
    assert not [name for _, attributes in page.elements for name in attributes if name.startswith("on")]
    assert not set("".join(page.texts["th"])) & set("\x1b\u202e\u2028")
    data = json.loads(page.texts["script"][0])
    assert HOSTILE in data["strings"]


def test_page__shows_every_rate_of_the_summary(small_report: Report) -> None:
    text = to_html(small_report)
    # 3 of 11 in EP1 and 2 of 8 in EP2 make 5 of 19; two provider errors of one key that ran again leave one excluded.
    for cell in ("3/11", "2/8", "5/19", "1/1", "2/2"):
        assert f">{cell}</a>" in text
    assert "excluded: provider_error 1" in text
    assert "1 x provider_error: http 529" in text


def test_page__counts_only_episodes_that_count(small_report: Report) -> None:
    # steady: 2 families x 4 variants; mixed: 8 x 8, and 3 more that count.
    assert "75 counted episodes: 2 agents, 2 scenarios, 4 variants" in to_html(small_report)


def test_figures__a_row_adds_up_to_its_n(small_report: Report) -> None:
    table = to_html(small_report).split('<table class="figures">')[1].split("</table>")[0]
    titles = re.findall(r"<th scope=\"col\"[^>]*>(.*?)</th>", table)
    assert titles[3:10] == ["n", "human", "by default", "by choice", "both lose", "truncated", "no usable reply"]
    rows = [re.findall(r"<td[^>]*>(\d+)", row) for row in table.split("<tr>")[2:]]
    assert [int(row[0]) for row in rows] == [19, 16, 16, 16, 2, 2, 2, 2]
    assert [sum(map(int, row[1:7])) for row in rows] == [int(row[0]) for row in rows]
    assert '>1 <span class="hint">refused 1</span></td>' in table


def test_page__one_variant_has_no_two_by_two(make_record: MakeRecord) -> None:
    text = to_html(build_report([], [make_record(label=Label.HUMAN)]))
    assert 'id="square"' not in text
    assert "#square" not in text


def test_page__of_an_empty_report_is_a_page() -> None:
    assert "0 counted episodes: 0 agents" in to_html(build_report([], [], ["nothing yet"]))


def test_page__a_group_with_nothing_counted_says_n_0(make_record: MakeRecord) -> None:
    text = to_html(build_report([], [make_record(status=Status.BUDGET, error="spent")]))
    assert '<span class="none">n = 0</span>' in text
    assert ">0%<" not in text


def test_page__a_thousand_episodes_stay_small(make_record: MakeRecord) -> None:
    step = StepRecord(index=0, command="open valve", text="It turns. " * 30, event=Event.ACCEPTED, turn=1)
    records = [
        make_record(seed=seed, variant=variant, label=Label.HUMAN, opening="You. " * 400, steps=(step,) * 14)
        for seed in range(250)
        for variant in ("conflict", "stake_only", "task_only", "control")
    ]
    assert len(to_html(build_report([], records)).encode()) < 300_000


def _luminance(color: str) -> float:
    parts = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours__text_is_readable_in_both_schemes(scheme: str) -> None:
    """WCAG 2.1 AA: 4.5 to 1 for text, here for the numbers on the bars as well."""
    start = CSS.index(":root" if scheme == "light" else "prefers-color-scheme: dark")
    colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", CSS[start : CSS.index("}", start)]))
    on = [(name, f"{name}-on") for name in ("human", "default", "choice", "both", "none", "other")]
    on += [(back, front) for back in ("paper", "card") for front in ("text", "soft", "accent")]
    for back, front in on:
        high, low = sorted((_luminance(colours[back]), _luminance(colours[front])), reverse=True)
        assert (high + 0.05) / (low + 0.05) >= 4.5, (back, front)
