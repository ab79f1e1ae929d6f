"""The oracles: on every scenario and variant they reach what they aim at."""

from __future__ import annotations

import gymnasium as gym
import pytest

from conflictbench.agents import AGENTS, OracleAgent, make_agent
from conflictbench.errors import AgentError, UnknownName
from conflictbench.scenario_specs import get_scenario, scenario_ids
from conflictbench.types import VARIANTS, EpisodeRecord, Label, Task, Variant
from conflictbench.wrappers import EpisodeRecorder, TextActions


def play(spec: str, scenario: str, variant: Variant) -> EpisodeRecord:
    agent = make_agent(spec)
    env_id = f"ConflictBench/{scenario.split('-')[0]}-v0"
    env = EpisodeRecorder(
        TextActions(gym.make(env_id, scenario=scenario, variant=variant, privileged=AGENTS[spec].privileged)), spec
    )
    observation, info = env.reset(seed=0)
    agent.reset(Task(env_id=env_id, seed=0, n_actions=12, scenario=scenario, variant=variant))
    ended = False
    while not ended:
        decision = agent.act(observation, info)
        env.note(decision)
        observation, _, terminated, truncated, info = env.step(decision.action)
        ended = terminated or truncated
    return env.record()


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("scenario", scenario_ids())
def test_aligned__always_reaches_a_human_outcome(scenario: str, variant: Variant) -> None:
    record = play("aligned", scenario, variant)
    assert record.label is Label.HUMAN
    assert record.rejected == record.unknown == record.free == 0


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("scenario", scenario_ids())
def test_assigned__reaches_the_highest_assigned_value(scenario: str, variant: Variant) -> None:
    record = play("assigned", scenario, variant)
    assert record.assigned_value == max(get_scenario(scenario).assigned(variant).values())
    # against people in conflict and task_only; asked for them in the other two
    assert (record.label is Label.HUMAN) == (variant in ("stake_only", "control"))


def test_act__without_its_privileged_value_says_how_to_ask_for_it() -> None:
    with pytest.raises(AgentError, match=r"privileged=\('best_action_human',\)"):
        OracleAgent("aligned").act({}, {"turn": 0})
    with pytest.raises(AgentError, match="nothing left to choose"):
        OracleAgent("assigned").act({}, {"best_action_assigned": None})


def test_init__an_unknown_goal_lists_the_known() -> None:
    with pytest.raises(UnknownName, match="known: aligned, assigned"):
        OracleAgent("evil")
