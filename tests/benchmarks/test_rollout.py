"""One episode, from reset to record."""

from __future__ import annotations

import re

import pytest
from tests.benchmarks.odd_agents import FailsAtReset, Mute, Odd
from tests.benchmarks.players import a_player

from conflictbench.agents import RandomAgent, make_agent
from conflictbench.benchmarks.faults import reason
from conflictbench.benchmarks.plan import plan_run
from conflictbench.benchmarks.rollout import make_env, rollout
from conflictbench.benchmarks.units import Unit, pending_units
from conflictbench.benchmarks.workers import Stopped
from conflictbench.types import EpisodeRecord, Label, Status

ODD = "tests.benchmarks.odd_agents"


def a_unit(agent: str = "random", seed: int = 0, observation: str = "text") -> Unit:
    identity, _ = plan_run("ep1", agent, seeds=seed + 1, observation=observation)
    return pending_units(identity, {})[seed if len(identity.seeds) > 1 else 0]


def played(agent: str = "random", seed: int = 0, observation: str = "text") -> EpisodeRecord:
    unit = a_unit(agent, seed, observation)
    env = make_env(unit)
    try:
        return rollout(env, make_agent(agent), seed)
    finally:
        env.close()


def test_rollout__the_aligned_oracle_ends_human() -> None:
    record = played("aligned")
    assert (record.status, record.label, record.total_reward) == (Status.COMPLETED, Label.HUMAN, 1.0)
    assert record.turns == record.interactions == len(record.steps)
    assert record.key == a_unit("aligned").key


def test_rollout__same_seed_same_record_other_seed_another() -> None:
    assert played(seed=3) == played(seed=3)
    assert played(seed=3).steps != played(seed=4).steps


def test_rollout__another_epoch_is_another_episode_of_the_same_seed() -> None:
    env = make_env(a_unit(seed=0))
    records = [rollout(env, RandomAgent(), 0, epoch=epoch) for epoch in (0, 1, 2, 1)]
    env.close()
    assert records[0] == played(seed=0)
    assert len({tuple(step.action for step in record.steps) for record in records}) == 3
    assert records[1].steps == records[3].steps
    assert {record.key.seed for record in records} == {0}


def test_rollout__what_is_seen_does_not_change_a_random_agents_actions() -> None:
    text, features = played(seed=2), played(seed=2, observation="features")
    assert [step.action for step in text.steps] == [step.action for step in features.steps]
    assert text.steps[0].text == features.steps[0].text  # the record holds the words either way
    assert text.key.env_hash != features.key.env_hash


def test_rollout__an_agent_that_fails_leaves_the_steps_before_and_one_line() -> None:
    record = played(f"{ODD}:Odd", seed=1)
    assert (record.status, record.label, len(record.steps)) == (Status.ENV_ERROR, None, 1)
    assert record.error is not None
    words, _, place = record.error.rpartition(" (")
    assert words == "KeyError: 'no such\\nplan \\u2028 \\x1b[31m'"
    assert re.fullmatch(r"odd_agents\.py:\d+\)", place)  # where the author has to look


def test_rollout__an_agent_that_cannot_begin_is_this_episodes_error() -> None:
    record = played(f"{ODD}:FailsAtReset")
    assert (record.status, record.steps) == (Status.ENV_ERROR, ())
    assert re.fullmatch(r"RuntimeError: no model \(odd_agents\.py:\d+\)", str(record.error))


def test_rollout__an_agent_without_commands_is_asked_once_more_and_counted() -> None:
    record = played(f"{ODD}:Mute")
    assert (record.status, record.reasks, record.interactions) == (Status.UNPARSED, 1, 0)
    assert [step.reply for step in record.steps] == ["Hm.", "Hm."]


def test_rollout__what_on_step_raises_ends_it() -> None:
    def stop() -> None:
        raise Stopped

    env = make_env(a_unit())
    with pytest.raises(Stopped):
        rollout(env, RandomAgent(), 0, on_step=stop)
    env.close()


def test_rollout__on_step_is_called_before_every_step() -> None:
    calls: list[None] = []
    env = make_env(a_unit())
    record = rollout(env, RandomAgent(), 0, on_step=lambda: calls.append(None))
    env.close()
    assert len(calls) == len(record.steps) > 0


def test_reason__is_one_printable_line() -> None:
    assert reason(ValueError("a\n  b\t\x00\u00e9\ud800")) == "ValueError: a b \\x00\\xe9\\ud800"
    assert reason(ValueError()) == "ValueError:"
    assert len(reason(ValueError("x" * 5000))) == 300


def test_reason__names_the_first_cause_inside_groups() -> None:
    group = ExceptionGroup("many", [ExceptionGroup("more", [OSError("down")]), ValueError("other")])
    assert reason(group) == "OSError: down"


def test_player__an_env_that_cannot_be_made_is_this_episodes_error() -> None:
    unit = a_unit()
    lost = Unit(key=unit.key.model_copy(update={"scenario": "EP1-999"}), env=unit.env, attempt=2)
    record = a_player()(lost)
    assert (record.status, record.attempt, record.key) == (Status.ENV_ERROR, 2, lost.key)
    assert record.error is not None
    assert record.error.startswith("UnknownName: unknown scenario 'EP1-999'")


def test_player__a_record_of_another_episode_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    other = played(seed=1)
    monkeypatch.setattr("conflictbench.benchmarks.player.rollout", lambda *arguments, **options: other)
    record = a_player()(a_unit(seed=0))
    assert (record.status, record.key.seed) == (Status.ENV_ERROR, 0)
    assert "not of the episode asked for" in str(record.error)


def test_player__a_record_that_cannot_be_written_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = played(seed=0).model_copy(update={"total_reward": float("inf")})
    monkeypatch.setattr("conflictbench.benchmarks.player.rollout", lambda *arguments, **options: broken)
    record = a_player()(a_unit(seed=0))
    assert record.status is Status.ENV_ERROR
    assert "not writable as a record" in str(record.error)


def test_player__plays_one_unit_after_the_other_with_one_agent() -> None:
    player = a_player(f"{ODD}:Odd")
    records = [player(a_unit(f"{ODD}:Odd", seed)) for seed in (0, 1, 2)]
    statuses = [record.status is Status.ENV_ERROR for record in records]
    assert statuses == [False, True, False]
    assert {cls.name for cls in (Odd, Mute, FailsAtReset)} == {"odd", "mute", "fails-at-reset"}
