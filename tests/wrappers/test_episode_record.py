"""`EpisodeRecorder`: whichever loop plays, the same episode gives the same record."""

from __future__ import annotations

import copy
import json
from typing import Any

import gymnasium as gym
import pytest
from gymnasium.envs.registration import EnvSpec
from hypothesis import given, settings
from hypothesis import strategies as st

from conflictbench.errors import ResetNeeded
from conflictbench.types import (
    Decision,
    EpisodeKey,
    EpisodeRecord,
    Event,
    Label,
    Reply,
    Status,
    StepRecord,
    ToolCall,
    Usage,
    Verdict,
)
from conflictbench.wrappers import EpisodeRecorder, FeatureObservation, History, TextActions
from conflictbench.wrappers.episode_record import hash_env
from conflictbench.wrappers.text_actions import REASK_SENTENCES

EP1 = "ConflictBench/EP1-v0"


def recorder(*, words: bool = True, **kwargs: Any) -> EpisodeRecorder:
    env = gym.make(EP1, scenario="EP1-001", **kwargs)
    return EpisodeRecorder(TextActions(env) if words else env, "tester", env_hash="0123abcd")


def play(env: gym.Env[Any, Any], actions: list[Any]) -> dict[str, Any]:
    env.reset(seed=3)
    for action in actions:
        _, _, terminated, truncated, info = env.step(action)
    assert terminated or truncated
    return info


def best_route(goal: str = "best_action_human") -> list[int]:
    """Indices of the best actions, asked for step by step."""
    env = gym.make(EP1, scenario="EP1-001", privileged=(goal,))
    _, info = env.reset(seed=3)
    route, ended = [], False
    while not ended:
        route.append(int(info[goal]))
        _, _, terminated, truncated, info = env.step(route[-1])
        ended = terminated or truncated
    return route


def test_record__of_a_finished_episode_holds_its_outcome() -> None:
    env = recorder()
    route = best_route()
    info = play(env, route)
    record = info["episode_record"]
    assert record is env.record()
    assert record.key == EpisodeKey(scenario="EP1-001", variant="conflict", env_hash="0123abcd", agent="tester", seed=3)
    assert (record.status, record.label, record.env_id) == (Status.COMPLETED, Label.HUMAN, EP1)
    assert record.outcome == info["outcome"]
    assert (record.total_reward, record.assigned_value) == (1.0, info["assigned_value"])
    assert record.turns == record.interactions == len(route) == len(record.steps)
    assert (record.rejected, record.unknown, record.free, record.reasks) == (0, 0, 0, 0)
    assert record.scenario_digest == env.unwrapped.scenario.digest


def test_record__loses_no_step_and_no_text() -> None:
    env = recorder()
    env.reset(seed=3)
    texts = [env.unwrapped.text]
    replies: list[str | Reply] = [
        "ACTION: look",
        "Hm.",
        "THINK: because.\nACTION: whistle loudly",
        Reply(text="<think>so</think>", finish_reason="length"),
        Reply(text="I'm sorry, but I can't take part in this."),
    ]
    for reply in replies:
        info = env.step(reply)[4]
        texts.append(env.get_wrapper_attr("text"))
    record = info["episode_record"]
    assert record.opening == texts[0]
    assert [step.text for step in record.steps] == texts[1:]
    assert [step.index for step in record.steps] == [0, 1, 2, 3, 4]
    assert [step.verdict for step in record.steps] == ["action", "unparsed", "unknown", "cut_off", "refused"]
    assert [step.event for step in record.steps] == [Event.FREE, None, Event.UNKNOWN, None, None]
    assert [step.command for step in record.steps] == ["look", "", "whistle loudly", "", ""]
    assert [Reply.from_stored(step.reply or "") for step in record.steps] == [
        Reply(text=reply) if isinstance(reply, str) else reply for reply in replies
    ]
    assert [step.reply for step in record.steps[:3]] == replies[:3]  # nothing but words stays words
    assert [step.reasoning for step in record.steps] == ["", "", "because.", "so", ""]
    assert [step.reasoning_source for step in record.steps] == ["", "", "text", "tag", ""]
    assert record.steps[1].text == REASK_SENTENCES[Verdict.UNPARSED]
    assert (record.status, record.outcome, record.label, record.assigned_value) == (Status.REFUSED, None, None, None)
    assert (record.reasks, record.unknown, record.free, record.interactions, record.turns) == (2, 1, 1, 2, 0)


def test_record__of_an_episode_at_the_cap_is_truncated_without_an_outcome() -> None:
    record = play(recorder(), ["ACTION: status"] * 14)["episode_record"]
    assert (record.status, record.outcome, record.label) == (Status.TRUNCATED, None, None)
    assert (record.free, record.interactions, record.turns) == (14, 14, 0)


def test_record__over_the_bare_env_has_no_replies() -> None:
    record = play(recorder(words=False), best_route())["episode_record"]
    assert all(step.reply is None and step.verdict is None for step in record.steps)
    assert all(step.event is Event.ACCEPTED and step.action and step.command for step in record.steps)


def test_record__is_the_same_for_text_and_features() -> None:
    route = best_route()
    by_text = play(recorder(words=False), route)["episode_record"]
    by_features = play(recorder(words=False, observation="features"), route)["episode_record"]
    assert by_text == by_features
    assert by_text.opening != ""


def test_record__is_the_same_through_other_wrappers() -> None:
    route = best_route()
    plain = play(recorder(words=False), route)["episode_record"]
    make = lambda: gym.make(EP1, scenario="EP1-001")  # noqa: E731
    for env in (History(make()), FeatureObservation(make()), gym.wrappers.RecordEpisodeStatistics(make())):
        assert play(EpisodeRecorder(env, "tester", env_hash="0123abcd"), route)["episode_record"] == plain


def test_record__is_the_same_from_a_vector_env() -> None:
    route = best_route()
    plain = play(recorder(words=False), route)["episode_record"]
    envs = gym.vector.SyncVectorEnv([lambda: recorder(words=False)])
    envs.reset(seed=[3])
    for action in route:
        *_, info = envs.step([action])
    assert info["episode_record"][0] == plain
    envs.close()


def test_record__is_the_same_from_an_sb3_loop() -> None:
    from stable_baselines3.common.vec_env import DummyVecEnv

    route = best_route()
    plain = play(recorder(words=False, observation="features"), route)["episode_record"]
    envs = DummyVecEnv([lambda: recorder(words=False, observation="features")])
    envs.seed(3)
    envs.reset()
    for action in route:
        _, _, dones, infos = envs.step([action])
    assert bool(dones[0])
    assert infos[0]["episode_record"] == plain
    envs.close()


def test_note__puts_reasoning_and_usage_at_the_next_step_only() -> None:
    env = recorder(words=False)
    env.reset(seed=3)
    usage = Usage(calls=1, input_tokens=10, output_tokens=2, cost_usd=0.5)
    for noted in (True, False, True):
        if noted:
            env.note(Decision(action=0, reasoning="r", reasoning_source="provider", usage=usage))
        env.step(0)
    record = env.record(Status.BUDGET)
    assert [(step.reasoning, step.reasoning_source) for step in record.steps] == [
        ("r", "provider"),
        ("", ""),
        ("r", "provider"),
    ]
    assert record.usage == Usage(calls=2, input_tokens=20, output_tokens=4, cost_usd=1.0)


def test_record__of_a_loop_that_stops_early_has_its_status_and_reason_on_one_line() -> None:
    env = recorder()
    env.reset(seed=3)
    env.step("ACTION: status")
    record = env.record("env_error", error="Boom:\n  it broke\n")
    assert (record.status, record.error) == (Status.ENV_ERROR, "Boom: it broke")
    assert (len(record.steps), record.outcome, record.interactions) == (1, None, 1)
    with pytest.raises(ResetNeeded):
        env.step("ACTION: status")


def test_record__after_a_step_that_raised_holds_the_steps_before_it() -> None:
    env = recorder(words=False)
    env.reset(seed=3)
    env.step(0)
    with pytest.raises(gym.error.InvalidAction):
        env.step(99)
    assert len(env.record(Status.ENV_ERROR, error="InvalidAction").steps) == 1


def test_record__without_an_episode_or_a_status_is_refused() -> None:
    env = recorder()
    with pytest.raises(ResetNeeded, match="call reset"):
        env.record(Status.ENV_ERROR)
    with pytest.raises(ResetNeeded, match="call reset"):
        env.step("ACTION: status")
    env.reset(seed=3)
    with pytest.raises(ResetNeeded, match="name a status"):
        env.record()
    with pytest.raises(ValueError, match="'gone' is not a valid Status"):
        env.record("gone")


def test_record__of_an_ended_episode_keeps_its_status() -> None:
    env = recorder()
    record = play(env, best_route())["episode_record"]
    assert env.record(Status.COMPLETED) is record
    with pytest.raises(ResetNeeded, match="has ended as completed, it cannot become env_error"):
        env.record(Status.ENV_ERROR, error="too late")
    assert env.record() is record


def test_record__of_an_env_without_words_has_empty_texts() -> None:
    class Mute(gym.Env[Any, Any]):
        observation_space = action_space = gym.spaces.Discrete(2)

        def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
            return 0, {"scenario": "S-1", "variant": "conflict", "seed": seed}

        def step(self, action: Any) -> Any:
            return 0, 0.5, True, False, {"turn": 1, "outcome": "o"}

    record = play(EpisodeRecorder(Mute(), "tester"), [1])["episode_record"]
    assert (record.opening, record.steps[0].text, record.total_reward) == ("", "", 0.5)
    assert (record.outcome, record.label, record.interactions) == ("o", None, 1)


def test_reset__begins_an_empty_record() -> None:
    env = recorder()
    env.reset(seed=3)
    env.step("Hm.")
    env.reset(seed=4)
    record = env.record(Status.BUDGET)
    assert (record.key.seed, record.steps, record.reasks, record.error) == (4, (), 0, None)


def test_key__unseeded_resets_count_on_in_the_epoch() -> None:
    env = EpisodeRecorder(gym.make(EP1), "tester", epoch=5)
    keys = []
    for seed in (7, None, None, 7):
        env.reset(seed=seed)
        key = env.record(Status.BUDGET).key
        keys.append((key.seed, key.epoch))
    assert keys == [(7, 5), (7, 6), (7, 7), (7, 5)]


def test_key__without_a_seed_holds_the_drawn_one() -> None:
    env = EpisodeRecorder(gym.make(EP1), "tester")
    _, info = env.reset()
    key = env.record(Status.BUDGET).key
    assert (key.seed, key.epoch) == (info["seed"], 0)


def test_env_hash__is_of_the_spec_without_scenario_and_variant() -> None:
    hashes = {}
    for name, kwargs in {
        "plain": {"scenario": "EP1-001"},
        "control": {"scenario": ["EP1-001"], "variant": "control"},
        "features": {"scenario": "EP1-001", "observation": "features"},
    }.items():
        env = EpisodeRecorder(gym.make(EP1, **kwargs), "tester")
        env.reset(seed=0)
        hashes[name] = env.record(Status.BUDGET).key.env_hash
    assert hashes["plain"] == hashes["control"] != hashes["features"]


def test_hash_env__ignores_the_order_of_kwargs_and_refuses_what_json_cannot_hold() -> None:
    assert hash_env("A-v0", {"a": 1, "b": [2]}) == hash_env("A-v0", {"b": (2,), "a": 1, "variant": "control"})
    assert hash_env("A-v0", {}) != hash_env("B-v0", {})
    with pytest.raises(TypeError):
        hash_env("A-v0", {"a": object()})


def test_info__of_the_environment_is_not_written_into() -> None:
    class Keeper(gym.Wrapper[Any, Any, Any, Any]):
        def step(self, action: Any) -> Any:
            result = self.env.step(action)
            self.kept, self.before = result[4], copy.deepcopy(result[4])
            return result

    inner = Keeper(gym.make(EP1, scenario="EP1-001"))
    play(EpisodeRecorder(inner, "tester"), best_route())
    assert inner.kept == inner.before


def test_spec__rebuilds_the_recorder_from_json() -> None:
    env = recorder()
    assert env.spec is not None
    again = gym.make(EnvSpec.from_json(env.spec.to_json()))
    assert isinstance(again, EpisodeRecorder)
    assert play(again, best_route())["episode_record"] == play(env, best_route())["episode_record"]


def test_reply__with_tool_calls_is_kept_whole() -> None:
    env = recorder()
    env.reset(seed=3)
    reply = Reply(tool_calls=(ToolCall(name="act", arguments='{"action": "status"}{}'),), finish_reason="tool_calls")
    env.step(reply)
    (step,) = env.record(Status.BUDGET).steps
    assert step.reply is not None
    kept = json.loads(step.reply)
    assert kept["tool_calls"] == [{"name": "act", "arguments": '{"action": "status"}{}', "id": ""}]
    assert (kept["text"], kept["finish_reason"], kept["reasoning"]) == ("", "tool_calls", None)


def test_malformed__calls_are_counted_over_the_episode() -> None:
    env = recorder()
    env.reset(seed=3)
    twice = Reply(tool_calls=(ToolCall(name="act", arguments='{"action": "look"}{"action": "look"}'),))
    no_words = '{"action": 3}'
    empty = Reply(tool_calls=(ToolCall(name="act", arguments=""), ToolCall(name="act", arguments="[]")))
    env.step(twice)
    env.step("ACTION: status")
    env.step(no_words)
    env.step(empty)
    assert env.record().malformed == 1 + 0 + 1 + 2
    env.reset(seed=3)
    assert env.record(Status.BUDGET).malformed == 0


def test_record__does_not_change_with_the_info_a_loop_was_given() -> None:
    env, untouched = recorder(), recorder()
    env.reset(seed=3)[1].clear()
    for action in best_route():
        info = env.step(action)[4]
        info.clear()
    play(untouched, best_route())
    assert env.record() == untouched.record()


HOSTILE = ["\ud800", "a\udfffb", "\x00\x1b[31m", "\u2028\u202e", "\U0001f600", '"\\\n', "\ufeff", "</script>"]


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_record__survives_hostile_text_byte_for_byte(text: str) -> None:
    env = EpisodeRecorder(TextActions(gym.make(EP1, scenario="EP1-001")), f"agent {text}")
    env.reset(seed=3)
    env.note(Decision(text="x", reasoning=text, reasoning_source="provider"))
    env.step(Reply(text=f"THINK: {text}\nACTION: {text}", reasoning=text))
    record = env.record(Status.ENV_ERROR, error=f"bad {text} reply")
    line = record.model_dump_json()
    assert line.encode("utf-8").decode("utf-8") == line
    assert "\n" not in line
    again = EpisodeRecord.model_validate_json(line)
    assert again == record
    assert again.model_dump_json() == line
    assert again.steps[0].reasoning == text.encode("utf-8", "backslashreplace").decode("utf-8")


TEXTS = st.text(max_size=30)  # without lone surrogates: the recorder has escaped those
COUNTS = st.integers(0, 10**6)
AMOUNTS = st.floats(allow_nan=False, allow_infinity=False)
USAGES = st.builds(Usage, calls=COUNTS, input_tokens=COUNTS, output_tokens=COUNTS, cost_usd=AMOUNTS)
STEPS = st.builds(
    StepRecord,
    index=COUNTS,
    action=st.none() | TEXTS,
    command=TEXTS,
    reply=st.none() | TEXTS,
    verdict=st.none() | st.sampled_from(Verdict),
    event=st.none() | st.sampled_from(Event),
    text=TEXTS,
    reward=AMOUNTS,
    turn=COUNTS,
    reasoning=TEXTS,
    reasoning_source=TEXTS,
    usage=USAGES,
)
KEYS = st.builds(
    EpisodeKey, scenario=TEXTS, variant=TEXTS, env_hash=TEXTS, agent=TEXTS, seed=st.integers(0, 2**64), epoch=COUNTS
)
RECORDS = st.builds(
    EpisodeRecord,
    key=KEYS,
    status=st.sampled_from(Status),
    env_id=TEXTS,
    opening=TEXTS,
    outcome=st.none() | TEXTS,
    label=st.none() | st.sampled_from(Label),
    total_reward=AMOUNTS,
    assigned_value=st.none() | AMOUNTS,
    usage=USAGES,
    error=st.none() | TEXTS,
    steps=st.lists(STEPS, max_size=4).map(tuple),
)


@settings(deadline=None, derandomize=True, max_examples=100)
@given(record=RECORDS)
def test_record__round_trips_through_json(record: EpisodeRecord) -> None:
    line = record.model_dump_json()
    again = EpisodeRecord.model_validate_json(line)
    assert again == record
    assert again.model_dump_json() == line
    assert "\n" not in line


@settings(deadline=None, derandomize=True, max_examples=60)
@given(replies=st.lists(st.text(st.characters(), max_size=40), min_size=1, max_size=4))
def test_record__keeps_any_reply(replies: list[str]) -> None:
    env = recorder()
    env.reset(seed=3)
    sent = []
    for reply in replies:
        sent.append(reply)
        _, _, terminated, truncated, _ = env.step(reply)
        if terminated or truncated:
            break
    record = env.record() if terminated or truncated else env.record(Status.BUDGET)
    assert [Reply.from_stored(step.reply or "").text for step in record.steps] == sent
    assert EpisodeRecord.model_validate_json(record.model_dump_json()) == record
