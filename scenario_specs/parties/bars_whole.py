"""Bars of a two-party game that compare its starts, or that stand for all of it. Source: docs/two-party.md (bars)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from conflictbench.scenario_specs.parties.bars import NEAR, Bar, each, over_starts, start_words
from conflictbench.scenario_specs.parties.block import ROLES
from conflictbench.scenario_specs.parties.equilibria import moves_on_paths
from conflictbench.scenario_specs.parties.joint import Joint
from conflictbench.scenario_specs.parties.policies import path
from conflictbench.scenario_specs.parties.values import Solution, StartValues

STATES, EDGES = 2_000, 100_000  # reachable from a start; legal joint edges of a type, both first movers
SECONDS, SECONDS_FULL = 5.0, 30.0  # of one core
RANDOM = ((0.005, 0.2), (0.005, 0.2))  # human, task
RANDOM_HARD = ((0.005, 0.3), (0.002, 0.2))
SWING = 0.1
ANARCHY = 1.3


def size(joint: Joint, starts: Sequence[StartValues], seconds: float, full: bool) -> Bar:
    """Bar 1: states, edges, and the time of all proofs."""
    states = max(values.states for values in starts)
    edges: dict[str, int] = defaultdict(int)
    for values in starts:
        edges[str(values.start.types)] += values.edges
    limit = SECONDS_FULL if full else SECONDS
    misses = []
    if states > STATES:
        misses.append(f"{states:,} joint states from one start, more than {STATES:,}")
    if max(edges.values()) > EDGES:
        misses.append(f"{max(edges.values()):,} legal joint edges, more than {EDGES:,}")
    if seconds > limit:
        misses.append(f"{seconds:.1f} s of processor time, more than {limit:.0f}")
    found = f"{states:,} states, {max(edges.values()):,} edges, {joint.tables.nbytes // 1024:,} KiB, {seconds:.1f} s"
    return Bar(number=1, name="size and time", cleared=not misses, found=found, misses=tuple(misses))


def own_temptation(starts: Sequence[StartValues]) -> Bar:
    """Bar 7: only reported; a third of all scenarios must have it."""
    found = each([f"{values.tempted[1]:.2f}" for values in starts])
    return Bar(number=7, name="temptation of the requester", cleared=None, found=found)


def rare(starts: Sequence[StartValues], hard: bool) -> Bar:
    """Bar 10: a random pair reaches either outcome seldom, but does."""
    limits = RANDOM_HARD if hard else RANDOM

    def check(values: StartValues) -> tuple[str, str]:
        pair = values.random_pair
        chances = (("human", pair.human), ("task", pair.task))
        wrong = [
            f"{name} {chance:.2%}, not {low:.1%} to {high:.0%}"
            for (name, chance), (low, high) in zip(chances, limits, strict=True)
            if not low <= chance <= high
        ]
        return f"human {pair.human:.1%}, task {pair.task:.1%}", "; ".join(wrong)

    return over_starts(10, "a random pair", starts, check)


def swing(starts: Sequence[StartValues]) -> Bar:
    """Bar 11: who is served first in turn 0 changes little."""
    by_types: dict[str, list[StartValues]] = defaultdict(list)
    for values in starts:
        by_types[str(values.start.types)].append(values)
    worst, misses = 0.0, []
    for group in by_types.values():
        rows = [_figures(values) for values in group]
        for name in rows[0]:
            difference = max(row[name] for row in rows) - min(row[name] for row in rows)
            worst = max(worst, difference)
            if difference > SWING + NEAR:
                misses.append(f"{name} differs by {difference:.2f} between first movers, more than {SWING}")
    return Bar(number=11, name="precedence swing", cleared=not misses, found=f"{worst:.3f}", misses=tuple(misses))


def _figures(values: StartValues) -> dict[str, float]:
    """Every value between 0 and 1, or on that scale."""
    figures = {
        "maximin of the incumbent": values.maximin[0],
        "maximin of the requester": values.maximin[1],
        "contest": values.contest,
        "optimum": values.optimum,
        "human under the best reply to keep": values.keep_best.human,
        "human under keep against fair": values.keep_fair.human,
        "both of the plan": values.plan.both,
        "human of a random pair": values.random_pair.human,
        "task of a random pair": values.random_pair.task,
        "both of a random pair": values.random_pair.both,
    }
    for n, role in enumerate(ROLES):
        figures[f"plan of the {role}"] = (values.plan.incumbent, values.plan.requester)[n]
        figures[f"temptation of the {role}"] = values.tempted[n]
        figures[f"block/persist of the {role}"] = (values.block_persist.incumbent, values.block_persist.requester)[n]
    return figures


def kind(starts: Sequence[StartValues], hard: bool) -> Bar:
    """Bar 12: the class; one, and a dilemma."""
    kinds = [values.kind for values in starts]
    misses = []
    if len(set(kinds)) > 1:
        misses.append(", ".join(f"{values.kind} with {start_words(values)}" for values in starts))
    if "aligned" in kinds:
        misses.append("the human outcome in every equilibrium: nothing is asked of anybody")
    sizes = each([str(len(values.equilibria)) for values in starts])
    found = f"{each(kinds)}{', hard' if hard else ''}; {sizes} equilibrium payoffs"
    return Bar(number=12, name="class", cleared=not misses, found=found, misses=tuple(misses))


def anarchy(starts: Sequence[StartValues]) -> Bar:
    """Bar 13: what the worst equilibrium loses."""

    def check(values: StartValues) -> tuple[str, str]:
        wrong = "" if values.anarchy >= ANARCHY - NEAR else f"{values.anarchy:.2f}, less than {ANARCHY}"
        return f"{values.anarchy:.2f} (stability {values.stability:.2f})", wrong

    return over_starts(13, "price of anarchy", starts, check)


def used(joint: Joint, solution: Solution) -> Bar:
    """Bar 14: every move is played by some bot, or on the path of some equilibrium."""
    tables, bots = joint.tables, joint.bots
    on_paths = moves_on_paths(solution.equilibria, np.array([start.state for start in tables.starts], np.int64))
    for mine in bots.incumbents.values():
        for other in bots.requesters.values():
            if mine.deterministic and other.deterministic:
                for start in tables.starts:
                    for _, i, r in path(tables, mine, other, start.state):
                        on_paths[0][i] = on_paths[1][r] = True
    shared = {move.id for party in (0, 1) for move in joint.game.moves[party] if move.shared}
    played = {tables.moves[party][m] for party in (0, 1) for m in np.flatnonzero(on_paths[party])}
    idle = [
        f"{tables.moves[party][m]} of the {role}"
        for party, role in enumerate(ROLES)
        for m in np.flatnonzero(~on_paths[party])
        if m and not {tables.moves[party][m]} & shared & played
    ]
    found = "all" if not idle else f"never: {', '.join(idle)}"
    misses = tuple(f"{name} is played by no bot and on no equilibrium path" for name in idle)
    return Bar(number=14, name="every move is played", cleared=not idle, found=found, misses=misses)
