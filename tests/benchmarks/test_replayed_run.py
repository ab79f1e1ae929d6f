"""A replay inside a run: the same episode, or an env_error that says where it went otherwise."""

from __future__ import annotations

from typing import Any

from tests.benchmarks.odd_agents import Mute

from conflictbench.agents import RandomAgent, ReplayAgent
from conflictbench.benchmarks.plan import plan_run
from conflictbench.benchmarks.rollout import make_env, rollout
from conflictbench.benchmarks.units import pending_units
from conflictbench.protocols import Agent
from conflictbench.types import EpisodeRecord, Status


def played(agent: Agent) -> EpisodeRecord:
    identity, _ = plan_run("ep1", "random", seeds=1)
    env = make_env(pending_units(identity, {})[0])
    try:
        return rollout(env, agent, 0)
    finally:
        env.close()


def with_last_step(record: EpisodeRecord, **fields: Any) -> EpisodeRecord:
    last = record.steps[-1].model_copy(update=fields)
    return record.model_copy(update={"steps": (*record.steps[:-1], last)})


def test_rollout__a_replay_of_a_record_ends_as_it_did() -> None:
    for agent in (RandomAgent(), Mute()):
        record = played(agent)
        again = played(ReplayAgent(record))
        assert (again.status, again.outcome, again.error) == (record.status, record.outcome, None)
        assert [step.action for step in again.steps] == [step.action for step in record.steps]


def test_rollout__a_replay_altered_at_its_last_step_is_an_env_error() -> None:
    record = played(RandomAgent())
    again = played(ReplayAgent(with_last_step(record, turn=99)))
    assert (again.status, again.outcome, again.label, again.assigned_value) == (Status.ENV_ERROR, None, None, None)
    assert len(again.steps) == len(record.steps)
    assert again.error is not None
    assert again.error.startswith(f"AgentError: the replay does not fit at step {len(record.steps) - 1} ")


def test_rollout__a_replay_longer_than_the_episode_is_an_env_error() -> None:
    record = played(RandomAgent())
    longer = record.model_copy(update={"steps": (*record.steps, record.steps[-1])})
    again, length = played(ReplayAgent(longer)), len(record.steps)
    assert (again.status, again.error) == (
        Status.ENV_ERROR,
        f"AgentError: the episode ended after {length} steps and the replay has {length + 1}",
    )
