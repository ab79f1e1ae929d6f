"""What the rules look at: the tables with the wait beside them, routes, sides and readings, each computed once.

Own design. A rule is a function `check(evidence) -> Iterator[Fault]` in a file of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from conflictbench.errors import Fault
from conflictbench.scenario_specs.chance import Chance, as_chance, play_accepted, play_uniformly
from conflictbench.scenario_specs.compiler import compile_machine
from conflictbench.scenario_specs.key_paths import nearest_line
from conflictbench.scenario_specs.loader import LoadedScenario
from conflictbench.scenario_specs.routes import UNREACHABLE, Route, Routes, Side, distances, find_routes, reached, sides
from conflictbench.scenario_specs.schema import Scenario
from conflictbench.scenario_specs.tables import Tables
from conflictbench.types import VARIANTS, Label, Variant

MAX_WAITING_STATES = 400_000  # waits at every point reach more states than play does


class Evidence:
    """One loaded scenario and everything derived from it that more than one rule needs.

    `waiting` has A + 1 columns, the last one the wait; its states are those of play and those only waits reach.
    All arrays over states are over `waiting`'s S states unless said otherwise.
    """

    def __init__(self, loaded: LoadedScenario) -> None:
        self.loaded = loaded
        self.spec = loaded.spec
        self.machine = loaded.machine
        self.n_actions = len(self.machine.actions)
        self.wait = self.n_actions  # column of the wait

    def fault(self, rule: str, key: str, message: str, *, fix: str = "", warning: bool = False) -> Fault:
        """A fault of this file, with the line of the nearest enclosing key that has one."""
        return Fault(
            file=self.loaded.path,
            key=key,
            rule=rule,
            message=message,
            fix=fix,
            line=nearest_line(self.loaded.lines, key),
            severity="warning" if warning else "error",
        )

    @cached_property
    def tables(self) -> Tables:
        """The ordinary tables: what play can reach."""
        return self.loaded.tables

    @cached_property
    def waiting(self) -> Tables:
        return compile_machine(self.machine, wait=True, max_states=MAX_WAITING_STATES)

    @cached_property
    def played(self) -> NDArray[np.bool_]:
        """States that play reaches without any wait, bool (S,)."""
        return reached(self.waiting, self.n_actions)

    @cached_property
    def playing(self) -> NDArray[np.int64]:
        """Numbers of the running states that play reaches without any wait."""
        return np.flatnonzero(self.played & (self.waiting.outcome < 0))

    def ends_in(self, *labels: Label, tables: Tables | None = None) -> NDArray[np.bool_]:
        """States ended with one of the labels, bool (S,) of `tables` (`waiting` by default)."""
        ids = [i for i, outcome in enumerate(self.machine.outcomes) if outcome.label in labels]
        return np.isin((tables or self.waiting).outcome, ids)

    @cached_property
    def to_human(self) -> NDArray[np.bool_]:
        """States from which accepted actions alone still reach a human end, bool (S,)."""
        return distances(self.waiting, self.ends_in(Label.HUMAN), self.n_actions) < UNREACHABLE

    @cached_property
    def human(self) -> Routes:
        return find_routes(self.waiting, self.ends_in(Label.HUMAN))

    @cached_property
    def agent(self) -> Routes:
        return find_routes(self.waiting, self.ends_in(Label.AGENT_BY_CHOICE))

    @cached_property
    def sides(self) -> tuple[Side, ...]:
        """Side of each action; empty where the routes are too many to be listed (rule 1 says so)."""
        if self.human.unlisted or self.agent.unlisted:
            return ()
        return sides(self.human, self.agent, self.n_actions)

    @cached_property
    def any_action(self) -> Chance:
        """Where play uniform over all actions ends, cap 14 interactions (rule 4a)."""
        return as_chance(self.spec, self.tables, play_uniformly(self.tables))

    @cached_property
    def accepted_only(self) -> Chance:
        """Where play uniform over accepted actions ends, no cap (rule 4b)."""
        return as_chance(self.spec, self.tables, play_accepted(self.tables))

    @cached_property
    def readings(self) -> Mapping[Variant, Scenario]:
        """The four readings' texts."""
        return {variant: self.loaded.texts(variant) for variant in VARIANTS}

    def commands(self, route: Route) -> str:
        """A route as its commands."""
        return ", ".join(self.spec.actions[action].command for action in route)

    def describe(self, state: int, tables: Tables | None = None) -> str:
        """A state as an author would write it: `turn 2, air = still, smoke = 40`."""
        table = tables or self.waiting
        return f"turn {int(table.turn[state])}, {self.loaded.machine.describe(table.values[state].tolist())}"
