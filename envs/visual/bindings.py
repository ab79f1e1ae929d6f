"""From a state of the tables to what is seen of it: values of bound properties, and readings in words. Own design.

A variable that may not be shown yet (`known`) gives a property no value (its glyph is then drawn neutral), or the one
that the binding names for it, and a reading of two dashes: pictures tell no more than the text does.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from conflictbench.envs.visual.block import BoundTo, Entity
from conflictbench.envs.visual.procedural.glyph import PropKind
from conflictbench.envs.visual.procedural.vocabulary import glyph_for
from conflictbench.envs.visual.urgency import TURN
from conflictbench.scenario_specs import LoadedScenario
from conflictbench.scenario_specs.schema import Variable

UNKNOWN_TEXT = "--"
ANGLE_RANGE = 270.0  # degrees that the whole range of a bare variable turns


Property: TypeAlias = float | str | None  # a number of its kind, the name of a pose, or None: not known yet


@dataclass(frozen=True)
class Reading:
    """A variable as a gauge or a screen shows it."""

    text: str  # "40", "NOT TOLD", "--"
    share: float  # of its range, 0..1; 0 while unknown
    known: bool = True


class StateView:
    """One state of one scenario, read by variable name."""

    def __init__(self, loaded: LoadedScenario, state: int) -> None:
        """Look at `state`, an index into `loaded.tables`."""
        self.loaded = loaded
        self.state = state
        self._columns = _columns(loaded)

    def variable(self, name: str) -> Variable:
        """The declaration of a variable."""
        return self.loaded.spec.state[name]

    def known(self, name: str) -> bool:
        """Whether its value may be shown."""
        return bool(self.loaded.tables.known[self.state, self._columns[name]])

    def stored(self, name: str) -> int:
        """The value as the tables store it."""
        return int(self.loaded.tables.values[self.state, self._columns[name]])

    def share(self, name: str) -> float | None:
        """A variable, or `turn`, as a share of its range; None while it is not known."""
        if name == TURN:
            return int(self.loaded.tables.turn[self.state]) / self.loaded.spec.window
        if not self.known(name):
            return None
        variable = self.variable(name)
        return (self.stored(name) - variable.low) / (variable.high - variable.low)

    def reading(self, name: str) -> Reading:
        """A variable as it is shown on a dial or a screen, without its unit."""
        share = self.share(name)
        if share is None:
            return Reading(UNKNOWN_TEXT, 0.0, known=False)
        variable, stored = self.variable(name), self.stored(name)
        if variable.enum is not None:
            text = variable.enum[stored].replace("_", " ").upper()
        elif variable.words is not None:
            text = variable.words[stored].upper()
        else:
            text = str(stored)
        return Reading(text, share)

    def bound(self, kind: PropKind, binding: BoundTo) -> Property:
        """Value of a property of that kind."""
        share = self.share(binding.var)
        if share is None:
            return binding.unknown
        variable, stored = self.variable(binding.var), self.stored(binding.var)
        if binding.map is not None:
            return binding.map[written(variable, stored)]
        if binding.steps is not None:
            reached = bisect_right([threshold for threshold, _ in binding.steps], share)
            return binding.steps[max(0, reached - 1)][1]
        if kind == "count":
            return float(stored)
        return share * ANGLE_RANGE if kind == "degrees" else share

    def properties(self, entity: Entity) -> Mapping[str, Property]:
        """Every bound property of an entity, by name."""
        kinds = glyph_for(entity.glyph).props
        return {prop: self.bound(kinds[prop], binding) for prop, binding in entity.bind.items()}


@lru_cache(maxsize=64)
def _columns(loaded: LoadedScenario) -> Mapping[str, int]:
    return {name: column for column, name in enumerate(loaded.spec.state)}


def written(variable: Variable, stored: int) -> str:
    """A value of an enum or a boolean as the keys of a map write it."""
    return variable.enum[stored] if variable.enum is not None else ("false", "true")[stored]
