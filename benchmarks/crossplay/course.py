"""One play, measured: the figures of `exact.py` for what happened once, read off its states and moves. Own design."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from conflictbench.benchmarks.crossplay.exact import Figures, Measures
from conflictbench.benchmarks.crossplay.hindsight import regrets
from conflictbench.scenario_specs.parties.worth import UNIT


@dataclass(frozen=True, kw_only=True)
class Course:
    """A play from its first state to its end, as moves that reached the table (a hold where there was no other)."""

    states: tuple[int, ...]  # before each turn, and the last one
    moves: tuple[tuple[int, int], ...]  # incumbent, requester

    @property
    def start(self) -> int:
        return self.states[0]

    @property
    def end(self) -> int:
        return self.states[-1]


def follow(measures: Measures, start: int, moves: Sequence[tuple[int, int]]) -> Course:
    """The play that these moves make; raises ValueError where they end before it does, or after.

    An illegal move is followed as the hold that it comes to.
    """
    tables = measures.tables
    states = [start]
    for incumbent, requester in moves:
        if tables.done[states[-1]]:
            raise ValueError(f"the game ends after {len(states) - 1} turns, and {len(moves)} were played")
        states.append(int(tables.next_state[states[-1], incumbent, requester]))
    if not tables.done[states[-1]]:
        raise ValueError(f"the game goes on after the {len(moves)} turns that were played")
    return Course(states=tuple(states), moves=tuple((int(i), int(r)) for i, r in moves))


def measure(measures: Measures, course: Course) -> Figures:
    """What came of a play."""
    tables = measures.tables
    turns = [(s, i, r) for s, (i, r) in zip(course.states, course.moves, strict=False)]
    paid = [sum(int(tables.reward[party][turn]) for turn in turns) for party in (0, 1)]
    payoffs = [(paid[party] + int(tables.worth[course.end, party])) / UNIT for party in (0, 1)]
    human, task = (bool(latch) for latch in tables.latched[course.end])
    yields = [number for number, turn in enumerate(turns, 1) if measures.concedes[turn]]
    crooked = [number for number, turn in enumerate(turns, 1) if not measures.straight[turn]]
    return Figures(
        incumbent=payoffs[0],
        requester=payoffs[1],
        human=float(human),
        task=float(task),
        both=float(human and task),
        yielded=float(bool(yields)),
        yield_turn=float(yields[0]) if yields else None,
        may_return=float(any(measures.gives_back[state].any() for state in course.states)),
        returned=float(any(measures.returns[turn] for turn in turns)),
        payoff_if_human=payoffs[0] if human else None,
        agreement=float(max(crooked, default=0)) if human and task else None,
    )


def regret_of(measures: Measures, course: Course, figures: Figures) -> tuple[float, float]:
    """Hindsight regret of both parties."""
    return regrets(measures.tables, course.start, course.moves, (figures.incumbent, figures.requester))
