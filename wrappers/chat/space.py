"""The space of conversations: what `ChatEnv` observes. Own design.

Not a Dict of Text: a provider's ids and a model's words are any Unicode, and what makes a conversation valid is its
order, which no composite space can say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium as gym

from conflictbench.types import Message, ToolSpec

ChatObservation = dict[str, Any]  # {"messages": tuple[Message, ...], "tools": tuple[ToolSpec, ...]}


class ChatSpace(gym.Space[ChatObservation]):
    """`{"messages": tuple[Message, ...], "tools": tuple[ToolSpec, ...]}` in an order that providers accept.

    First a system and a user message; then each assistant message, which has words or tool calls, is followed by one
    user message, or by one result for each of its calls in their order, and behind those perhaps one user message with
    images, for which a result has no room. Only the last may lack its answer. Users alone send images.
    """

    def __init__(self, seed: int | None = None) -> None:
        super().__init__(seed=seed)

    @property
    def is_np_flattenable(self) -> bool:
        """False: words do not flatten."""
        return False

    def sample(self, mask: Any | None = None, probability: Any | None = None) -> ChatObservation:
        """A conversation of nought to two exchanges. Raises ValueError for a mask or a probability."""
        if mask is not None or probability is not None:
            raise ValueError("a conversation is sampled without a mask and without a probability")
        exchange = (Message(role="assistant", content="ACTION: look"), Message(role="user", content="Nothing new."))
        first = (Message(role="system", content="You act by commands."), Message(role="user", content="Begin."))
        return {"messages": first + exchange * int(self.np_random.integers(3)), "tools": ()}

    def contains(self, x: Any) -> bool:
        """Whether `x` is such an observation."""
        if not isinstance(x, Mapping) or set(x) != {"messages", "tools"}:
            return False
        messages, tools = x["messages"], x["tools"]
        if not isinstance(messages, tuple) or not all(isinstance(message, Message) for message in messages):
            return False
        if not isinstance(tools, tuple) or not all(isinstance(tool, ToolSpec) for tool in tools):
            return False
        return _in_order(messages)

    def __eq__(self, other: object) -> bool:
        """Every one is the same."""
        return isinstance(other, ChatSpace)

    def __repr__(self) -> str:
        """The constructor call."""
        return "ChatSpace()"


def _in_order(messages: Sequence[Message]) -> bool:
    if [message.role for message in messages[:2]] != ["system", "user"]:
        return False
    if any(message.images and message.role != "user" for message in messages):
        return False
    rest = list(messages[2:])
    while rest:
        said = rest.pop(0)
        if said.role != "assistant" or not (said.content.strip() or said.tool_calls):
            return False
        wanted = [("tool", call.id) for call in said.tool_calls] or [("user", "")]
        answers = rest[: len(wanted)]
        if answers and [(answer.role, answer.tool_call_id) for answer in answers] != wanted:
            return False
        rest = rest[len(wanted) :]
        if said.tool_calls and answers and rest and rest[0].images:
            del rest[0]
    return True
