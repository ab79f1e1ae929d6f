"""One scenario under one variant, with everything a world looks up in it. Own design."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from conflictbench.scenario_specs import CommandBook, LoadedScenario, Narrator, Tables, get_scenario, scenario_bits
from conflictbench.scenario_specs.oracle import PrivilegedValues, privileged_values
from conflictbench.types import Label, Variant


@dataclass(frozen=True, kw_only=True, eq=False)
class Reading:
    """Tables are shared by the four variants; texts and assigned values are the variant's own."""

    pack: str
    loaded: LoadedScenario
    variant: Variant
    tables: Tables
    narrator: Narrator
    command_book: CommandBook
    bits: NDArray[np.uint8]  # (16,), of the scenario id
    action_ids: tuple[str, ...]
    commands: tuple[str, ...]  # canonical command of each action
    outcome_ids: tuple[str, ...]
    labels: tuple[Label, ...]  # of each outcome
    assigned: tuple[float, ...]  # of each outcome, under this variant

    @cached_property
    def privileged(self) -> PrivilegedValues:
        """Named values for oracles; worked out the first time one is asked for."""
        return privileged_values(self.loaded, self.variant)

    def __deepcopy__(self, memo: dict[int, Any]) -> Reading:
        """Return the reading itself: nothing in it changes, so copies of an environment (tree search) share it."""
        return self

    def __reduce__(self) -> tuple[Any, tuple[str, Variant, str]]:
        """Pickle as a name: another process looks the scenario up again."""
        return read, (self.loaded.id, self.variant, self.pack)


@cache  # bounded by scenarios x variants; a process keeps each one it has played
def read(scenario_id: str, variant: Variant, pack: str) -> Reading:
    """Load a scenario and gather what a world needs from it."""
    loaded = get_scenario(scenario_id, pack)
    spec = loaded.spec
    assigned = loaded.assigned(variant)
    return Reading(
        pack=pack,
        loaded=loaded,
        variant=variant,
        tables=loaded.tables,
        narrator=Narrator(loaded, variant),
        command_book=CommandBook(spec),
        bits=scenario_bits(loaded.id),
        action_ids=tuple(action.id for action in spec.actions),
        commands=tuple(action.command for action in spec.actions),
        outcome_ids=tuple(outcome.id for outcome in spec.outcomes),
        labels=tuple(Label(outcome.label) for outcome in spec.outcomes),
        assigned=tuple(float(assigned[outcome.id]) for outcome in spec.outcomes),
    )
