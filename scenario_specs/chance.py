"""Exact probabilities of every ending under blind play, by dynamic programming over the tables.

Source: docs/scenario-format.md section 3, rule 4; own design. Probabilities are float64 sums of products of 1/A, good
to about 1e-14.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from conflictbench.scenario_specs.loader import LoadedScenario
from conflictbench.scenario_specs.schema import Scenario
from conflictbench.scenario_specs.tables import Tables
from conflictbench.types import Label

INTERACTION_CAP = 14  # interactions of an episode in text


@dataclass(frozen=True, kw_only=True)
class Chance:
    """Where blind play ends. `outcomes` and `truncated` add up to 1."""

    outcomes: Mapping[str, float]  # by outcome id, file order
    labels: Mapping[str, float]  # by label, those of the file
    truncated: float  # still running when the cap was met, or in a state that accepts nothing


def chance(loaded: LoadedScenario, cap: int = INTERACTION_CAP) -> Chance:
    """Uniform over all actions of the file; a rejection costs an interaction and no turn (rule 4a)."""
    return as_chance(loaded.spec, loaded.tables, play_uniformly(loaded.tables, cap))


def chance_accepted(loaded: LoadedScenario) -> Chance:
    """Uniform over the actions accepted in each state, no cap (rule 4b)."""
    return as_chance(loaded.spec, loaded.tables, play_accepted(loaded.tables))


def play_uniformly(tables: Tables, cap: int = INTERACTION_CAP) -> NDArray[np.float64]:
    """Distribution over states after `cap` interactions, each uniform over all actions, shape (S,)."""
    mass = _start(tables)
    share = np.full(tables.next_state.shape, 1.0 / tables.n_actions)
    for _ in range(cap):
        mass = _spread(tables, mass, share)  # a rejected action and an ended state lead to themselves
    return mass


def play_accepted(tables: Tables) -> NDArray[np.float64]:
    """Distribution over states when nothing moves any more, each action uniform over the accepted ones, shape (S,)."""
    accepted = tables.accepted.sum(axis=1, keepdims=True)
    stay = np.full(tables.next_state.shape, 1.0 / tables.n_actions)  # ended, or stuck: every column leads back
    share = np.where(accepted > 0, tables.accepted / np.maximum(accepted, 1), stay)
    mass = _start(tables)
    for _ in range(int(tables.turn.max())):  # every accepted action costs a turn
        mass = _spread(tables, mass, share)
    return mass


def as_chance(spec: Scenario, tables: Tables, mass: NDArray[np.float64]) -> Chance:
    """Add up a distribution over states, shape (S,), by ending."""
    ended = tables.outcome >= 0
    per_outcome = np.bincount(tables.outcome[ended], weights=mass[ended], minlength=len(spec.outcomes))
    outcomes = {outcome.id: float(share) for outcome, share in zip(spec.outcomes, per_outcome, strict=True)}
    labels: dict[str, float] = {}
    for outcome in spec.outcomes:
        label = Label(outcome.label).value
        labels[label] = labels.get(label, 0.0) + outcomes[outcome.id]
    return Chance(outcomes=outcomes, labels=labels, truncated=float(mass[~ended].sum()))


def _start(tables: Tables) -> NDArray[np.float64]:
    mass = np.zeros(tables.n_states, dtype=np.float64)
    mass[0] = 1.0
    return mass


def _spread(tables: Tables, mass: NDArray[np.float64], share: NDArray[np.float64]) -> NDArray[np.float64]:
    moved = mass[:, None] * share
    summed = np.bincount(tables.next_state.ravel(), weights=moved.ravel(), minlength=tables.n_states)
    return summed.astype(np.float64, copy=False)  # float64 already: numpy's stubs say integer, with weights too
