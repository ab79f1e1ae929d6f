"""The matrices as text: right at 80 columns, folded where there are more columns than fit. Own design."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Sequence

from conflictbench.benchmarks.crossplay.matrix import FEWEST, Cell, Crossplay, Figure
from conflictbench.benchmarks.report.visible import visible
from conflictbench.counting import counted
from conflictbench.saying import WIDTH
from conflictbench.scenario_specs.parties.block import ROLES

LONGEST_NAME = 12  # characters; a longer one gets a short one, told above the matrices
_GAP = "  "

Shown = Callable[[Cell], str]


def as_lines(found: Crossplay) -> Iterator[str]:
    """Everything, class by class."""
    names = short_names(found.agents)
    for name, short in names.items():
        if name != short:
            yield f"{short} = {visible(name)}"
    words = f"Each cell: all starts (both first movers, every private type); {_conditions(found)}."
    yield from textwrap.wrap(words, WIDTH)
    for kind, scenarios in found.games.items():
        cells = [cell for cell in found.cells if cell.kind == kind]
        yield ""
        head = f"== {kind}: {', '.join(scenarios)} ({counted(found.starts[kind], 'start')})"
        yield from textwrap.wrap(head, WIDTH, subsequent_indent="   ")
        for title, shown in _MATRICES:
            yield ""
            lines = list(_matrix(found, kind, names, shown))
            yield title if lines else f"{title}: nowhere"
            yield from lines
        yield from _played(cells, names, len(scenarios))
        yield from _standings(found, kind, names)
        yield from _swing(cells, names)
    yield ""
    yield from textwrap.wrap(_LEGEND, WIDTH)
    if any(cell.regret_drawn for cell in found.cells):
        yield "~ mean over drawn plays of a pair that mixes moves; the rest of bots is exact."


def _conditions(found: Crossplay) -> str:
    played = any(not cell.exact for cell in found.cells)
    if not played:
        return "bots are worked out, not played"
    alone = ", one model in both chairs" if found.solo else ""
    return f"bots are worked out, the others played {counted(found.seeds, 'time')} a start, talk {found.talk}{alone}"


def short_names(agents: Sequence[str]) -> dict[str, str]:
    """Agent -> what it is called in a matrix."""
    names: dict[str, str] = {}
    for agent in agents:
        head = agent.partition(":")[0]
        same = sum(other.startswith(f"{head}:") for other in names)
        names[agent] = agent if len(agent) <= LONGEST_NAME else f"{head}-{same + 1}"
    return names


def percent(figure: Figure) -> str:
    """A rate as a whole number of percent, `-` over nothing."""
    return "-" if figure.value is None else f"{100 * figure.value:.0f}"


def two_places(figure: Figure) -> str:
    """A value with two decimals, `-` over nothing, and never a minus before zero."""
    return "-" if figure.value is None else f"{figure.value + 0.0:.2f}".replace("-0.00", "0.00")


def _outcomes(cell: Cell) -> str:
    return f"{percent(cell.human):>3} {percent(cell.task):>3} {percent(cell.both):>3}"


def _scores(cell: Cell) -> str:
    return " ".join(f"{two_places(one):>5}" for one in cell.scaled)


def _conduct(cell: Cell) -> str:
    turn = "" if cell.yield_turn.value is None else f"@{cell.yield_turn.value:.1f}"
    return f"{percent(cell.yields) + turn:>7} {percent(cell.returns):>3}"


def _costs(cell: Cell) -> str:
    mark = "~" if cell.regret_drawn else " "
    return f"{two_places(cell.collateral):>5} | {two_places(cell.regret[0]):>4} {two_places(cell.regret[1]):>4}{mark}"


def _agreement(cell: Cell) -> str:
    return "-" if cell.agreement.value is None else f"{cell.agreement.value:.1f}"


_MATRICES: tuple[tuple[str, Shown], ...] = (
    ("Human outcome, task, both outcomes: percent", _outcomes),
    ("Own score of incumbent and requester: 0 guaranteed, 1 the best there is", _scores),
    ("Incumbent yields: percent @ mean first turn; requester returns: percent of able", _conduct),
    ("Collateral | hindsight regret of incumbent and of requester", _costs),
    ("Turns before play goes straight to both outcomes, where it ends there", _agreement),
)
_LEGEND = (
    'What each figure is: docs/two-party.md, "Cross-play". Classes ask different things and are never pooled; - is a '
    "mean over nothing."
)


def _matrix(found: Crossplay, kind: str, names: dict[str, str], shown: Shown) -> Iterator[str]:
    """Rows are incumbents, columns requesters; as many blocks of columns as it takes."""
    texts = {
        (row, column): "."
        if (cell := found.cell(kind, row, column)) is None
        else shown(cell)
        if cell.samples
        else "n=0"
        for row in found.incumbents
        for column in found.requesters
    }
    if all(text in ("-", ".") for text in texts.values()):
        return
    head = "inc. \\ req."
    first = max(len(head), *(len(names[row]) for row in found.incumbents))
    width = max(*map(len, texts.values()), *(len(names[column]) for column in found.requesters))
    fit = max(1, (WIDTH - first) // (width + len(_GAP)))
    for start in range(0, len(found.requesters), fit):
        block = found.requesters[start : start + fit]
        yield (f"{head:<{first}}" + "".join(f"{_GAP}{names[column]:>{width}}" for column in block)).rstrip()
        for row in found.incumbents:
            cells = "".join(f"{_GAP}{texts[row, column]:>{width}}" for column in block)
            yield f"{names[row]:<{first}}{cells}".rstrip()


def rate(figure: Figure) -> str:
    """`3/6 [0.17, 0.83]`; without an interval where there are too few scenarios for one."""
    if figure.value is None:
        return "n = 0"
    ends = "" if figure.low is None or figure.high is None else f" [{figure.low:.2f}, {figure.high:.2f}]"
    return f"{figure.total:g}/{figure.n:g}{ends}"


def counts_words(scenarios: int) -> str:
    """What the counts of a class of so many scenarios are, and why they have an interval or none."""
    if scenarios < FEWEST:
        return (
            f"k/n, without intervals: what {counted(scenarios, 'scenario')} came to says too little of others "
            f"(an interval draws whole scenarios, and takes {FEWEST})."
        )
    return f"k/n, with a 95 % interval that draws whole scenarios (none over fewer than {FEWEST} of them)."


def _swing(cells: Sequence[Cell], names: dict[str, str]) -> Iterator[str]:
    """How much the first mover makes: nothing where no play counts, and no pair where it makes nothing."""
    counting = [cell for cell in cells if cell.samples]
    if counting:
        most = max(counting, key=lambda cell: cell.swing)
        shown = f"{most.swing:.2f}"
        pair = "" if shown == "0.00" else f" ({names[most.incumbent]} x {names[most.requester]})"
        yield f"Largest difference between first movers (human, both): {shown}{pair}."


def _played(cells: Sequence[Cell], names: dict[str, str], scenarios: int) -> Iterator[str]:
    played = [cell for cell in cells if not cell.exact]
    if not played:
        return
    yield ""
    yield from textwrap.wrap(f"Played: {counts_words(scenarios)}", WIDTH)
    for cell in played:
        own = "   self-play" if cell.incumbent == cell.requester else ""
        nothing = "" if cell.samples else "   n = 0"
        yield f"{names[cell.incumbent]} x {names[cell.requester]}{own}{nothing}"
        if cell.samples:
            yield f"  human {rate(cell.human)}  task {rate(cell.task)}"
            yield f"  both {rate(cell.both)}"
            yield f"  yields {rate(cell.yields)}  returns {rate(cell.returns)}"
        for role, flags in zip(ROLES, cell.flagged, strict=True):
            if flags:
                yield f"  {role}: " + ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in flags.items())
        if cell.left_out:
            reasons = ", ".join(f"{count} x {name}" for name, count in cell.left_out.items())
            yield f"  left out: {reasons}"


def _standings(found: Crossplay, kind: str, names: dict[str, str]) -> Iterator[str]:
    """Self-play apart from cross-play."""
    rows = found.standings(kind)
    if not rows:
        return
    yield ""
    yield "Own score against the others (each pair alike), in self-play, and the gap"
    first = max(len(names[row.agent]) for row in rows)
    for row in rows:
        itself = "-" if row.itself is None else f"{row.itself:.2f}"
        gap = "-" if row.gap is None else f"{row.gap:+.2f}"
        others = f"{two_places(row.cross):>5}" + (f" vs {row.partners}" if row.partners else "")
        yield f"{names[row.agent]:<{first}}  {row.role:<9}  {others:<11}  self {itself:>5}  gap {gap:>5}"
