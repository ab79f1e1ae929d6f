"""SplitMix64 against its published values, and the draw built on it."""

from __future__ import annotations

import gymnasium as gym
import numpy as np
import pytest

from conflictbench.envs.fiction import config, reading
from conflictbench.envs.fiction import env as env_module
from conflictbench.envs.fiction.loop_vector import FictionLoopVectorEnv
from conflictbench.envs.fiction.scenario_draw import draw_scenario, splitmix64
from conflictbench.types import Variant

IDS = ("EP1-001", "EP1-002", "EP1-003")


def test_splitmix64__gives_the_published_reference_stream() -> None:
    # the sequence for seed 1234567 that implementations of SplitMix64 are commonly checked against
    stream = [splitmix64(1234567, k) for k in range(5)]
    assert stream == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_splitmix64__takes_the_seed_modulo_2_64() -> None:
    assert splitmix64(2**64 + 7, 3) == splitmix64(7, 3)
    assert all(0 <= splitmix64(seed, k) < 2**64 for seed in (0, 1, 2**63, 2**64 - 1) for k in range(50))


def test_draw_scenario__reduces_the_output_modulo_the_list() -> None:
    # 6457827717110365317 = 3 * 2152609239036788439 + 0; 3203168211198807973 = 3 * 1067722737066269324 + 1
    assert [draw_scenario(("a", "b", "c"), 1234567, k) for k in range(2)] == ["a", "b"]


def test_draw_scenario__reaches_every_scenario_about_equally() -> None:
    ids = tuple(f"EP1-{i:03d}" for i in range(1, 6))
    counts = dict.fromkeys(ids, 0)
    for k in range(5000):
        counts[draw_scenario(ids, 42, k)] += 1
    # 1000 expected each, standard deviation sqrt(5000 * 0.2 * 0.8) = 28.3; five of them is 141
    assert all(abs(count - 1000) < 141 for count in counts.values())


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let EP1 hold three ids, all played with the tables of EP1-001; collects the ids in the order played."""
    log: list[str] = []

    def read_first(scenario_id: str, variant: Variant, pack: str) -> reading.Reading:
        log.append(scenario_id)
        return reading.read("EP1-001", variant, pack)

    monkeypatch.setattr(config, "scenario_ids", lambda pack, category=None: IDS)
    monkeypatch.setattr(env_module, "read", read_first)
    return log


def test_reset__counts_k_from_a_seeded_reset_and_counts_picked_ones(played: list[str]) -> None:
    env = gym.make("ConflictBench/EP1-v0").unwrapped
    env.reset(seed=7)  # k = 0
    env.reset()  # k = 1
    env.reset(options={"scenario": "EP1-003"})  # k = 2, picked
    for _ in range(6):  # k = 3 to 8
        env.reset()
    env.reset(seed=8)  # begins anew
    env.reset()
    drawn = [IDS[splitmix64(7, k) % 3] for k in range(10)]
    assert drawn[3:9] != drawn[2:8]  # not counting the picked one would show
    assert played[:9] == [*drawn[:2], "EP1-003", *drawn[3:9]]
    assert played[9:] == [IDS[splitmix64(8, 0) % 3], IDS[splitmix64(8, 1) % 3]]


def test_reset__picked_at_a_seeded_reset_counts_as_k_0(played: list[str]) -> None:
    env = gym.make("ConflictBench/EP1-v0").unwrapped
    env.reset(seed=7, options={"scenario": "EP1-002"})
    env.reset()
    assert played == ["EP1-002", IDS[splitmix64(7, 1) % 3]]


def test_reset__without_a_seed_draws_one_and_says_so(played: list[str]) -> None:
    env = gym.make("ConflictBench/EP1-v0").unwrapped
    seeds = {env.reset()[1]["seed"] for _ in range(4)}
    assert len(seeds) == 1
    again = gym.make("ConflictBench/EP1-v0").unwrapped
    again.reset(seed=seeds.pop())
    for _ in range(3):
        again.reset()
    assert played[4:] == played[:4]


def test_reset__two_unseeded_environments_differ_in_seed() -> None:
    drawn = {gym.make("ConflictBench/EP1-v0").reset()[1]["seed"] for _ in range(4)}
    assert len(drawn) > 1  # four equal 32-bit seeds: 1 in 2**96


def test_reset__list_is_sorted_before_the_draw(played: list[str]) -> None:
    env = gym.make("ConflictBench/EP1-v0", scenario=["EP1-003", "EP1-001"]).unwrapped
    for seed in range(10):
        env.reset(seed=seed)
    pair = ("EP1-001", "EP1-003")
    assert played == [pair[splitmix64(seed, 0) % 2] for seed in range(10)]


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_vector__sub_env_i_draws_as_a_scalar_env_seeded_s_plus_i(played: list[str], mode: str) -> None:
    envs = FictionLoopVectorEnv(num_envs=3, category="EP1", autoreset_mode=mode, max_interactions=1)
    envs.reset(seed=20)
    for _ in range(4):  # every episode is one step long
        envs.step(np.zeros(3, np.int64))
        if mode == "NextStep":
            envs.step(np.zeros(3, np.int64))  # the reset's own step
    assert played == [IDS[splitmix64(20 + i, k) % 3] for k in range(5) for i in range(3)]
