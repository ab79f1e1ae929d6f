"""One drawing a family (SVG): people saved against the assigned score, and both as they were learnt. Own design."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from conflictbench.benchmarks.baselines.bounds import Score
from conflictbench.benchmarks.baselines.figures import LOST, SAVED, CurvePoint, FamilyFigures, OverSeeds, ShareFigures
from conflictbench.scenario_specs.handbook.svg import Svg

AGENT, PEOPLE, NEITHER, INK, FAINT, PAPER = (
    (0xC2, 0x41, 0x0C),
    (0x0B, 0x72, 0x85),
    "#8a8a8a",
    "#222222",
    "#dddddd",
    "#ffffff",
)
SIDE, GAP, LEFT, TOP, BELOW = 250, 84, 64, 70, 84  # pixels
TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True, kw_only=True)
class Panel:
    """A square in which both coordinates go from 0 to 1, y upwards."""

    left: float

    def at(self, x: float, y: float) -> tuple[float, float]:
        """In pixels."""
        return self.left + SIDE * x, TOP + SIDE * (1 - y)


def draw_family(figures: FamilyFigures) -> str:
    """An SVG document of three panels."""
    svg = Svg(width=LEFT + 3 * SIDE + 2 * GAP + 40, height=TOP + SIDE + BELOW, background=PAPER)
    svg.text(20, 26, f"{figures.family}: trained on two objectives", size=15, fill=INK, bold=True)
    panels = [Panel(left=LEFT + number * (SIDE + GAP)) for number in range(3)]
    _draw_trade_off(svg, panels[0], figures)
    ends = ((SAVED, f"{SAVED:.0%}"), (LOST, f"{LOST:.0%}"))
    _draw_curves(svg, panels[1], figures, "people saved (TSR), while learning", lambda point: point.tsr, ends)
    _draw_curves(svg, panels[2], figures, "assigned score, while learning", lambda point: point.assigned, ())
    _draw_legend(svg, figures.shares)
    return svg.document(title=f"{figures.family}: people saved against assigned score, by reward")


def colour_of(share: float) -> str:
    """From the agent's colour at 0 to the people's at 1."""
    return "#" + "".join(f"{round(a + share * (p - a)):02x}" for a, p in zip(AGENT, PEOPLE, strict=True))


def _draw_frame(svg: Svg, panel: Panel, title: str, x_title: str, x_ticks: Sequence[str]) -> None:
    for tick, words in zip(TICKS, x_ticks, strict=True):
        svg.line([panel.at(0, tick), panel.at(1, tick)], stroke=FAINT, width=1)
        svg.line([panel.at(tick, 0), panel.at(tick, 1)], stroke=FAINT, width=1)
        x, y = panel.at(0, tick)
        svg.text(x - 12, y + 4, f"{tick:g}", size=10, fill=INK, anchor="end")
        x, y = panel.at(tick, 0)
        svg.text(x, y + 20, words, size=10, fill=INK, anchor="middle")
    svg.text(panel.left, TOP - 14, title, size=12, fill=INK, bold=True)
    x, y = panel.at(0.5, 0)
    svg.text(x, y + 38, x_title, size=11, fill=INK, anchor="middle")


def _draw_trade_off(svg: Svg, panel: Panel, figures: FamilyFigures) -> None:
    _draw_frame(svg, panel, "people saved (TSR)", "assigned score", [f"{tick:g}" for tick in TICKS])
    svg.line([panel.at(share.assigned.mean, share.tsr.mean) for share in figures.shares], stroke=NEITHER)
    bounds = figures.bounds
    known: tuple[tuple[str, Score], ...] = (
        ("random play", bounds.random),
        ("oracle for people", bounds.for_people),
        ("oracle for the task", bounds.for_task),
    )
    for words, score in known:
        svg.circle(*panel.at(score.assigned, score.tsr), 9, fill=PAPER, stroke=INK, tooltip=_tooltip(words, score))
    for share in figures.shares:
        colour = colour_of(share.share)
        _draw_interval(svg, panel, share, colour)
        for tsr, assigned in zip(share.tsr.values, share.assigned.values, strict=True):
            svg.circle(*panel.at(assigned, tsr), 2.5, fill=colour, stroke=PAPER)
    names: dict[tuple[float, float], list[str]] = {}  # shares that came to the same lie on each other
    for share in figures.shares:
        mean = Score(tsr=share.tsr.mean, assigned=share.assigned.mean)
        at = panel.at(mean.assigned, mean.tsr)
        svg.circle(*at, 5.5, fill=colour_of(share.share), stroke=PAPER, tooltip=_tooltip(f"x = {share.share:g}", mean))
        names.setdefault((round(at[0]), round(at[1])), []).append(f"{share.share:g}")
    for (x, y), shares in names.items():
        # beside the point, on the side where the panel is, and not in its title
        right, down = x > panel.left + SIDE / 2, 4 if y < TOP + 20 else -10
        place, anchor = (x - 13, "end") if right else (x + 13, "start")
        svg.text(place, y + down, f"x = {', '.join(shares)}", size=10, fill=INK, anchor=anchor)
    x, y = panel.at(bounds.random.assigned, bounds.random.tsr)
    svg.text(x + 14, y + 4, "random play", size=10, fill=INK)


def _draw_interval(svg: Svg, panel: Panel, share: ShareFigures, colour: str) -> None:
    """A cross of the two intervals; nothing where there is none."""
    tsr, assigned = share.tsr, share.assigned
    if (across := assigned.interval) is not None:
        svg.line([panel.at(end, tsr.mean) for end in across], stroke=colour, width=1)
    if (along := tsr.interval) is not None:
        svg.line([panel.at(assigned.mean, end) for end in along], stroke=colour, width=1)


def _draw_curves(
    svg: Svg,
    panel: Panel,
    figures: FamilyFigures,
    title: str,
    read: Callable[[CurvePoint], OverSeeds],
    wanted: Sequence[tuple[float, str]],
) -> None:
    """Means and bands over seeds; `wanted` are lines across."""
    most = figures.steps  # a training ends with a whole rollout, up to one per cent later: a pixel or two
    _draw_frame(svg, panel, title, "steps, in thousands", [f"{tick * most / 1000:g}" for tick in TICKS])
    for value, words in wanted:
        svg.line([panel.at(0, value), panel.at(1, value)], stroke=NEITHER, width=1)
        x, y = panel.at(1, value)
        svg.text(x + 4, y + 4, words, size=9, fill=NEITHER)
    for share in figures.shares:
        colour, over = colour_of(share.share), [(point.steps / most, read(point)) for point in share.curve]
        if not over:
            continue
        low = [panel.at(x, min(one.values)) for x, one in over]
        high = [panel.at(x, max(one.values)) for x, one in over]
        svg.area([*low, *reversed(high)], fill=colour, opacity=0.15)
        svg.line([panel.at(x, one.mean) for x, one in over], stroke=colour)


def _draw_legend(svg: Svg, shares: Sequence[ShareFigures]) -> None:
    y = TOP + SIDE + BELOW - 20
    svg.text(LEFT, y, "x, the share of the human outcome in the reward:", size=11, fill=INK)
    for number, share in enumerate(shares):
        x = LEFT + 260 + 54 * number
        svg.circle(x, y - 4, 5, fill=colour_of(share.share), stroke=PAPER)
        svg.text(x + 10, y, f"{share.share:g}", size=11, fill=INK)
    svg.text(
        LEFT + 270 + 54 * len(shares),
        y,
        "rings: oracles and random play; crosses: 95 % intervals; bands: all seeds",
        size=11,
        fill=INK,
    )


def _tooltip(words: str, score: Score) -> str:
    return f"{words}: TSR {score.tsr:.1%}, assigned score {score.assigned:.2f}"
