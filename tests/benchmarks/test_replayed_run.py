"""A replay inside a run: the same episode, or an env_error that says where it went otherwise."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.benchmarks.odd_agents import Mute
from tests.benchmarks.players import LLM, ask

from conflictbench.agents import RandomAgent, ReplayAgent
from conflictbench.agents.models import by_turn
from conflictbench.benchmarks.loading import load_records
from conflictbench.benchmarks.plan import plan_run
from conflictbench.benchmarks.rollout import make_env, rollout
from conflictbench.benchmarks.runner import run_suite
from conflictbench.benchmarks.units import pending_units
from conflictbench.protocols import Agent
from conflictbench.types import EpisodeRecord, Reply, Status, ToolCall, Verdict


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


def run_and_replay(tmp_path: Path, agent: str, **options: Any) -> list[tuple[EpisodeRecord, EpisodeRecord]]:
    """Each record of a run, with that of its replay."""
    first = run_suite("ep1", agent, runs=tmp_path, **options)
    options.pop("protocol", None)  # a replay takes it from the file
    again = run_suite("ep1", f"replay:{first.directory / 'episodes.jsonl'}", runs=tmp_path, **options)
    return list(zip(load_records(first.directory), load_records(again.directory), strict=True))


def test_run__a_replay_of_a_run_with_epochs_finds_each_of_them(tmp_path: Path) -> None:
    pairs = run_and_replay(tmp_path, "random", seeds=2, epochs=3)
    assert len(pairs) == 6
    for record, again in pairs:
        assert (again.key.seed, again.key.epoch) == (record.key.seed, record.key.epoch)
        assert (again.status, again.outcome, again.error) == (record.status, record.outcome, None)
        assert [step.command for step in again.steps] == [step.command for step in record.steps]


@pytest.mark.parametrize("protocol", ["paper", "tools"])
def test_run__a_replay_of_a_conversation_is_held_in_its_protocol(
    protocol: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def called(name: str) -> Reply:
        return Reply(tool_calls=(ToolCall(name=name, arguments='{"command": "look"}', id="1"),))

    ask(monkeypatch, by_turn([called("act"), called("search"), called("act"), Reply(text="ACTION: look")]))
    ((record, again),) = run_and_replay(tmp_path, LLM, protocol=protocol, concurrency=1)
    wrong = (
        Verdict.UNPARSED if protocol == "tools" else Verdict.ACTION
    )  # `paper` offers no tool, so none is the wrong one
    assert [step.verdict for step in record.steps[:3]] == [Verdict.ACTION, wrong, Verdict.ACTION]
    assert [step.verdict for step in again.steps] == [step.verdict for step in record.steps]
    assert (again.status, again.error, again.malformed) == (record.status, None, record.malformed)
    assert again.protocol == record.protocol != ""
    assert again.key.env_hash == record.key.env_hash


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
