"""Arguments, options and actions that are wrong are named, with what would be right; nothing is half done."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from tests.envs.task_conflict.seats import AGENTS, INCUMBENT, REQUESTER, chiller_env, random_actions
from tests.scenario_specs.parties.chiller import chiller

from conflictbench.envs import task_conflict_v0
from conflictbench.envs.task_conflict.catalog import joint_catalog
from conflictbench.envs.task_conflict.coding import Signal
from conflictbench.envs.task_conflict.env import TaskConflictEnv
from conflictbench.errors import InvalidAction, InvalidValue, ResetNeeded, UnknownName
from conflictbench.scenario_specs.parties.block import ROLES
from conflictbench.scenario_specs.parties.bots import BOTS
from conflictbench.scenario_specs.parties.joint import Joint, two_party_ids


@pytest.mark.parametrize(
    "arguments, error, words",
    [
        ({"scenario": "EP2-999"}, UnknownName, "unknown scenario 'EP2-999'; known: EP2-001"),
        ({"scenario": "EP1-001"}, UnknownName, "unknown scenario 'EP1-001'"),
        ({"scenario": []}, InvalidValue, "scenario is an empty list"),
        ({"scenario": ["EP2-001", "EP2-001"]}, InvalidValue, "more than once"),
        ({"scenario": 3}, InvalidValue, "scenario 3 is a int"),
        ({"scenario": [Joint(chiller()), "EP9"]}, UnknownName, "unknown scenario 'EP9'"),
        ({"scenario": [Joint(chiller()), Joint(chiller())]}, InvalidValue, "more than once"),
        ({"observation": "pixels"}, UnknownName, "unknown observation 'pixels'; known: features, text"),
        ({"talk": "binding"}, UnknownName, "unknown talk 'binding'; known: none, signal, text"),
        ({"max_cycles": 0}, InvalidValue, "max_cycles 0 must be a whole number >= 1"),
        ({"max_cycles": True}, InvalidValue, "max_cycles True"),
        ({"render_mode": "rgb_array"}, UnknownName, "unknown render_mode 'rgb_array'; known: human, ansi"),
        ({"variant": "control"}, UnknownName, "unknown keyword 'variant'; known: scenario, observation, talk"),
    ],
)
def test_arguments__wrong_ones_are_named(arguments: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        TaskConflictEnv(**arguments)


@pytest.mark.parametrize(
    "kwargs, error, words",
    [
        ({"seed": -1}, InvalidValue, "seed -1 must be a whole number >= 0"),
        ({"options": [1]}, InvalidValue, "options \\[1\\] is a list"),
        ({"options": {"scenario": "EP2-777"}}, UnknownName, "unknown scenario 'EP2-777'"),
        ({"options": {"scenario": "EP2-005", "start": 4}}, InvalidValue,
            "start 4 .* in 0..3: 0 incumbent first, klystron cold; 1 requester first, klystron cold; 2 inc"),
        ({"options": {"scenario": "EP2-001", "start": "first"}}, InvalidValue, "start 'first' of EP2-001"),
    ],
)  # fmt: skip
def test_reset__wrong_values_are_named_and_leave_the_game_as_it_was(
    kwargs: dict[str, Any], error: type[Exception], words: str
) -> None:
    env, other = TaskConflictEnv(), TaskConflictEnv()
    for each in (env, other):
        each.reset(seed=2)
    with pytest.raises(error, match=words):
        env.reset(**kwargs)
    assert data_equivalence(env.observe(INCUMBENT), other.observe(INCUMBENT)) and env.agents == list(AGENTS)
    assert data_equivalence(env.reset(), other.reset())


def test_reset__keys_that_nobody_knows_are_let_through() -> None:
    env = TaskConflictEnv()
    env.reset(seed=0, options={"options": 1, "difficulty": "hard"})
    assert env.agents == list(AGENTS)


@pytest.mark.parametrize(
    "talk, action, words",
    [
        ("none", 6, "the action of incumbent_0 6 is outside its space; valid indices are 0..5"),
        ("none", -1, "-1 is outside its space"),
        ("none", 1.0, "1.0 is a float"),
        ("none", True, "True is a bool"),
        ("none", np.timedelta64(3, "s"), "is a timedelta64; valid"),
        ("none", np.array([3], "m8[s]"), "is a ndarray; valid"),
        ("none", np.array([1, 2]), "is a ndarray; valid"),
        ("none", "x" * 100_000, "^the action of incumbent_0 'x{76}\\.\\.\\. is a str; valid indices are 0..5$"),
        ("none", None, "None is a NoneType"),
        ("none", {"act": 1, "message": ""}, "is a dict; valid indices"),
        ("signal", 18, "18 is outside its space; valid indices are 0..17"),
        ("text", 1, 'must be a dict {"act": index, "message": text}, not int'),
        ("text", {"act": 1}, "not with the keys \\['act'\\]"),
        ("text", {"act": 1, "message": 5}, "the message of incumbent_0 5 is a int"),
        ("text", {"act": 99, "message": ""}, "99 is outside its space"),
        ("text", {"act": 1, "message": b"x" * 100_000}, "x\\.\\.\\. is a bytes; it must be a str"),
    ],
)
def test_step__an_action_outside_the_space_raises_and_changes_nothing(talk: str, action: Any, words: str) -> None:
    env = chiller_env(talk=talk)
    env.reset(seed=0)
    before = env.observe(INCUMBENT)
    other = {"act": 5, "message": ""} if talk == "text" else 0
    with pytest.raises(InvalidAction, match=words):
        env.step({INCUMBENT: action, REQUESTER: other})
    assert data_equivalence(before, env.observe(INCUMBENT)) and env.phase == ("move" if talk == "none" else "talk")


@pytest.mark.parametrize("actions", [{INCUMBENT: 0}, {INCUMBENT: 0, REQUESTER: 0, "third_0": 0}, {}, [0, 0], None])
def test_step__without_one_action_each_is_refused(actions: Any) -> None:
    env = chiller_env()
    env.reset(seed=0)
    with pytest.raises(InvalidAction, match="one action each for incumbent_0 and requester_0"):
        env.step(actions)


def test_step__takes_numpy_integers_and_arrays_of_one() -> None:
    env = chiller_env()
    env.reset(seed=0)
    env.step({INCUMBENT: np.int32(1), REQUESTER: np.array([2])})
    assert env.observe(INCUMBENT)["observation"][list(env.feature_names(INCUMBENT)).index("crew")] == 1.0


def test_env__before_a_reset_and_after_the_end_says_so() -> None:
    env = chiller_env(max_cycles=1)
    for ask in (env.state, env.render, lambda: env.observe(INCUMBENT), lambda: env.step({}), lambda: env.joint):
        with pytest.raises(ResetNeeded, match="before the first reset"):
            ask()
    env.reset(seed=0)
    env.step({INCUMBENT: 0, REQUESTER: 0})
    with pytest.raises(ResetNeeded, match="after the end of the game"):
        env.step({INCUMBENT: 0, REQUESTER: 0})


def test_env__another_agent_is_named() -> None:
    with pytest.raises(UnknownName, match="unknown agent 'incumbent'; known: incumbent_0, requester_0"):
        chiller_env().action_space("incumbent")


def test_spaces__are_the_same_object_each_time_and_as_wide_as_the_widest_game() -> None:
    env = TaskConflictEnv()
    assert env.action_space(INCUMBENT) is env.action_space(INCUMBENT)
    assert env.observation_space(REQUESTER) is env.observation_space(REQUESTER)
    widths = [max(TaskConflictEnv(scenario=name).action_space(agent).n for name in two_party_ids()) for agent in AGENTS]
    assert [env.action_space(agent).n for agent in AGENTS] == widths == [10, 9]


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["copy", "pickle"])
@pytest.mark.parametrize("own", [False, True], ids=["core", "own game"])
def test_copies__go_on_as_the_original_does(copied: Any, own: bool) -> None:
    kwargs = {"talk": "text", "observation": "text"}
    env = chiller_env(chiller(types=True), **kwargs) if own else TaskConflictEnv(**kwargs)
    observations, _ = env.reset(seed=9)
    rng = np.random.default_rng(0)
    for _ in range(3):
        observations = env.step(random_actions(env, observations, rng, "so"))[0]
    twin = copied(env)
    while env.agents:
        actions = random_actions(env, observations, rng, "then")
        stepped, again = env.step(actions), twin.step(actions)
        assert data_equivalence(stepped, again)
        observations = stepped[0]
    assert data_equivalence(env.reset(), twin.reset())


def test_render__fits_a_terminal_and_shows_both_sides() -> None:
    env = chiller_env(render_mode="ansi", talk="text")
    env.reset(seed=0, options={"start": 0})
    env.step({INCUMBENT: {"act": 6, "message": "no " * 200}, REQUESTER: {"act": 5, "message": ""}})
    env.step({INCUMBENT: {"act": 1, "message": ""}, REQUESTER: {"act": 3, "message": ""}})
    shown = env.render()
    assert shown is not None and max(map(len, shown.split("\n"))) <= 80
    assert "incumbent> play run batch (done)" in shown and "requester> play file claim (done)" in shown
    assert 'incumbent said: silent "no no' in shown and "Batch: 1 steps." in shown
    assert chiller_env().render_mode is None


def test_render__shows_what_was_said_in_words_and_not_in_ids() -> None:
    env = chiller_env(render_mode="ansi", talk="signal")
    env.reset(seed=0, options={"start": 0})
    ask = env.signals(INCUMBENT).encode(Signal(kind="ask", move=3))
    promise = env.signals(REQUESTER).encode(Signal(kind="promise", move=2))
    env.step({INCUMBENT: ask, REQUESTER: promise})
    shown = env.render()
    assert shown is not None and "incumbent said: ask play file claim\n" in shown
    assert "requester said: promise play lend crew\n" in shown and "_" not in shown


def test_arguments__the_scenario_may_stand_first_without_its_name_in_all_forms() -> None:
    for make in (task_conflict_v0.parallel_env, task_conflict_v0.raw_env, task_conflict_v0.env):
        env: Any = make("EP2-001", talk="signal")
        assert (env.unwrapped.config.ids, env.unwrapped.config.talk) == (("EP2-001",), "signal")


def test_arguments__whole_numbers_of_numpy_are_whole_numbers() -> None:
    env = TaskConflictEnv(scenario="EP2-005", max_cycles=np.int32(2))
    env.reset(seed=0, options={"start": np.int64(3)})
    assert env.max_cycles == 2 and env.start_index == 3


def test_arguments__long_values_are_cut_in_messages() -> None:
    for given in ({"scenario": "EP2-" + "9" * 100_000}, {"talk": "t" * 100_000}, {"max_cycles": "1" * 100_000}):
        with pytest.raises(ValueError, match=r"\.\.\.") as caught:
            TaskConflictEnv(**given)
        assert len(str(caught.value)) < 300


def test_tables__that_are_handed_out_cannot_be_written_into() -> None:
    env = chiller_env(chiller(types=True))
    env.reset(seed=0)
    tables, bots, catalog = env.joint.tables, env.joint.bots, joint_catalog((env.playing,))
    policies = [bots.get(role, name).weights for role in ROLES for name in BOTS[role]]
    sure = [array for one in bots.sure for array in (one.value, one.good, one.mixture)]
    held = [array for array in vars(catalog).values() if isinstance(array, np.ndarray)]
    arrays = [*(array for _, array in tables.arrays()), *tables.reward, tables.allowed, env.playing.optimum]
    arrays += [*policies, *sure, *held, *catalog.states, *catalog.turns, catalog.pairs]
    assert len(arrays) > 40
    for array in arrays:
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
