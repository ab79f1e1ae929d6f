"""Which moments of a scenario are looked at: one transition an action, one state a level of urgency. Own design.

Of all transitions of an action the one is taken in which most of what it sets can be seen to differ; of all states of a
level the first that runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from conflictbench.envs.visual.block import Entity
from conflictbench.envs.visual.scene import Scene, Transition
from conflictbench.envs.visual.urgency import MAX_LEVEL
from conflictbench.scenario_specs.schema import ActionVisual
from conflictbench.types import Label


@dataclass(frozen=True)
class Case:
    """One transition of an action, and what of it must be seen."""

    transition: Transition
    visual: ActionVisual
    shows: tuple[str, ...]  # visible variables that the action sets or reveals, and that differ or come to be known


def cases(scene: Scene) -> Iterator[Case]:
    """One case for every action that a clip is ever made of, in file order."""
    tables, spec = scene.loaded.tables, scene.loaded.spec
    ends = [outcome.label for outcome in spec.outcomes]
    names = list(spec.state)
    visible = [names.index(name) for name in spec.visible]
    for number, action in enumerate(spec.actions):
        before = np.flatnonzero(tables.accepted[:, number])
        after = tables.next_state[before, number]
        running = tables.outcome[after] < 0
        if not running.any() and spec.regret is not None:  # the last step of a regret test has a clip
            running = np.array([ends[tables.outcome[state]] == Label.HUMAN for state in after], np.bool_)
        before, after = before[running], after[running]
        if not len(before):
            continue
        written = scene.loaded.machine.actions[number].effects
        differ = tables.values[before] != tables.values[after]
        shown = tables.known[after] & differ & np.array([name in written for name in names])
        shown |= tables.known[after] & ~tables.known[before]
        best = int(shown[:, visible].sum(axis=1).argmax())  # the first of the best
        yield Case(
            Transition(action.id, int(before[best]), int(after[best]), 1 + int(tables.turn[before[best]])),
            scene.actions[action.id],
            tuple(names[column] for column in visible if shown[best, column]),
        )


def levels(scene: Scene) -> dict[int, int]:
    """Level of urgency -> the first running state that has it."""
    tables = scene.loaded.tables
    found: dict[int, int] = {}
    for state in np.flatnonzero(tables.outcome < 0):
        found.setdefault(scene.urgency(int(state)), int(state))
        if len(found) > MAX_LEVEL:
            break
    return found


def extremes(scene: Scene, entity: Entity, *, ended: bool = False) -> list[int]:
    """For each variable that an entity shows, the first running states with each of its values, or its least and most.

    Only states count in which the variable may be shown.

    Args:
        ended: states in which the story is over instead, of which no clip is made.
    """
    tables, spec = scene.loaded.tables, scene.loaded.spec
    columns = list(spec.state)
    found: dict[int, None] = {}
    for name in shown_by(entity):
        column = columns.index(name)
        there = np.flatnonzero(((tables.outcome >= 0) == ended) & tables.known[:, column])
        values = tables.values[there, column]
        _, first = np.unique(values, return_index=True)
        wanted = first if spec.state[name].kind != "int" else first[[0, -1]] if len(first) else first
        found |= dict.fromkeys(int(there[at]) for at in wanted)
    return list(found)


def shown_by(entity: Entity) -> list[str]:
    """Variables that an entity shows, each once."""
    bound = [binding.var for binding in entity.bind.values()]
    return list(dict.fromkeys([*bound, *(gauge.var for gauge in entity.gauges), *(line.var for line in entity.lines)]))
