"""The report as one HTML page that needs nothing from outside and can run nothing but its own script. Own design.

Markup, styles and script are files under templates/; this module only fills them. All text of agents and worlds stands
in a JSON block and reaches the page as text; the policy admits the page's own style and script by their hash.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Any
from urllib.parse import urlencode

from markupsafe import Markup

from conflictbench.benchmarks.html_templates import hash_of, page_templates
from conflictbench.benchmarks.manifest import package_version
from conflictbench.benchmarks.report import numbers
from conflictbench.benchmarks.report.asking import NOT_ASKED, TITLES
from conflictbench.benchmarks.report.model import (
    ENDING_TITLES,
    ENDINGS,
    FAMILY_TITLES,
    LABELS,
    UNUSABLE,
    UNUSABLE_PARTS,
    UNUSABLE_TITLE,
    VARIANT_TITLES,
    Report,
    ending_counts,
    success_title,
)
from conflictbench.benchmarks.report.payload import pack, script_json
from conflictbench.benchmarks.report.pictures import FOLDER, ReportPictures
from conflictbench.benchmarks.report.unmoved import UNMOVED_NOTE
from conflictbench.benchmarks.report.visible import visible
from conflictbench.benchmarks.summary import APART, Group
from conflictbench.counting import counted
from conflictbench.types import VARIANTS, Status, Variant

_TEMPLATES = files("conflictbench.benchmarks.report") / "templates"
_SQUARE: tuple[tuple[str, tuple[Variant, Variant]], ...] = (  # rows by task, columns by stake
    ("task against people", ("conflict", "task_only")),
    ("task for people", ("stake_only", "control")),
)
_COLUMNS = tuple(ending for ending in ENDINGS if ending not in UNUSABLE)  # of the figures; these as one after them
_LEGEND = (  # ending as drawn, title, meaning
    *((label, label.words, label.meaning) for label in LABELS),
    (Status.TRUNCATED, ENDING_TITLES[Status.TRUNCATED], "the cap on interactions came first"),
    ("unusable", UNUSABLE_TITLE, UNUSABLE_PARTS),
)


def to_html(report: Report, pictures: ReportPictures | None = None) -> str:
    """Return the whole page; the same report gives the same bytes.

    Args:
        pictures: files beside the page, which it then loads, and nothing else.
    """
    css, js = _asset("report.css"), _asset("report.js")
    shown = {} if pictures is None else {"pictures": pictures.plain()}
    environment = page_templates("conflictbench.benchmarks.report")
    environment.filters |= {
        "visible": visible,
        "percent": numbers.percent,
        "rate": numbers.rate,
        "mean": numbers.mean,
        "effect": numbers.effect,
        "short_rate": numbers.short_rate,
        "count": numbers.count,
        "calls": numbers.calls,
        "cost": numbers.cost,
        "bounds": numbers.bounds,
        "excluded": numbers.excluded,
        "pc": lambda share: f"{100 * share:.2f}",
    }
    return environment.get_template("report.html.j2").render(
        # `Markup` marks the three parts that must not be escaped: two files of ours, and JSON without < > &.
        css=Markup(css),
        js=Markup(js),
        data=Markup(script_json(pack(report.episodes, report.unpriced, report.told) | shown)),
        policy=_policy(css, js, has_pictures=pictures is not None),
        picture_folder=None if pictures is None else FOLDER,
        version=package_version(),
        **_head(report),
        **_tables(report),
        **_plots(report),
    )


def _asset(name: str) -> str:
    return (_TEMPLATES / name).read_text("utf-8")


def _policy(css: str, js: str, *, has_pictures: bool) -> str:
    """Content security policy: nothing from anywhere, and inside the page only what has these hashes.

    Pictures come from where the page itself does.
    """
    beside = "img-src 'self'; media-src 'self'; " if has_pictures else ""
    style, script = hash_of(css), hash_of(js)
    return (
        f"default-src 'none'; style-src 'sha256-{style}'; script-src 'sha256-{script}'; {beside}base-uri 'none'; "
        "form-action 'none'; require-trusted-types-for 'script'"
    )


def _head(report: Report) -> dict[str, Any]:
    suites = sorted({run.suite for run in report.runs})
    scenarios = {episode.record.key.scenario for episode in report.episodes}
    n = sum(episode.counted for episode in report.episodes)
    headline = f"Suite {', '.join(map(visible, suites))}"
    lead = (
        f"{counted(n, 'counted episode')}: {counted(len(report.agents), 'agent')}, "
        f"{counted(len(scenarios), 'scenario')}, {counted(len(report.variants), 'variant')}. In every one "
        "people are at risk; the variant decides what the agent was asked for, and what saving them costs it."
    )
    return {
        "title": f"conflictbench: {headline}",
        "headline": headline,
        "lead": lead,
        "notes": [visible(note) for note in report.notes],
        "runs": report.runs,
        "asked_titles": TITLES if report.asked else (),
        "not_asked": NOT_ASKED,
    }


def _tables(report: Report) -> dict[str, Any]:
    summary = report.summary
    shown = [group for group in summary.groups if group.family in report.families]
    by_scenario = [group for group in summary.scenarios if group.family in report.families]
    whole = {*report.families[-1:], *APART}
    reasons = [
        (group.agent, group.variant, reason, count)
        for group in summary.groups
        if group.family in whole
        for reason, count in group.reasons.items()
    ]
    return {
        "agents": tuple(agent for agent in report.agents if any(group.agent == agent for group in shown)),
        "variants": report.variants,
        "families": (*report.families[-1:], *report.families[:-1]),  # the whole first, then its parts
        "variant_titles": VARIANT_TITLES,
        "family_titles": FAMILY_TITLES,
        "groups": {(group.agent, group.family, group.variant): group for group in shown},
        "groups_by_part": [[g for g in shown if (g.family == report.families[-1]) is whole] for whole in (True, False)],
        "all_effects": [effect for effect in summary.effects if effect.family in report.families],
        "scenario_rows": sorted({(group.scenario, group.agent) for group in by_scenario}),
        "scenario_groups": {(group.scenario, group.agent, group.variant): group for group in by_scenario},
        "endings_used": [(name, ENDING_TITLES[name]) for name in _COLUMNS],
        "unusable_title": UNUSABLE_TITLE,
        "unusable": _unusable,
        "unmoved": report.unmoved,
        "unmoved_note": UNMOVED_NOTE,
        "reasons": reasons,
        "regrets": report.regrets,
        "success": success_title(report.families),
        "success_whole": success_title(report.families[-1:]),
        "has_replies": report.has_replies,
        "single_turns": summary.single_turns,
        "epochs": [row for row in summary.epochs if row.family in report.families],
        "usages": summary.usages,
        "any_excluded": any(group.n_excluded for group in shown),
        "ending_counts": ending_counts,
    }


def _plots(report: Report) -> dict[str, Any]:
    return {
        "legend": _LEGEND,
        "parts": _parts,
        "squares": _squares(report),
        "tint": _tint,
        "interval_text": numbers.interval,
        "link": _link,
    }


def _link(agent: str, family: str, variant: str) -> str:
    """Address of the transcripts behind one cell, read by report.js."""
    wanted = {"agent": agent, "family": family, "variant": variant}
    return urlencode({name: value for name, value in wanted.items() if value != "all"})


def _unusable(group: Group) -> tuple[int, str]:
    """Episodes that ended for want of a usable reply: how many, and "refused 2, cut off 1" (empty for none)."""
    counts = {status: group.statuses.get(status, 0) for status in UNUSABLE}
    named = ", ".join(f"{ENDING_TITLES[status]} {count}" for status, count in counts.items() if count)
    return sum(counts.values()), named


def _parts(group: Group) -> list[dict[str, Any]]:
    """Segments of a group's bar: those that occur, side by side; replies that could not be used drawn as one."""
    counts = ending_counts(group)
    unusable, _ = _unusable(group)
    parts, before = [], 0
    for ending, title, _ in _LEGEND:
        count = counts.get(ending, unusable)
        if count:
            offset, share = before / group.n, count / group.n
            parts.append({"ending": ending, "title": title, "count": count, "offset": offset, "share": share})
        before += count
    return parts


def _squares(report: Report) -> list[dict[str, Any]]:
    """One two-by-two an agent, where at least two of the four variants were run."""
    family = report.families[-1] if report.families else "all"
    squares = []
    for agent in report.agents:
        cells = {variant: report.summary.group(agent, family, variant) for variant in VARIANTS}
        if sum(group is not None for group in cells.values()) < 2:
            continue
        rows = [(title, [(variant, cells[variant]) for variant in variants]) for title, variants in _SQUARE]
        effects = [e for e in report.summary.effects if (e.agent, e.family) == (agent, family)]
        squares.append({"agent": agent, "rows": rows, "effects": effects})
    return squares


def _tint(group: Group | None) -> int:
    """Step of the background, 0 to 5, by the rate."""
    return 0 if group is None or group.tsr.value is None else round(5 * group.tsr.value)
