"""The catalog of the whole pack against the tables it is made of."""

from __future__ import annotations

import numpy as np
import pytest

from conflictbench.envs.fiction.env import FictionEnv
from conflictbench.envs.fiction.features import feature_row
from conflictbench.envs.fiction.reward import parse_reward
from conflictbench.envs.fiction.tables.catalog import CELLS, catalog_of, make_catalog
from conflictbench.scenario_specs import scenario_ids

ALL = scenario_ids()
CATALOG = make_catalog(ALL, "conflict", "core", parse_reward(0.25))


@pytest.mark.parametrize("number", range(len(ALL)), ids=ALL)
def test_cells__hold_every_transition_and_begin_ended_states_anew(number: int) -> None:
    reading, first = CATALOG.readings[number], int(CATALOG.first[number])
    tables = reading.tables
    cells = CATALOG.cells.reshape(-1, CELLS)[first : int(CATALOG.over[number]) + 1]
    running = tables.outcome < 0
    for action in range(12):
        after = tables.next_state[:, action] if action < tables.n_actions else np.arange(tables.n_states)
        assert np.array_equal(cells["next"][:-1, action][running], first + after[running])
        rewards = CATALOG.rewards[cells["outcome"][:-1, action]]
        for state in np.flatnonzero(running)[:: max(1, tables.n_states // 200)]:
            own = int(tables.outcome[after[state]])
            ends = 0.0 if own < 0 else 0.25 * (reading.labels[own] == "human") + 0.75 * reading.assigned[own]
            assert rewards[state] == ends
    over = np.append(~running, True)
    assert (cells["next"][over] == first).all()
    assert (cells["outcome"][over] == 0).all()
    assert np.array_equal(cells["begins"][:, 0], over)
    assert np.array_equal(cells["terminated"], cells["outcome"] > 0)


@pytest.mark.parametrize("dtype", ["float32", "uint8"])
@pytest.mark.parametrize("bits", [True, False])
def test_features__are_those_of_the_scalar_world(dtype: str, bits: bool) -> None:
    rows = CATALOG.features(dtype, bits=bits)  # type: ignore[arg-type]
    for number, reading in enumerate(CATALOG.readings):
        for state in range(0, reading.tables.n_states, 37):
            one = feature_row(reading.tables, state, reading.bits if bits else None, dtype)  # type: ignore[arg-type]
            assert np.array_equal(rows[int(CATALOG.first[number]) + state], one)


def test_catalog_of__a_suite_of_hundreds_tells_its_outcomes_apart() -> None:
    """One reading behind another, more outcomes than a byte counts."""
    reading = CATALOG.readings[0]
    many = catalog_of([reading] * 300, parse_reward("assigned"))

    assert len(many.rewards) == 1 + 300 * len(reading.outcome_ids)
    one = catalog_of([reading], parse_reward("assigned"))
    size = len(one.reading_of)
    last = many.cells[-size * CELLS :]
    assert np.array_equal(last["next"] - 299 * size, one.cells["next"])
    ends = one.cells["outcome"] > 0
    assert np.array_equal(last["outcome"][ends] - 299 * len(reading.outcome_ids), one.cells["outcome"][ends])
    assert (last["outcome"][~ends] == 0).all()


def test_available__is_what_each_state_accepts() -> None:
    world = FictionEnv("EP2", scenario=ALL[5], mask="available", observation="features")
    observation, _ = world.reset(seed=0)
    assert CATALOG.available[CATALOG.first[5]].tolist() == observation["action_mask"].tolist()
    assert not CATALOG.available.flags.writeable
