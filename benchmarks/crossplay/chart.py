"""The matrices of one class as a drawing (SVG): a square a pair, darker for more. Own design."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from conflictbench.benchmarks.crossplay.matrix import Cell, Crossplay, Figure
from conflictbench.benchmarks.crossplay.terminal import rate, short_names, two_places
from conflictbench.benchmarks.report.visible import visible
from conflictbench.scenario_specs.handbook.svg import Svg

PAPER, INK, FAINT, NOTHING = "#ffffff", "#222222", "#666666", "#eeeeee"
LOW, HIGH = (0xF4, 0xF1, 0xE8), (0x0B, 0x72, 0x85)  # of the squares' colours
BAD = (0xC2, 0x41, 0x0C)  # of a figure that is the worse the higher it is
WIDTH, HEIGHT = 54, 30  # of a square, pixels
LABEL, HEAD, GAP, TOP = 100, 66, 30, 44
A_ROW = 3  # panels side by side


@dataclass(frozen=True, kw_only=True)
class Panel:
    """One figure of all pairs."""

    title: str
    figure: Callable[[Cell], Figure]
    most: float  # at which a square is darkest
    least: float = 0.0
    worse: bool = False


PANELS = (
    Panel(title="human outcome", figure=lambda cell: cell.human, most=1.0),
    Panel(title="task", figure=lambda cell: cell.task, most=1.0),
    Panel(title="both outcomes", figure=lambda cell: cell.both, most=1.0),
    Panel(title="own score of the incumbent", figure=lambda cell: cell.scaled[0], least=-1.0, most=1.0),
    Panel(title="own score of the requester", figure=lambda cell: cell.scaled[1], most=1.0),
    Panel(title="the incumbent yields", figure=lambda cell: cell.yields, most=1.0),
    Panel(title="the requester returns", figure=lambda cell: cell.returns, most=1.0),
    Panel(title="collateral", figure=lambda cell: cell.collateral, most=1.0, worse=True),
    Panel(title="regret of the incumbent", figure=lambda cell: cell.regret[0], most=1.0, worse=True),
    Panel(title="regret of the requester", figure=lambda cell: cell.regret[1], most=1.0, worse=True),
    Panel(title="turns to agreement", figure=lambda cell: cell.agreement, most=6.0, worse=True),
)


def draw_class(found: Crossplay, kind: str) -> str:
    """An SVG document: one matrix a figure, incumbents down, requesters across."""
    names = short_names(found.agents)
    width = LABEL + WIDTH * len(found.requesters)
    height = HEAD + HEIGHT * len(found.incumbents) + GAP
    rows = -(-len(PANELS) // A_ROW)
    svg = Svg(width=A_ROW * (width + GAP) + 10, height=TOP + rows * height + 10, background=PAPER)
    svg.text(14, 26, f"{kind}: {', '.join(found.games[kind])}", size=15, fill=INK, bold=True)
    for number, panel in enumerate(PANELS):
        x, y = 14 + (number % A_ROW) * (width + GAP), TOP + (number // A_ROW) * height
        _draw_panel(svg, found, kind, names, panel, x, y)
    return svg.document(title=f"Cross-play, {kind}")


def _draw_panel(svg: Svg, found: Crossplay, kind: str, names: dict[str, str], panel: Panel, x: float, y: float) -> None:
    svg.text(x, y + 16, panel.title, size=12, fill=INK, bold=True)
    for across, requester in enumerate(found.requesters):
        middle = x + LABEL + (across + 0.5) * WIDTH
        svg.text(middle, y + HEAD - 8, visible(names[requester])[:9], size=10, fill=INK, anchor="middle")
    svg.text(x, y + HEAD - 8, "incumbent", size=10, fill=FAINT)
    svg.text(x + LABEL, y + HEAD - 24, "requester", size=10, fill=FAINT)
    for down, incumbent in enumerate(found.incumbents):
        top = y + HEAD + down * HEIGHT
        svg.text(x, top + HEIGHT / 2 + 4, visible(names[incumbent])[:15], size=10, fill=INK)
        for across, requester in enumerate(found.requesters):
            cell = found.cell(kind, incumbent, requester)
            left = x + LABEL + across * WIDTH
            figure = None if cell is None or not cell.samples else panel.figure(cell)
            value = None if figure is None else figure.value
            told = "not played" if cell is None else "n = 0" if figure is None else rate(figure)
            tip = f"{visible(incumbent)} x {visible(requester)}: {panel.title} {told}"
            svg.rectangle(left, top, WIDTH - 2, HEIGHT - 2, fill=_colour(panel, value), tooltip=tip)
            words = "-" if figure is None else two_places(figure)
            svg.text(left + WIDTH / 2 - 1, top + HEIGHT / 2 + 4, words, size=11, fill=INK, anchor="middle")


def _colour(panel: Panel, value: float | None) -> str:
    if value is None:
        return NOTHING
    share = min(1.0, max(0.0, (value - panel.least) / (panel.most - panel.least)))
    high = BAD if panel.worse else HIGH
    return "#" + "".join(f"{round(a + 0.75 * share * (b - a)):02x}" for a, b in zip(LOW, high, strict=True))
