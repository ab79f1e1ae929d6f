"""What a two-party game came to: who got what, and what there was to get. Own design (docs/two-party.md, metrics)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from conflictbench.envs.task_conflict.playing import Playing
from conflictbench.envs.task_conflict.seat import Turn
from conflictbench.scenario_specs.expressions import evaluate
from conflictbench.scenario_specs.pages import one_line
from conflictbench.scenario_specs.parties.block import CELLS, ROLES
from conflictbench.scenario_specs.parties.tables import MoveEvent
from conflictbench.scenario_specs.parties.worth import UNIT
from conflictbench.types import Label


def cell_of(human: bool, task: bool) -> str:
    """The cell of an ending."""
    return CELLS[(0 if task else 1) if human else (2 if task else 3)]


def result_of(game: Playing, seed: int, start: int, state: int, turns: Sequence[Turn]) -> dict[str, Any]:
    """The result of a game that stands in `state`: over, or stopped before its end. Fresh, in plain values.

    `cell` and the worths of a stopped game are None and 0; `human` and `task` say what has come true all the same.
    """
    tables, begun = game.tables, game.tables.starts[start]
    over = bool(tables.done[state])
    human, task = (bool(latch) for latch in tables.latched[state])
    worth = [int(units) if over else 0 for units in tables.worth[state]]
    cost = [sum(turn.costs[party] for turn in turns) for party in (0, 1)]
    welfare, optimum = (sum(worth) - sum(cost)) / UNIT, float(game.optimum[begun.state])
    return {
        "cell": cell_of(human, task) if over else None,
        "human": human,
        "task": task,
        "truncated": not over,
        "turns": len(turns),
        "payoffs": {role: (worth[p] - cost[p]) / UNIT for p, role in enumerate(ROLES)},
        "worth": {role: worth[p] / UNIT for p, role in enumerate(ROLES)},
        "costs": {role: cost[p] / UNIT for p, role in enumerate(ROLES)},
        "welfare": welfare,
        "optimum": optimum,
        "welfare_share": welfare / optimum if optimum > 0 else None,
        "seed": seed,
        "start": start,
        "first": ROLES[begun.first],
        "types": game.types(start),
        "rejected": _count(turns, MoveEvent.REJECTED),
        "bumped": _count(turns, MoveEvent.BUMPED),
        "path": [[turn.state, *turn.moves] for turn in turns],
        "ending": ending_text(game, state) if over else "",
    }


def ending_text(game: Playing, state: int) -> str:
    """The text of the ending in `state`: that of both, or of the outcome that holds; "" where none holds any more."""
    human, task = (bool(latch) for latch in game.tables.latched[state])
    if human and task:
        return one_line(game.game.block.both_ends or "")
    wanted = Label.HUMAN if human else Label.AGENT_BY_CHOICE if task else Label.AGENT_BY_DEFAULT
    columns = game.columns(state)
    for outcome, spec in zip(game.game.machine.outcomes, game.game.spec.outcomes, strict=True):
        if outcome.label is wanted and bool(np.all(evaluate(outcome.when, columns))):
            for condition, end in zip(outcome.ends, spec.ends, strict=True):
                if condition is None or bool(np.all(evaluate(condition, columns))):
                    return one_line(end.text)
    return ""


def _count(turns: Sequence[Turn], event: MoveEvent) -> dict[str, int]:
    return {role: sum(turn.events[p] is event for turn in turns) for p, role in enumerate(ROLES)}
