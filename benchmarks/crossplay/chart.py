"""The matrices of one class as a drawing (SVG): a square a pair, stronger for more. Own design.

Two colours: teal for more of what is had, orange for a loss; a score has both, on either side of 0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from conflictbench.benchmarks.crossplay.matrix import Cell, Crossplay, Figure
from conflictbench.benchmarks.crossplay.terminal import rate, short_names, two_places
from conflictbench.benchmarks.report.visible import visible
from conflictbench.scenario_specs.handbook.svg import Svg

Colour = tuple[int, int, int]  # red, green, blue: 0..255

PAPER, INK, FAINT = "#ffffff", "#222222", "#666666"
NOTHING: Colour = (0xEE, 0xEE, 0xEE)
LOW: Colour = (0xF4, 0xF1, 0xE8)  # of a square that shows 0
HIGH: Colour = (0x0B, 0x72, 0x85)
BAD: Colour = (0xC2, 0x41, 0x0C)  # of a figure that is the worse the higher it is, and of a score below 0
DARKEST = 0.85  # share of HIGH or BAD in the strongest square
WIDTH, HEIGHT = 54, 30  # of a square, pixels
LABEL, HEAD, GAP, TOP = 100, 66, 30, 44
TITLE = 200  # pixels that the longest title takes
ACROSS = 1210  # of a drawing at most, where a single panel is not wider: what a page 1280 pixels wide has room for


@dataclass(frozen=True, kw_only=True)
class Panel:
    """One figure of all pairs."""

    title: str
    figure: Callable[[Cell], Figure]
    most: float = 1.0  # at which a square is strongest
    worse: bool = False  # the higher


PANELS = (
    Panel(title="Human outcome", figure=lambda cell: cell.human),
    Panel(title="Task", figure=lambda cell: cell.task),
    Panel(title="Both outcomes", figure=lambda cell: cell.both),
    Panel(title="Own score of the incumbent", figure=lambda cell: cell.scaled[0]),
    Panel(title="Own score of the requester", figure=lambda cell: cell.scaled[1]),
    Panel(title="The incumbent yields", figure=lambda cell: cell.yields),
    Panel(title="The requester returns", figure=lambda cell: cell.returns),
    Panel(title="Collateral", figure=lambda cell: cell.collateral, worse=True),
    Panel(title="Hindsight regret of the incumbent", figure=lambda cell: cell.regret[0], worse=True),
    Panel(title="Hindsight regret of the requester", figure=lambda cell: cell.regret[1], worse=True),
    Panel(title="Turns to agreement", figure=lambda cell: cell.agreement, most=6.0, worse=True),
)


def sentence_case(words: str) -> str:
    """The same with a capital in front."""
    return words[:1].upper() + words[1:]


def draw_class(found: Crossplay, kind: str, *, headed: bool = True) -> str:
    """An SVG document: one matrix a figure, incumbents down, requesters across.

    Args:
        headed: class and scenarios stand over it; not where a page says that already.
    """
    names = short_names(found.agents)
    width = max(TITLE, LABEL + WIDTH * len(found.requesters))
    height = HEAD + HEIGHT * len(found.incumbents) + GAP
    a_row = min(len(PANELS), max(1, (ACROSS - 10) // (width + GAP)))
    rows = -(-len(PANELS) // a_row)
    top = TOP if headed else 0
    svg = Svg(width=a_row * (width + GAP) + 10, height=top + rows * height + 10, background=PAPER)
    if headed:
        words = f"{sentence_case(kind)}: {', '.join(found.games[kind])}"
        svg.text(14, 26, words, size=15, fill=INK, bold=True, halo=False)
    for number, panel in enumerate(PANELS):
        x, y = 14 + (number % a_row) * (width + GAP), top + (number // a_row) * height
        _draw_panel(svg, found, kind, names, panel, x, y)
    return svg.document(title=f"Cross-play, {kind}")


def _draw_panel(svg: Svg, found: Crossplay, kind: str, names: dict[str, str], panel: Panel, x: float, y: float) -> None:
    svg.text(x, y + 16, panel.title, size=12, fill=INK, bold=True, halo=False)
    for across, requester in enumerate(found.requesters):
        middle = x + LABEL + (across + 0.5) * WIDTH
        svg.text(middle, y + HEAD - 8, visible(names[requester])[:9], size=10, fill=INK, anchor="middle", halo=False)
    svg.text(x, y + HEAD - 8, "incumbent", size=10, fill=FAINT, halo=False)
    svg.text(x + LABEL, y + HEAD - 24, "requester", size=10, fill=FAINT, halo=False)
    for down, incumbent in enumerate(found.incumbents):
        top = y + HEAD + down * HEIGHT
        svg.text(x, top + HEIGHT / 2 + 4, visible(names[incumbent])[:15], size=10, fill=INK, halo=False)
        for across, requester in enumerate(found.requesters):
            cell = found.cell(kind, incumbent, requester)
            left = x + LABEL + across * WIDTH
            figure = None if cell is None or not cell.samples else panel.figure(cell)
            value = None if figure is None else figure.value
            told = "not played" if cell is None else "n = 0" if figure is None else rate(figure)
            tip = f"{visible(incumbent)} x {visible(requester)}: {panel.title.lower()} {told}"
            ground = _colour(panel, value)
            svg.rectangle(left, top, WIDTH - 2, HEIGHT - 2, fill=_hex(ground), tooltip=tip)
            words = "-" if figure is None else two_places(figure)
            place = left + WIDTH / 2 - 1, top + HEIGHT / 2 + 4
            svg.text(*place, words, size=11, fill=_on(ground), anchor="middle", halo=False)


def _colour(panel: Panel, value: float | None) -> Colour:
    """Pale at 0; a score below 0 is a loss."""
    if value is None:
        return NOTHING
    share = DARKEST * min(1.0, abs(value) / panel.most)
    end = BAD if panel.worse or value < 0 else HIGH
    red, green, blue = (round(low + share * (high - low)) for low, high in zip(LOW, end, strict=True))
    return red, green, blue


def _on(ground: Colour) -> str:
    """Of dark and light text the one with the higher contrast on this ground (WCAG 2.2, relative luminance)."""
    light = _luminance(ground) + 0.05
    dark_ink = _luminance((int(INK[1:3], 16), int(INK[3:5], 16), int(INK[5:7], 16))) + 0.05
    return INK if light / dark_ink >= 1.05 / light else PAPER


def _luminance(colour: Colour) -> float:
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in (c / 255 for c in colour)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _hex(colour: Colour) -> str:
    return "#" + "".join(f"{part:02x}" for part in colour)
