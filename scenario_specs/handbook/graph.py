"""The state graph of a scenario as a drawing (SVG): its routes, and what can still be reached turn by turn. Own design.

Thousands of states cannot be read. Drawn are the states on one order of each irredundant set of actions, shared
states once, and a bar a turn that counts all running states by the ends they can still come to.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from conflictbench.scenario_specs.handbook.svg import Svg
from conflictbench.scenario_specs.narration import Narrator
from conflictbench.scenario_specs.routes import UNREACHABLE, Route, distances
from conflictbench.scenario_specs.verifier.evidence import Evidence
from conflictbench.types import Label

PEOPLE, AGENT, BOTH, NEITHER, INK, PAPER = "#0b7285", "#c2410c", "#7c6f9c", "#c4c4c4", "#222222", "#ffffff"
COLUMN, LANE, LEFT, TOP = 158, 44, 70, 64  # pixels
BAR_HEIGHT = 120
SHOWN_SETS = 6  # a side


@dataclass(frozen=True, kw_only=True)
class Lane:
    """One route: the states it visits, from the start to its ending."""

    actions: Route
    states: tuple[int, ...]  # one more than actions
    colour: str


def draw_graph(evidence: Evidence) -> str:
    """An SVG document; its states have their status lines as tooltips."""
    lanes = [*_lanes(evidence, Label.HUMAN, PEOPLE), *_lanes(evidence, Label.AGENT_BY_CHOICE, AGENT)]
    window = evidence.spec.window
    bars_top = TOP + LANE * len(lanes) + 56
    svg = Svg(width=LEFT + COLUMN * window + 190, height=bars_top + BAR_HEIGHT + 66, background=PAPER)
    svg.text(20, 26, f"{evidence.spec.id}: routes and states by turn", size=15, fill=INK, bold=True)
    _draw_routes(svg, evidence, lanes)
    _draw_bars(svg, evidence, bars_top)
    return svg.document(title=f"{evidence.spec.id}: state graph with its routes")


def _lanes(evidence: Evidence, label: Label, colour: str) -> Iterator[Lane]:
    routes = evidence.human if label is Label.HUMAN else evidence.agent
    first = {frozenset(route): route for route in reversed(routes.irredundant)}
    for actions in [first[found] for found in routes.sets][:SHOWN_SETS]:
        states = [0]
        for action in actions:
            states.append(int(evidence.tables.next_state[states[-1], action]))
        yield Lane(actions=actions, states=tuple(states), colour=colour)


def _draw_routes(svg: Svg, evidence: Evidence, lanes: list[Lane]) -> None:
    """Left to right by turn; a state stands in the lane of the first route that visits it."""
    place: dict[int, tuple[float, float]] = {0: (LEFT, TOP + LANE * (len(lanes) - 1) / 2)}
    drawn: dict[tuple[int, int], int] = {}  # (state, action) -> state after it
    for number, lane in enumerate(lanes):
        for turn, state in enumerate(lane.states):
            place.setdefault(state, (LEFT + COLUMN * turn, TOP + LANE * number))
    for lane in lanes:
        for before, action, after in zip(lane.states[:-1], lane.actions, lane.states[1:], strict=True):
            if (before, action) not in drawn:
                drawn[before, action] = after
                svg.curve(*place[before], *place[after], stroke=lane.colour)
    for (_, action), after in drawn.items():
        x, y = place[after]
        svg.text(x - 10, y - 7, evidence.spec.actions[action].command, size=10, fill=INK, anchor="end")
    narrator = Narrator(evidence.loaded)
    colours = {state: lane.colour for lane in reversed(lanes) for state in lane.states}
    shared = {state for lane in lanes for state in lane.states if _is_shared(state, lanes)}
    for state, (x, y) in place.items():
        outcome = int(evidence.tables.outcome[state])
        fill = BOTH if state in shared else colours[state]
        svg.circle(x, y, 8 if outcome >= 0 else 5, fill=fill, stroke=PAPER, tooltip=narrator.status(state))
        if outcome >= 0:
            svg.text(x + 14, y + 4, evidence.spec.outcomes[outcome].id.replace("_", " "), size=12, fill=fill, bold=True)
    svg.text(LEFT, place[0][1] + 22, "start", size=11, fill=INK, anchor="middle")


def _is_shared(state: int, lanes: list[Lane]) -> bool:
    """Whether both sides' routes visit it."""
    return len({lane.colour for lane in lanes if state in lane.states}) > 1


def _draw_bars(svg: Svg, evidence: Evidence, top: float) -> None:
    tables = evidence.tables
    people, agent = (
        distances(tables, evidence.ends_in(label, tables=tables)) < UNREACHABLE
        for label in (Label.HUMAN, Label.AGENT_BY_CHOICE)
    )
    running = tables.outcome < 0
    kinds = (
        ("both", BOTH, running & people & agent),
        ("people's end only", PEOPLE, running & people & ~agent),
        ("agent's by choice only", AGENT, running & ~people & agent),
        ("neither", NEITHER, running & ~people & ~agent),
    )
    svg.text(20, top - 22, "running states, by what can still be reached", size=12, fill=INK, bold=True)
    for number, (words, colour, _) in enumerate(kinds):
        svg.rectangle(LEFT + 230 + 170 * number, top - 31, 10, 10, fill=colour)
        svg.text(LEFT + 245 + 170 * number, top - 22, words, size=11, fill=INK)
    base = top + BAR_HEIGHT
    for turn in range(evidence.spec.window):
        x = LEFT + COLUMN * turn - 24
        here = tables.turn == turn
        counts = [int(np.count_nonzero(kind & here)) for _, _, kind in kinds]
        total, y = sum(counts), float(base)
        for (words, colour, _), n in zip(kinds, counts, strict=True):
            height = BAR_HEIGHT * n / total if total else 0.0
            y -= height
            if n:
                svg.rectangle(x, y, 48, height, fill=colour, tooltip=f"{n:,} of {total:,}: {words}")
        svg.text(x + 24, base + 18, f"after {turn}" if turn else "start", size=11, fill=INK, anchor="middle")
        svg.text(x + 24, base + 34, f"{total:,} state{'' if total == 1 else 's'}", size=11, fill=INK, anchor="middle")
