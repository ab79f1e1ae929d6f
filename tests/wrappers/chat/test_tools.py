"""The protocol of native tool calls: every call is answered, whatever was sent."""

from __future__ import annotations

import json

import pytest
from tests.wrappers.chat.small_world import assistant, said, small, user

from conflictbench.types import Message, Reply, ToolCall
from conflictbench.wrappers import get_protocol

TOOLS = get_protocol("tools")
REASK, NOT_CARRIED_OUT = TOOLS.texts["reask_unparsed"], TOOLS.texts["not_carried_out"]
WRONG_FUNCTION, WRONG_ARGUMENTS = TOOLS.texts["reask_wrong_function"], TOOLS.texts["reask_wrong_arguments"]
SEAL = '{"command": "seal door"}'


def call(arguments: str = SEAL, name: str = "act", identity: str = "id1") -> ToolCall:
    return ToolCall(name=name, arguments=arguments, id=identity)


def reply(*calls: ToolCall, text: str = "") -> Reply:
    return Reply(text=text, tool_calls=calls, finish_reason="tool_calls")


def result(content: str, identity: str = "id1") -> Message:
    return Message(role="tool", content=content, tool_call_id=identity)


def test_step__a_call_is_answered_by_its_result() -> None:
    messages = said(small("tools"), reply(call('{ "command":"Seal the door." }'), text="I think it is best."))
    assert messages == [Message(role="assistant", content="", tool_calls=(call(),)), result("1: seal door.")]


def test_step__a_reply_in_text_counts_and_is_answered_in_text() -> None:
    assert said(small("tools"), "THINK: so.\nACTION: seal door") == [
        assistant("ACTION: seal door"), user("1: seal door."),
    ]  # fmt: skip


def test_step__a_call_without_an_id_gets_one() -> None:
    env = small("tools")
    messages = said(env, reply(call(identity="")), reply(call(identity="")))
    assert [message.tool_calls[0].id for message in messages[::2]] == ["call_0_0", "call_1_0"]
    assert [message.tool_call_id for message in messages[1::2]] == ["call_0_0", "call_1_0"]


MALFORMED = {
    "empty object and a rest": '{}""',
    "nothing": "",
    "no JSON": "seal door",
    "cut": '{"command": "seal',
    "null": "null",
    "a number": '{"command": 3}',
    "a list": '["seal door"]',
    "another key": '{"cmd": "seal door"}',
}
TWO = '{"command": "seal door", "action": "vent bay"}'


@pytest.mark.parametrize("arguments", MALFORMED.values(), ids=MALFORMED)
def test_step__malformed_arguments_are_answered_asked_again_and_counted(arguments: str) -> None:
    env = small("tools")
    asked, answer, *rest = said(env, reply(call(arguments)), reply(call(identity="id2")))
    assert asked.tool_calls == (call("{}"),)
    assert answer == result(WRONG_ARGUMENTS)
    assert rest[1] == result("1: seal door.", "id2")
    record = env.record("budget")
    assert (record.reasks, record.malformed, record.steps[0].verdict) == (1, 1, "unparsed")
    assert Reply.from_stored(record.steps[0].reply or "") == reply(call(arguments))  # as it was sent


def test_step__arguments_sent_twice_are_carried_out_once_and_counted() -> None:
    env = small("tools")
    messages = said(env, reply(call(SEAL + SEAL)))
    assert messages == [Message(role="assistant", content="", tool_calls=(call(),)), result("1: seal door.")]
    assert env.record("budget").malformed == 1


@pytest.mark.parametrize("name", ["press", "", "action", "a" * 300, "act now", "\u2603"])
def test_step__a_function_nobody_offered_is_asked_again_under_a_legal_name(name: str) -> None:
    env = small("tools")
    asked, answer = said(env, reply(call(name=name)))
    (shown,) = asked.tool_calls
    assert 0 < len(shown.name) <= 64
    assert shown.name.replace("_", "").replace("-", "").isalnum() or set(shown.name) == {"_"}
    assert (shown.arguments, answer) == (SEAL, result(WRONG_FUNCTION))
    record = env.record("budget")
    assert (record.malformed, record.steps[0].text) == (1, WRONG_FUNCTION)


@pytest.mark.parametrize("name", ["Act", " act ", "functions.act", "default_api:act", "act<|channel|>commentary"])
def test_step__the_name_as_some_models_write_it_is_taken(name: str) -> None:
    messages = said(small("tools"), reply(call(name=name)))
    assert messages == [Message(role="assistant", content="", tool_calls=(call(),)), result("1: seal door.")]


def test_step__several_commands_are_asked_again_and_every_call_is_answered() -> None:
    env = small("tools")
    vent = call('{"command": "vent bay"}', identity="id2")
    assert said(env, reply(call(), vent)) == [
        Message(role="assistant", content="", tool_calls=(call(), vent)),
        result(REASK),
        result(NOT_CARRIED_OUT, "id2"),
    ]
    assert env.record("budget").interactions == 0


def test_step__two_commands_in_one_call_are_too_many_and_not_malformed_words() -> None:
    env = small("tools")
    assert said(env, reply(call(TWO))) == [
        Message(role="assistant", content="", tool_calls=(call("{}"),)),
        result(REASK),
    ]
    assert env.record("budget").malformed == 1


@pytest.mark.parametrize(
    "calls, sentence",
    [
        ((call(name="press"), call("{}", identity="id2")), WRONG_ARGUMENTS),  # one was of the right function
        ((call(name="press"), call(name="pull", identity="id2")), WRONG_FUNCTION),
        ((call(name="press"), call(TWO, identity="id2")), REASK),  # one held commands: too many
    ],
)
def test_step__of_several_wrong_calls_the_nearest_to_a_right_one_is_named(
    calls: tuple[ToolCall, ...], sentence: str
) -> None:
    assert said(small("tools"), reply(*calls))[1:] == [result(sentence), result(NOT_CARRIED_OUT, "id2")]


def test_step__what_was_wrong_with_a_call_is_no_matter_where_the_reply_was_cut_or_declined() -> None:
    cut = Reply(tool_calls=(call('{"command": "seal'),), finish_reason="length")
    declined = Reply(text="I won't take part in this.", tool_calls=(call("{}"),))
    assert said(small("tools"), cut)[1] == result(TOOLS.texts["reask_cut_off"])
    assert said(small("tools"), declined)[1] == result(TOOLS.texts["reask_refused"])


def test_step__the_same_command_twice_is_carried_out_once() -> None:
    env = small("tools")
    assert said(env, reply(call(), call(identity="id2"))) == [
        Message(role="assistant", content="", tool_calls=(call(), call(identity="id2"))),
        result("1: seal door."),
        result(NOT_CARRIED_OUT, "id2"),
    ]


def test_step__the_answer_goes_to_the_call_that_was_carried_out() -> None:
    broken = call("{}", identity="id0")
    messages = said(small("tools"), reply(broken, call()))
    assert messages[1:] == [result(NOT_CARRIED_OUT, "id0"), result("1: seal door.")]


def test_step__a_command_in_text_beside_a_broken_call_is_text() -> None:
    env = small("tools")
    assert said(env, reply(call("{}"), text="ACTION: seal door")) == [
        assistant("ACTION: seal door"), user("1: seal door."),
    ]  # fmt: skip
    assert env.record("budget").malformed == 1


def test_step__one_id_for_several_calls_becomes_several() -> None:
    asked, *answers = said(small("tools"), reply(call(), call('{"command": "vent bay"}'), call("")))
    assert [c.id for c in asked.tool_calls] == ["id1", "call_0_1", "call_0_2"]
    assert [a.tool_call_id for a in answers] == ["id1", "call_0_1", "call_0_2"]


def test_step__a_flood_of_calls_is_cut() -> None:
    asked, *answers = said(small("tools"), reply(*(call("{}", identity=str(n)) for n in range(1000))))
    assert (len(asked.tool_calls), len(answers)) == (8, 8)


def test_step__the_last_reply_of_an_episode_has_results_too() -> None:
    env = small("tools")
    *_, asked, answer = said(env, reply(call("{}")), reply(call("{}", identity="id2")))
    assert (asked.tool_calls[0].id, answer.tool_call_id, answer.content) == ("id2", "id2", NOT_CARRIED_OUT)
    assert env.record().status == "unparsed"
    assert env.record().steps[-1].text == ""


def test_step__arguments_that_go_back_are_json_with_a_bounded_command() -> None:
    long = json.dumps({"command": "x\x1b[31m\ud800" * 5000})
    asked, _ = said(small("tools"), reply(call(long)))
    sent = json.loads(asked.tool_calls[0].arguments)["command"]
    assert (len(sent), sent.isprintable()) == (200, True)


def test_paper__a_call_nobody_offered_is_read_and_goes_back_as_text() -> None:
    assert said(small(), reply(call()))[0] == assistant("ACTION: seal door")
    assert said(small(), reply(call("{}")))[0] == assistant("act({})")
