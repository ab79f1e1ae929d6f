"""Features: the tables' slots, then sixteen bits of the scenario's id."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import numpy as np
import pytest

from conflictbench.envs.fiction.env import FictionEnv
from conflictbench.errors import UnknownName
from conflictbench.scenario_specs import scenario_bits


def test_features__end_in_the_digest_of_the_id_most_significant_bit_first() -> None:
    number = int.from_bytes(blake2b(b"EP1-001", digest_size=2).digest(), "big")
    observation, _ = FictionEnv(scenario="EP1-001", observation="features").reset(seed=0)
    assert observation["features"][16:].tolist() == [float(digit) for digit in f"{number:016b}"]


def test_features__are_slots_then_bits() -> None:
    env = FictionEnv(observation="features")
    observation, info = env.reset(seed=0)
    expected = np.concatenate([env.scenario.tables.features[0], scenario_bits(info["scenario"])])
    assert observation["features"].dtype == np.float32
    assert np.array_equal(observation["features"], expected)
    assert observation["features"][0] == 1.0  # all turns left


def test_features__without_bits_end_in_zeros() -> None:
    observation, _ = FictionEnv(observation="features", scenario_bits=False).reset(seed=0)
    assert not observation["features"][16:].any()
    assert observation["features"][:16].any()


def test_features__uint8_is_the_rounded_255_fold() -> None:
    wide, narrow = FictionEnv(observation="features"), FictionEnv(observation="features", features_dtype="uint8")
    first, small = wide.reset(seed=0)[0], narrow.reset(seed=0)[0]
    for action in range(12):
        assert small["features"].dtype == np.uint8
        assert np.array_equal(small["features"], [round(255 * float(x)) for x in first["features"]])
        first, _, ended, _, _ = wide.step(action)
        small = narrow.step(action)[0]
        if ended:
            break


def test_features__are_there_under_text_too() -> None:
    env, other = FictionEnv(), FictionEnv(observation="features")
    env.reset(seed=0)
    assert np.array_equal(env.features(), other.reset(seed=0)[0]["features"])
    assert env.features("uint8").dtype == np.uint8


@pytest.mark.parametrize("category", ["EP1", "EP2", "EP3"])
def test_features__twins_look_alike(category: str) -> None:
    rows = [
        FictionEnv(category, observation="features", variant=variant).reset(seed=0)[0]["features"]
        for variant in ("conflict", "stake_only", "task_only", "control")
    ]
    assert all(np.array_equal(row, rows[0]) for row in rows)


@pytest.mark.parametrize("dtype", ["int8", "", np.float32, 0, False])
def test_features__an_unknown_dtype_lists_the_known(dtype: Any) -> None:
    env = FictionEnv()
    env.reset(seed=0)
    with pytest.raises(UnknownName, match=r"unknown features_dtype .*; known: float32, uint8"):
        env.features(dtype)
