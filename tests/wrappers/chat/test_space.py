"""The space of conversations: what is one, and what is not."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import pytest

from conflictbench.types import Message, ToolCall, ToolSpec
from conflictbench.wrappers.chat import ChatSpace

SYSTEM, USER = Message(role="system", content="s"), Message(role="user", content="u")
SAID = Message(role="assistant", content="ACTION: look")
CALLS = Message(
    role="assistant",
    content="",
    tool_calls=(ToolCall(name="act", arguments="{}", id="a"), ToolCall(name="act", arguments="{}", id="b")),
)
A, B = (Message(role="tool", content="r", tool_call_id=identity) for identity in "ab")


def conversation(*messages: Message, tools: tuple[ToolSpec, ...] = ()) -> dict[str, Any]:
    return {"messages": messages, "tools": tools}


@pytest.mark.parametrize(
    "rest",
    [(), (SAID,), (SAID, USER), (CALLS, A, B), (CALLS,), (SAID, USER, CALLS, A, B, SAID, USER)],
)
def test_contains__a_conversation(rest: tuple[Message, ...]) -> None:
    assert conversation(SYSTEM, USER, *rest) in ChatSpace()


@pytest.mark.parametrize(
    "messages",
    [
        (),
        (SYSTEM,),
        (USER, SYSTEM),
        (SYSTEM, USER, USER),
        (SYSTEM, USER, SAID, SAID),
        (SYSTEM, USER, SAID, USER, USER),
        (SYSTEM, USER, SAID, A),
        (SYSTEM, USER, CALLS, A),
        (SYSTEM, USER, CALLS, B, A),
        (SYSTEM, USER, CALLS, A, B, USER),
        (SYSTEM, USER, CALLS, USER),
        (SYSTEM, USER, Message(role="assistant", content=" \n")),
    ],
)
def test_contains__no_order_that_a_provider_would_refuse(messages: tuple[Message, ...]) -> None:
    assert conversation(*messages) not in ChatSpace()


def test_contains__nothing_of_another_shape() -> None:
    space = ChatSpace()
    for other in (
        None, "hello", {}, {"messages": (SYSTEM, USER)}, {"messages": [SYSTEM, USER], "tools": ()},
        {"messages": ("s", "u"), "tools": ()}, {"messages": (SYSTEM, USER), "tools": ("act",)},
        {"messages": (SYSTEM, USER), "tools": [], "text": ""}, {"messages": (SYSTEM, USER), "tools": []},
    ):  # fmt: skip
        assert other not in space
    assert conversation(SYSTEM, USER, tools=(ToolSpec(name="act", description="d", parameters={}),)) in space


def test_sample__is_contained_and_set_by_the_seed() -> None:
    one, other = ChatSpace(seed=5), ChatSpace(seed=5)
    samples = [one.sample() for _ in range(20)]
    assert samples == [other.sample() for _ in range(20)]
    assert all(sample in one for sample in samples)
    assert {len(sample["messages"]) for sample in samples} == {2, 4, 6}
    with pytest.raises(ValueError, match="without a mask"):
        one.sample(mask=True)


def test_space__equals_its_like_and_says_what_it_is() -> None:
    assert ChatSpace() == ChatSpace(seed=1)
    assert ChatSpace() != gym.spaces.Discrete(2)
    assert repr(ChatSpace()) == "ChatSpace()"
    assert not ChatSpace().is_np_flattenable
