"""PettingZoo's own tests, for every kind of talk and observation, and both registries."""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from types import SimpleNamespace
from typing import Any

import pettingzoo
import pytest
from gymnasium.utils.env_checker import data_equivalence
from pettingzoo.test import api_test, max_cycles_test, parallel_api_test, parallel_seed_test, render_test, seed_test
from pettingzoo.test.state_test import state_test

from conflictbench.envs import task_conflict_v0
from conflictbench.envs.task_conflict.config import OBSERVATIONS, TALKS
from conflictbench.errors import InvalidAction, ResetNeeded, UnknownName

KINDS = [{"observation": observation, "talk": talk} for observation in OBSERVATIONS for talk in TALKS]
# what PettingZoo remarks about Dict observations and parties that differ: true, and as it is meant to be
HARMLESS = (
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be",
    "Action space for each agent probably should be",
    "Agents have different observation space sizes",
    "Observations are different shapes",
)
pytestmark = [pytest.mark.filterwarnings(f"ignore:{message}:UserWarning") for message in HARMLESS]


@pytest.fixture(params=KINDS, ids=lambda kind: "-".join(kind.values()))
def kind(request: pytest.FixtureRequest) -> dict[str, Any]:
    """Arguments of one kind of environment."""
    return dict(request.param)


def test_parallel_env__passes_the_api_test(kind: dict[str, Any]) -> None:
    parallel_api_test(task_conflict_v0.parallel_env(**kind), num_cycles=40)


def test_env__passes_the_api_test(kind: dict[str, Any]) -> None:
    api_test(task_conflict_v0.env(**kind), num_cycles=40)


def test_env__passes_the_seed_tests(kind: dict[str, Any]) -> None:
    seed_test(partial(task_conflict_v0.env, **kind), num_cycles=20)
    parallel_seed_test(partial(task_conflict_v0.parallel_env, **kind), num_cycles=20)


def test_env__passes_the_max_cycles_test(kind: dict[str, Any]) -> None:
    made = {name: partial(getattr(task_conflict_v0, name), **kind) for name in ("parallel_env", "env")}
    max_cycles_test(SimpleNamespace(**made))


def test_env__passes_the_render_test(kind: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    render_test(partial(task_conflict_v0.env, **kind))
    assert "turn 0 of " in capsys.readouterr().out


def test_env__passes_the_state_test(kind: dict[str, Any]) -> None:
    state_test(task_conflict_v0.env(**kind), task_conflict_v0.parallel_env(**kind), num_cycles=20)


def test_registries__make_both_forms() -> None:
    parallel = pettingzoo.make("parallel", task_conflict_v0.ENV_ID, scenario="EP2-003", talk="signal", max_cycles=3)
    assert isinstance(parallel, task_conflict_v0.TaskConflictEnv)
    assert (parallel.config.ids, parallel.config.talk, parallel.max_cycles) == (("EP2-003",), "signal", 3)
    aec = pettingzoo.make("aec", task_conflict_v0.ENV_ID, scenario="EP2-003")
    assert aec.possible_agents == ["incumbent_0", "requester_0"] and aec.unwrapped.config.ids == ("EP2-003",)


def test_import__again_registers_nothing_twice() -> None:
    script = (
        "import sys, importlib; from conflictbench.envs import task_conflict_v0 as t; importlib.reload(t);"
        "import pettingzoo; print(sum('task_conflict' in name for name in pettingzoo.parallel_registry))"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "1\n"


def test_import__without_pettingzoo_says_what_is_missing() -> None:
    script = (
        "import sys; sys.modules['pettingzoo'] = None\n"
        "from conflictbench.errors import NotYetAvailable\n"
        "try:\n    import conflictbench.envs.task_conflict_v0\n"
        "except NotYetAvailable as error:\n    print(error)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("task_conflict_v0 is not available yet: it needs pettingzoo: ")


def test_env__out_of_order_or_out_of_bounds_is_refused_by_the_wrappers() -> None:
    env = task_conflict_v0.env(scenario="EP2-001")
    with pytest.raises(AttributeError, match="before reset"):
        _ = env.agent_selection
    env.reset(seed=0)
    with pytest.raises(AssertionError, match="not in action space"):
        env.step(99)


@pytest.mark.parametrize("wrong", [99, -1, None, 1.5, "hold"])
@pytest.mark.parametrize("second", [False, True])
def test_raw_env__refuses_a_wrong_action_at_once_and_lets_its_agent_choose_again(wrong: Any, second: bool) -> None:
    env, other = (task_conflict_v0.raw_env("EP2-001") for _ in range(2))
    for each in (env, other):
        each.reset(seed=0)
        if second:
            each.step(1)
    with pytest.raises(InvalidAction, match=f"the action of {env.agent_selection} "):
        env.step(wrong)
    for _ in range(3):
        assert env.agent_selection == other.agent_selection
        env.step(0)
        other.step(0)
    assert data_equivalence(env.observe("requester_0"), other.observe("requester_0"))


def test_raw_env__an_agent_whose_game_is_over_leaves_with_none_and_a_step_after_that_needs_a_reset() -> None:
    env = task_conflict_v0.raw_env("EP2-001", max_cycles=1)
    env.reset(seed=0)
    env.step(0)
    env.step(0)
    with pytest.raises(InvalidAction, match="the action of incumbent_0 0: its game is over; it must be None"):
        env.step(0)
    env.step(None)
    env.step(None)
    with pytest.raises(ResetNeeded, match="step after the end of the game"):
        env.step(None)


def test_raw_env__before_a_reset_says_so() -> None:
    env = task_conflict_v0.raw_env("EP2-001")
    asked = [
        lambda: env.step(0), env.last, lambda: env.observe("incumbent_0"), env.state, env.render,
        lambda: env.agent_selection, lambda: next(iter(env.agent_iter())), lambda: env.infos, lambda: env.num_agents,
    ]  # fmt: skip
    for ask in asked:
        with pytest.raises(ResetNeeded, match="before the first reset"):
            ask()
    assert not hasattr(env, "agents") and not hasattr(env, "no_such_thing")
    env.reset(seed=0)
    with pytest.raises(UnknownName, match="unknown agent 'judge'"):
        env.observe("judge")


def test_env__the_second_to_act_sees_nothing_of_the_first() -> None:
    env = task_conflict_v0.env(scenario="EP2-001", observation="text")
    env.reset(seed=0)
    before = env.observe("requester_0")["text"]
    env.step(1)
    assert env.agent_selection == "requester_0" and env.observe("requester_0")["text"] == before
    env.step(0)
    assert env.observe("requester_0")["text"] != before


def test_env__what_a_reader_writes_into_an_observation_is_its_own() -> None:
    env = task_conflict_v0.env(scenario="EP2-001")
    env.reset(seed=0)
    env.observe("incumbent_0")["action_mask"][:] = 9
    env.last()[0]["observation"][:] = 9
    assert env.observe("incumbent_0")["action_mask"].max() == 1
    assert env.observe("incumbent_0")["observation"].max() <= 1.0
