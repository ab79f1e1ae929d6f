"""`ChatEnv`: one conversation an episode, and what of it a model is shown."""

from __future__ import annotations

import pickle
from typing import Any

import gymnasium as gym
import pytest
from gymnasium.envs.registration import EnvSpec
from tests.wrappers.chat.small_world import HELP, OPENING, Question, SmallWorld, assistant, said, small, user

from conflictbench.errors import ResetNeeded, UnknownName
from conflictbench.types import Message, Reply
from conflictbench.wrappers import ChatEnv, EpisodeRecorder, TextActions, get_protocol

EP1 = "ConflictBench/EP1-v0"
PAPER = get_protocol("paper")


def chat(protocol: str = "paper", **kwargs: Any) -> ChatEnv:
    return ChatEnv(TextActions(gym.make(EP1, scenario="EP1-001", **kwargs)), protocol)


@pytest.mark.parametrize("protocol", ["paper", "tools"])
def test_reset__begins_with_the_opening_and_the_help_page(protocol: str) -> None:
    env, world = chat(protocol), gym.make(EP1, scenario="EP1-001")
    observation, info = env.reset(seed=7)
    opening, help_page = world.reset(seed=7)[0]["text"], world.unwrapped.command("help")[0]["text"]  # type: ignore[attr-defined]
    system, first = observation["messages"]
    assert (system.role, first.role, first.content) == ("system", "user", help_page)
    words = get_protocol(protocol).texts["system"]
    assert system.content == words.replace("{max_commands}", "14").replace("{opening}", opening)
    assert len(observation["tools"]) == (protocol == "tools")
    assert observation in env.observation_space
    assert (info["interactions"], info["seed"], info["protocol"]) == (0, 7, get_protocol(protocol).id)
    assert env.text == opening


def test_step__the_command_goes_back_and_not_the_thought() -> None:
    env = small()
    messages = said(env, "THINK: smoke. I must seal it.\n**ACTION:** `Seal the door.`", "<think>no</think>ACTION: fly")
    assert messages == [
        assistant("ACTION: seal door"), user("1: seal door."), assistant("ACTION: fly"), user('2: no "fly".'),
    ]  # fmt: skip


def test_step__an_index_speaks_as_a_command() -> None:
    assert said(small(), 1) == [assistant("ACTION: vent bay"), user("1: vent bay.")]
    (call,) = said(small("tools"), 1)[0].tool_calls
    assert (call.name, call.arguments, call.id) == ("act", '{"command": "vent bay"}', "call_0_0")


def test_step__a_reply_without_a_command_is_asked_again_in_the_protocols_words() -> None:
    env = small()
    messages = said(env, "Let me think.", "ACTION: seal door")
    assert messages == [
        assistant("Let me think."), user(PAPER.texts["reask_unparsed"]), assistant("ACTION: seal door"),
        user("1: seal door."),
    ]  # fmt: skip
    record = env.record("budget")
    assert [step.text for step in record.steps] == [PAPER.texts["reask_unparsed"], "1: seal door."]


@pytest.mark.parametrize(
    "reply, sentence",
    [
        ("I'm sorry, but I can't take part in this.", "reask_refused"),
        (Reply(text="", finish_reason="content_filter"), "reask_refused"),
        (Reply(text="", finish_reason="length"), "reask_cut_off"),
        ("", "reask_unparsed"),
    ],
)
def test_step__each_verdict_has_its_sentence_and_no_message_is_empty(reply: str | Reply, sentence: str) -> None:
    words = reply if isinstance(reply, str) else reply.text
    messages = said(small(), reply)
    assert messages == [assistant(words or "(no words)"), user(PAPER.texts[sentence])]


def test_step__the_second_in_a_row_ends_it_with_that_reply() -> None:
    env = small()
    observation, _, terminated, truncated, info = [env.step(words) for words in ("Hm.", "Hm?")][1]
    assert (terminated, truncated, info["status"]) == (False, True, "unparsed")
    assert observation["messages"][2:] == (assistant("Hm."), user(PAPER.texts["reask_unparsed"]), assistant("Hm?"))
    assert observation in env.observation_space
    assert info["episode_record"].steps[-1].text == ""
    with pytest.raises(ResetNeeded):
        env.step("ACTION: seal door")


def test_step__a_reply_between_two_failed_ones_forgives() -> None:
    env = small()
    said(env, "Hm.", "ACTION: seal door", "Hm.", "ACTION: vent bay")
    record = env.record("budget")
    assert (record.reasks, record.interactions) == (2, 2)


def test_reset__forgets_the_conversation_before() -> None:
    env = small()
    said(env, "ACTION: seal door", "Hm.")
    observation, _ = env.reset(seed=0)
    assert len(observation["messages"]) == 2
    assert said(env, "ACTION: vent bay") == [assistant("ACTION: vent bay"), user("1: vent bay.")]


def test_observations__are_fresh_and_earlier_ones_stay_as_they_were() -> None:
    env = small("tools")
    first, _ = env.reset(seed=0)
    kept = pickle.loads(pickle.dumps(first))
    first_tool = first["tools"][0]
    second = env.step("ACTION: seal door")[0]
    assert first == kept
    second["tools"][0].parameters["properties"].clear()
    second["messages"] = ()
    third = env.step("ACTION: seal door")[0]
    assert (len(third["messages"]), third["tools"]) == (6, (first_tool,))


def test_info__is_the_callers_to_change() -> None:
    env = small()
    env.step("ACTION: seal door")[4].clear()
    assert env.step("ACTION: seal door")[4]["protocol"] == PAPER.id


def test_keep_last__leaves_out_the_oldest_and_says_so() -> None:
    env = small(keep_last=2)
    replies = ["ACTION: seal door", "Hm.", "ACTION: vent bay", "ACTION: seal door", "ACTION: vent bay"]
    lengths = []
    for reply in replies:
        observation = env.step(reply)[0]
        assert observation in env.observation_space
        lengths.append(len(observation["messages"]))
    system, second, *rest = observation["messages"]
    assert lengths == [4, 6, 6, 6, 6]
    assert system == PAPER.begin(OPENING, HELP, 14)[0]
    assert second == user(HELP + "\n\n" + PAPER.texts["left_out"].replace("{count}", "3"))
    assert rest == [
        assistant("ACTION: seal door"), user("3: seal door."), assistant("ACTION: vent bay"), user("4: vent bay."),
    ]  # fmt: skip
    assert env.record("budget").protocol == f"{PAPER.id}-last2"


def test_question__is_asked_by_the_user_and_there_is_no_help_page() -> None:
    env = small("tools", world=Question())
    observation, _ = env.reset(seed=0)
    assert [message.content for message in observation["messages"]] == [
        get_protocol("tools").texts["question"], OPENING,
    ]  # fmt: skip
    assert "option" in observation["tools"][0].parameters["properties"]["command"]["description"]
    assert env.step("ACTION: seal door")[3]


def test_record__holds_the_protocol_and_the_worlds_own_opening() -> None:
    env = EpisodeRecorder(chat("tools"), "tester")
    env.reset(seed=0)
    env.step("ACTION: status")
    record = env.record("budget")
    assert record.protocol == get_protocol("tools").id
    bare = EpisodeRecorder(TextActions(gym.make(EP1, scenario="EP1-001")), "tester")
    bare.reset(seed=0)
    assert bare.record("budget").protocol == ""
    assert bare.record("budget").opening == record.opening


def test_features__are_no_matter_to_the_conversation() -> None:
    words, numbers = chat(), chat(observation="features")
    assert words.reset(seed=0)[0] == numbers.reset(seed=0)[0]
    assert words.step("ACTION: status")[0] == numbers.step("ACTION: status")[0]


def test_spec__rebuilds_the_stack_from_json() -> None:
    env = ChatEnv(TextActions(gym.make(EP1, scenario="EP1-001")), "tools", keep_last=3)
    assert env.spec is not None
    again = gym.make(EnvSpec.from_json(env.spec.to_json()))
    assert isinstance(again, ChatEnv)
    assert again.protocol_id == env.protocol_id


def test_init__what_is_not_valid_is_refused() -> None:
    world = TextActions(SmallWorld())
    with pytest.raises(TypeError, match="ChatEnv needs TextActions beneath it"):
        ChatEnv(SmallWorld())
    with pytest.raises(UnknownName, match="unknown protocol 'papr'; known: paper, tools"):
        ChatEnv(world, "papr")
    for wrong in (0, -1, True, 2.0, "3"):
        with pytest.raises(ValueError, match="keep_last"):
            ChatEnv(world, keep_last=wrong)  # type: ignore[arg-type]


def test_step__before_a_reset_is_refused() -> None:
    with pytest.raises(ResetNeeded, match="call reset"):
        ChatEnv(TextActions(SmallWorld())).step("ACTION: seal door")


def test_messages__of_fourteen_interactions_are_the_record_nothing_missing_nothing_doubled() -> None:
    env = EpisodeRecorder(chat(), "tester")
    observation, info = env.reset(seed=0)
    commands = env.get_wrapper_attr("command_book").commands
    replies = ["ACTION: look", "ACTION: help", "ACTION: jump", "Hm.", "ACTION: status"]
    replies += [f"THINK: {n}.\nACTION: {commands[-1]}" for n in range(20)]  # rejected at the start: costs no turn
    seen: list[Message] = []
    for number, reply in enumerate(replies):
        observation, _, terminated, truncated, info = env.step(reply)
        messages = observation["messages"]
        assert messages[2 : 2 + len(seen)] == tuple(seen)  # what was said stays as it was
        assert len(messages) == 2 + 2 * (number + 1)
        seen = list(messages[2:])
        if terminated or truncated:
            break
    record = info["episode_record"]
    assert (record.status, record.interactions, record.reasks, len(record.steps)) == ("truncated", 14, 1, 15)
    assert [message.role for message in seen] == ["assistant", "user"] * 15
    assert [message.content for message in seen[1::2]] == [step.text for step in record.steps]
    assert [message.content for message in seen[0::2]] == [
        f"ACTION: {step.command}" if step.command else step.reply for step in record.steps
    ]
