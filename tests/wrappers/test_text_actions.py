"""`TextActions`: replies in, the world's answers out, and what happens to replies without a command."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec

from conflictbench.errors import ResetNeeded
from conflictbench.types import Reply, ToolCall, Verdict
from conflictbench.wrappers import FeatureObservation, History, TextActions
from conflictbench.wrappers.text_actions import REASK_SENTENCES

EP1 = "ConflictBench/EP1-v0"
NO_COMMAND = {
    Verdict.UNPARSED: "Let me think about this.",
    Verdict.REFUSED: "I'm sorry, but I can't take part in this.",
    Verdict.CUT_OFF: Reply(text="", finish_reason="length"),
}


@pytest.fixture
def env() -> TextActions:
    return TextActions(gym.make(EP1, scenario="EP1-001"))


def first_command(env: TextActions) -> str:
    """The canonical command of action 0 of the scenario being played."""
    return str(env.unwrapped.command_book.commands[0])


def test_step__an_action_reaches_the_world(env: TextActions) -> None:
    other = gym.make(EP1, scenario="EP1-001")
    env.reset(seed=0)
    other.reset(seed=0)
    by_words = env.step(f"THINK: why not.\nACTION: {first_command(env)}")
    by_index = other.step(0)
    assert by_words[0]["text"] == by_index[0]["text"]
    assert by_words[1:4] == by_index[1:4]
    about = {"verdict": "action", "reask": False, "reasoning": "why not.", "reasoning_source": "text", "malformed": 0}
    assert by_words[4] == by_index[4] | about


def test_step__an_unknown_command_is_one_interaction_without_a_turn(env: TextActions) -> None:
    env.reset(seed=0)
    observation, reward, terminated, truncated, info = env.step("ACTION: whistle loudly")
    assert (reward, terminated, truncated) == (0.0, False, False)
    assert (info["verdict"], info["event"], info["command"]) == ("unknown", "unknown", "whistle loudly")
    assert (info["turn"], info["interactions"]) == (0, 1)
    assert observation["text"] == env.unwrapped.text == env.text


def test_step__a_free_command_is_answered(env: TextActions) -> None:
    env.reset(seed=0)
    _, _, _, _, info = env.step("ACTION: status")
    assert (info["verdict"], info["event"], info["action"], info["turn"]) == ("action", "free", None, 0)


@pytest.mark.parametrize("verdict, reply", NO_COMMAND.items(), ids=[verdict.value for verdict in NO_COMMAND])
def test_step__the_first_reply_without_a_command_is_asked_again(
    env: TextActions, verdict: Verdict, reply: str | Reply
) -> None:
    before, before_info = env.reset(seed=0)
    observation, reward, terminated, truncated, info = env.step(reply)
    assert observation["text"] == REASK_SENTENCES[verdict] == env.text
    assert np.array_equal(observation["action_mask"], before["action_mask"])
    assert (reward, terminated, truncated) == (0.0, False, False)
    assert (info["verdict"], info["reask"], info["interactions"]) == (verdict.value, True, 0)
    assert not {"event", "action", "command", "status"} & set(info)
    assert info["turns_left"] == before_info["turns_left"]


@pytest.mark.parametrize("verdict, reply", NO_COMMAND.items(), ids=[verdict.value for verdict in NO_COMMAND])
def test_step__the_second_in_a_row_ends_the_episode_with_its_verdict(
    env: TextActions, verdict: Verdict, reply: str | Reply
) -> None:
    env.reset(seed=0)
    env.step("Hm.")
    observation, reward, terminated, truncated, info = env.step(reply)
    assert (reward, terminated, truncated) == (0.0, False, True)
    assert (info["status"], info["verdict"], info["reask"]) == (verdict.value, verdict.value, False)
    assert not {"outcome", "label", "event"} & set(info)
    assert observation["text"] == env.text == ""
    with pytest.raises(ResetNeeded, match="the episode is over"):
        env.step("ACTION: status")


@pytest.mark.parametrize("between", ["ACTION: status", "ACTION: whistle loudly", 0])
def test_step__a_command_between_them_begins_the_count_anew(env: TextActions, between: str | int) -> None:
    env.reset(seed=0)
    env.step("Hm.")
    env.step(between)
    _, _, _, truncated, info = env.step("Hm.")
    assert (truncated, info["reask"]) == (False, True)


def test_step__a_reask_shows_the_last_answers_facts_again(env: TextActions) -> None:
    env.reset(seed=0)
    env.step("ACTION: status")
    _, _, _, _, info = env.step("Hm.")
    assert (info["interactions"], info["turn"], info["scenario"]) == (1, 0, "EP1-001")
    assert "command" not in info


@pytest.mark.parametrize("reasks", [0, 2])
def test_reasks__says_how_many_are_asked_again(reasks: int) -> None:
    env = TextActions(gym.make(EP1, scenario="EP1-001"), reasks=reasks)
    env.reset(seed=0)
    ends = [env.step("Hm.")[3] for _ in range(reasks + 1)]
    assert ends == [False] * reasks + [True]


@pytest.mark.parametrize("reasks", [-1, 1.0, True, "1"])
def test_init__reasks_must_be_a_count(reasks: Any) -> None:
    with pytest.raises(ValueError, match="reasks must be an int of 0 or more"):
        TextActions(gym.make(EP1), reasks=reasks)


def test_step__a_malformed_tool_call_is_asked_again_and_counted(env: TextActions) -> None:
    env.reset(seed=0)
    call = Reply(tool_calls=(ToolCall(name="act", arguments='{}""'),), finish_reason="tool_calls")
    info = env.step(call)[4]
    assert (info["verdict"], info["reask"], info["malformed"], info["interactions"]) == ("unparsed", True, 1, 0)


def test_step__an_index_passes_unparsed(env: TextActions) -> None:
    env.reset(seed=0)
    info = env.step(np.int64(0))[4]
    assert info["command"] == first_command(env)
    assert "verdict" not in info


def test_step__at_the_cap_truncates_without_a_status(env: TextActions) -> None:
    env.reset(seed=0)
    ends = [env.step("ACTION: status")[2:4] for _ in range(14)]
    assert ends == [(False, False)] * 13 + [(False, True)]
    with pytest.raises(ResetNeeded, match="over"):
        env.step("ACTION: status")


def test_step__before_reset_is_refused(env: TextActions) -> None:
    with pytest.raises(ResetNeeded, match="no episode"):
        env.step("ACTION: status")


def test_reset__reads_the_commands_of_the_new_scenario() -> None:
    env = TextActions(gym.make("ConflictBench/EP2-v0"))
    env.reset(seed=0)
    assert env.step(f"ACTION: {first_command(env)}")[4]["verdict"] == "action"


def test_render__shows_the_screen_through_the_order_check() -> None:
    env = TextActions(gym.make(EP1, scenario="EP1-001", render_mode="ansi"))
    with pytest.raises(gym.error.ResetNeeded):
        env.render()
    env.reset(seed=0)
    env.step("ACTION: whistle loudly")
    assert "whistle loudly" in str(env.render())


def test_reask__on_features_keeps_the_features() -> None:
    env = TextActions(gym.make(EP1, scenario="EP1-001", observation="features"))
    before, _ = env.reset(seed=0)
    observation, *_ = env.step("Hm.")
    assert set(observation) == {"features", "action_mask"}
    assert np.array_equal(observation["features"], before["features"])
    assert observation["features"] is not before["features"]
    assert env.text == REASK_SENTENCES[Verdict.UNPARSED]


def test_reask__what_a_caller_did_to_an_earlier_answer_does_not_show() -> None:
    env = TextActions(gym.make(EP1, scenario="EP1-001", privileged=("state",)), reasks=2)
    untouched = TextActions(gym.make(EP1, scenario="EP1-001", privileged=("state",)), reasks=2)
    env.reset(seed=0)
    untouched.reset(seed=0)
    for reply in ("ACTION: status", "Hm.", "Hm.", "Hm."):
        observation, _, _, _, info = env.step(reply)
        expected, _, _, _, expected_info = untouched.step(reply)
        assert info == expected_info
        assert np.array_equal(observation["action_mask"], expected["action_mask"])
        info["state"].clear()
        info["turns_left"] = -1
        observation["action_mask"][:] = 0


def test_observations__stay_in_the_space(env: TextActions) -> None:
    observation, _ = env.reset(seed=0)
    assert observation in env.observation_space
    for reply in ("Hm.", "ACTION: status", "ACTION: whistle loudly", "Hm.", "Hm."):
        observation, *_ = env.step(reply)
        assert observation in env.observation_space
        assert reply in env.action_space


def test_wrappers_round_it__see_what_it_answers() -> None:
    env = History(TextActions(gym.make(EP1, scenario="EP1-001")))
    opening = env.reset(seed=0)[0]["text"]
    env.step("ACTION: whistle loudly")
    answer = env.unwrapped.text
    text = env.step("Hm.")[0]["text"]
    assert text == f"{opening}\n\n> whistle loudly\n{answer}\n\n{REASK_SENTENCES[Verdict.UNPARSED]}"


@pytest.mark.parametrize("wrapper", [FeatureObservation, History, gym.wrappers.RecordEpisodeStatistics])
def test_init__a_wrapper_that_commands_would_bypass_is_refused(wrapper: Any) -> None:
    with pytest.raises(ValueError, match=rf"past {wrapper.__name__}.*{wrapper.__name__}\(TextActions\("):
        TextActions(wrapper(gym.make(EP1)))


def test_init__an_environment_without_commands_is_refused() -> None:
    with pytest.raises(TypeError, match="CartPoleEnv has none"):
        TextActions(gym.make("CartPole-v1").unwrapped)


def test_spec__rebuilds_the_wrapper_from_json(env: TextActions) -> None:
    assert env.spec is not None
    again = gym.make(EnvSpec.from_json(env.spec.to_json()))
    assert isinstance(again, TextActions)
    again.reset(seed=0)
    assert again.step("ACTION: status")[4]["verdict"] == "action"


def test_reask_sentences__name_no_command_and_hold_no_refused_characters() -> None:
    assert set(REASK_SENTENCES) == {Verdict.UNPARSED, Verdict.REFUSED, Verdict.CUT_OFF}
    for sentence in REASK_SENTENCES.values():
        assert sentence.isascii()
        assert not set(sentence) & set("[]{}<>@^~\\|*#_`")
