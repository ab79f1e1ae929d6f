"""`TaskConflictVectorEnv` against as many scalar environments, step by step; its beginnings, ends and arguments."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.envs.task_conflict.seats import AGENTS, INCUMBENT, REQUESTER
from tests.scenario_specs.parties.chiller import chiller

from conflictbench.envs.task_conflict.env import TaskConflictEnv
from conflictbench.envs.task_conflict.vector import TaskConflictVectorEnv
from conflictbench.errors import InvalidAction, InvalidValue, ResetNeeded, UnknownName
from conflictbench.scenario_specs.parties.joint import Joint


def assert_rows(observed: dict[str, Any], i: int, expected: dict[str, Any]) -> None:
    """Row i of what a vector shows is what a scalar environment shows."""
    for agent in AGENTS:
        for key, value in expected[agent].items():
            np.testing.assert_array_equal(observed[agent][key][i], value, f"{agent} {key} of game {i}")


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 2**40),
    scenario=st.sampled_from([None, "EP2-005", ["EP2-001", "EP2-003"], "chiller"]),
    mode=st.sampled_from(["NextStep", "SameStep"]),
    max_cycles=st.sampled_from([None, 1, 3, 6]),
    masked=st.booleans(),
)
def test_vector__plays_what_scalar_environments_play(
    seed: int, scenario: Any, mode: str, max_cycles: int | None, masked: bool
) -> None:
    n, rng = 3, np.random.default_rng(seed)
    played = Joint(chiller(types=True)) if scenario == "chiller" else scenario
    vector = TaskConflictVectorEnv(n, scenario=played, autoreset_mode=mode, max_cycles=max_cycles)
    scalars = [TaskConflictEnv(scenario=played, max_cycles=max_cycles) for _ in range(n)]
    observed, infos = vector.reset(seed=seed)
    for i, env in enumerate(scalars):
        expected, told = env.reset(seed=seed + i)
        assert_rows(observed, i, expected)
        assert (infos["seed"][i], infos["scenario"][i]) == (seed + i, told[INCUMBENT]["scenario"])
    totals = np.zeros((n, 2))
    for _ in range(20):
        masks = [
            observed[agent]["action_mask"] if masked else np.ones_like(observed[agent]["action_mask"])
            for agent in AGENTS
        ]
        actions = np.array([[rng.choice(np.flatnonzero(mask[i])) for mask in masks] for i in range(n)])
        observed, rewards, terminated, truncated, infos = vector.step(actions)
        for i, env in enumerate(scalars):
            if not env.agents:  # NextStep: the step behind an end is a beginning
                assert_rows(observed, i, env.reset()[0])
                assert not terminated[i] and not truncated[i] and not rewards[i].any()
                totals[i] = 0.0
                continue
            expected, paid, ended, stopped, told = env.step(dict(zip(AGENTS, actions[i].tolist(), strict=True)))
            assert rewards[i].tolist() == pytest.approx([paid[agent] for agent in AGENTS])
            assert (bool(terminated[i]), bool(truncated[i])) == (ended[INCUMBENT], stopped[INCUMBENT])
            totals[i] += rewards[i]
            over = not env.agents
            assert over == bool(infos.get("_episode", np.zeros(n, bool))[i])
            if over:
                result = told[REQUESTER]["result"]
                assert infos["episode"]["r"][i].tolist() == pytest.approx(list(result["payoffs"].values()))
                assert infos["episode"]["r"][i].tolist() == pytest.approx(totals[i].tolist())
                assert infos["episode"]["l"][i] == result["turns"]
                assert (infos["human"][i], infos["task"][i]) == (result["human"], result["task"])
            if over and mode == "SameStep":
                assert_rows(infos["final_obs"], i, expected)
                expected, totals[i] = env.reset()[0], 0.0
            assert_rows(observed, i, expected)
            assert vector.state_indices[i] == env.state_index and vector.scenarios[i] == env.joint.id


def test_vector__goes_on_past_a_block_of_draws() -> None:
    vector = TaskConflictVectorEnv(2, autoreset_mode="SameStep", max_cycles=1, observation="masks")
    scalars = [TaskConflictEnv(max_cycles=1) for _ in range(2)]
    vector.reset(seed=3)
    for i, env in enumerate(scalars):
        env.reset(seed=3 + i)
    for _ in range(150):  # draws come 64 at a time
        vector.step(np.zeros((2, 2), int))
        for i, env in enumerate(scalars):
            env.reset()
            assert (vector.scenarios[i], vector.state_indices[i]) == (env.joint.id, env.state_index)


def test_vector__picks_scenario_and_start_and_then_draws_on() -> None:
    vector, env = TaskConflictVectorEnv(2), TaskConflictEnv()
    vector.reset(seed=7)
    env.reset(seed=7)
    for options in ({"scenario": "EP2-005", "start": 3}, {"scenario": "EP2-005"}, None):
        observed, _ = vector.reset(options=options)
        assert_rows(observed, 0, env.reset(options=options)[0])
        assert vector.state_indices[0] == env.state_index
    with pytest.raises(InvalidValue, match="start 1 without a scenario"):
        vector.reset(options={"start": 1})


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_vector__a_reset_mask_begins_the_marked_games_alone(mode: str) -> None:
    vector = TaskConflictVectorEnv(3, autoreset_mode=mode)
    scalars = [TaskConflictEnv() for _ in range(3)]
    vector.reset(seed=5)
    shown = [env.reset(seed=5 + i)[0] for i, env in enumerate(scalars)]
    for mask, seed in (([False, True, False], None), ([True, False, True], [7, None, None])):
        observed, *_ = vector.step(np.zeros((3, 2), int))
        shown = [env.step(dict.fromkeys(AGENTS, 0))[0] for env in scalars]
        observed, infos = vector.reset(seed=seed, options={"reset_mask": np.array(mask)})
        for i, env in enumerate(scalars):
            if mask[i]:
                shown[i] = env.reset(seed=None if seed is None else seed[i])[0]
            assert_rows(observed, i, shown[i])
        assert infos["seed"].tolist() == [env.seed for env in scalars]


def test_vector__a_reset_mask_that_is_none_is_named() -> None:
    vector = TaskConflictVectorEnv(2)
    with pytest.raises(ResetNeeded, match="a first reset with a reset_mask of some"):
        vector.reset(options={"reset_mask": np.array([True, False])})
    for mask in ([True, False], np.array([True]), np.array([False, False]), np.array([1, 0])):
        with pytest.raises(InvalidValue, match="reset_mask must be an array of bool, shape \\(2,\\), one of them True"):
            vector.reset(options={"reset_mask": mask})


def test_vector__option_keys_that_nobody_knows_are_let_through() -> None:
    vector = TaskConflictVectorEnv(2, max_cycles=np.int64(3))
    assert data_equivalence(vector.reset(seed=1, options={"difficulty": 3}), vector.reset(seed=1)) and vector.max_cycles


def test_features__an_index_beyond_a_games_moves_stands_as_hold_and_padding_stays_zero() -> None:
    scenarios = ["EP2-001", "EP2-002", "EP2-003", "EP2-004", "EP2-005"]
    env = TaskConflictEnv(scenario=scenarios)
    widths = [env.action_space(agent).n for agent in AGENTS]
    tried = 0
    for scenario in scenarios:
        vector = TaskConflictVectorEnv(1, scenario=scenarios)
        for party, agent in enumerate(AGENTS):
            env.reset(seed=0, options={"scenario": scenario, "start": 0})
            vector.reset(seed=0, options={"scenario": scenario, "start": 0})
            if len(env.moves(agent)) == widths[party]:
                continue
            tried += 1
            actions = {**dict.fromkeys(AGENTS, 0), agent: widths[party] - 1}
            shown, _, _, _, infos = env.step(actions)
            many, *_ = vector.step([[actions[INCUMBENT], actions[REQUESTER]]])
            assert infos[agent]["event"] == "rejected" and infos[agent]["last_moves"] == {"incumbent": "hold",
                "requester": "hold"} | {agent.removesuffix("_0"): None}  # fmt: skip
            other = AGENTS[1 - party]
            row = dict(zip(env.feature_names(other), shown[other]["observation"].tolist(), strict=True))
            assert row["other: hold"] == 1.0 and row["other rejected"] == 1.0
            for one in AGENTS:
                named = zip(env.feature_names(one), shown[one]["observation"], strict=True)
                assert not [value for name, value in named if name == "" and value]
                assert_rows(many, 0, shown)
    assert tried >= 4


def test_vector__seeds_may_be_one_a_game_or_drawn() -> None:
    vector = TaskConflictVectorEnv(2, observation="masks")
    _, infos = vector.reset(seed=[5, 1])
    assert infos["seed"].tolist() == [5, 1]
    _, infos = TaskConflictVectorEnv(3, observation="masks").reset()
    assert np.diff(infos["seed"]).tolist() == [1, 1]


def test_vector__shows_masks_alone_when_asked_and_fresh_arrays() -> None:
    vector = TaskConflictVectorEnv(4, observation="masks", infos="none", scenario="EP2-004")
    observed, _ = vector.reset(seed=0)
    again, *_, infos = vector.step(np.zeros((4, 2), np.int8))
    assert set(again[INCUMBENT]) == {"action_mask"} and infos == {}
    assert not np.shares_memory(observed[INCUMBENT]["action_mask"], again[INCUMBENT]["action_mask"])
    assert all(vector.observation_space(agent).contains(again[agent]) for agent in AGENTS)
    full = TaskConflictVectorEnv(4, scenario="EP2-004")
    assert all(full.observation_space(agent).contains(full.reset(seed=0)[0][agent]) for agent in AGENTS)
    assert full.action_space(REQUESTER).nvec.tolist() == [7] * 4


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))], ids=["copy", "pickle"])
def test_vector__copies_go_on_as_the_original_does(copied: Any) -> None:
    vector = TaskConflictVectorEnv(3, scenario=["EP2-003", "EP2-005"])
    vector.reset(seed=1)
    rng = np.random.default_rng(0)
    actions = [rng.integers(vector.catalog.widths, size=(3, 2)) for _ in range(12)]
    for played in actions[:3]:
        vector.step(played)
    twin = copied(vector)
    assert twin.catalog is vector.catalog
    for played in actions[3:]:
        assert data_equivalence(vector.step(played), twin.step(played))


@pytest.mark.parametrize(
    "actions, words",
    [
        (np.zeros((2, 2)), "actions of float64: integers are wanted"),
        (np.zeros(2, int), "actions of shape \\(2,\\); it must be \\(2, 2\\)"),
        ([[0, 0], [10, 0]], "actions \\[10, 0\\] are outside .* 0..9 of incumbent_0 and 0..8 of requester_0"),
        ([[0, -1], [0, 0]], "actions \\[0, -1\\] are outside"),
        ([[0, 0], [0]], "actions \\[\\[0, 0\\], \\[0\\]\\]: shape \\(2, 2\\) is wanted"),
        (np.zeros((2, 2), "m8[s]"), "actions of timedelta64\\[s\\]"),
        (None, "actions of object"),
    ],
)
def test_vector__wrong_actions_are_named(actions: Any, words: str) -> None:
    vector = TaskConflictVectorEnv(2)
    with pytest.raises(ResetNeeded, match="before the first reset"):
        vector.step(np.zeros((2, 2), int))
    vector.reset(seed=0)
    with pytest.raises(InvalidAction, match=words):
        vector.step(actions)


@pytest.mark.parametrize(
    "arguments, error, words",
    [
        ({"num_envs": 0}, InvalidValue, "num_envs 0"),
        ({"observation": "text"}, UnknownName, "unknown observation 'text'; known: features, masks"),
        ({"autoreset_mode": "Disabled"}, UnknownName, "'Disabled'; known: NextStep, SameStep$"),
        ({"autoreset_mode": AutoresetMode.DISABLED}, UnknownName, "'Disabled'; known: NextStep, SameStep$"),
        ({"autoreset_mode": "never"}, UnknownName, "'never'; known: NextStep, SameStep$"),
        ({"talk": "signal"}, UnknownName, "unknown keyword 'talk'; known: num_envs, scenario, observation, autoreset"),
        ({"infos": "all"}, UnknownName, "unknown infos 'all'; known: ends, none"),
        ({"scenario": "EP3-001"}, UnknownName, "unknown scenario 'EP3-001'"),
    ],
)
def test_vector__wrong_arguments_are_named(arguments: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        TaskConflictVectorEnv(**arguments)
