"""What has been said so far, as messages that any provider accepts. Own design.

A conversation is a system message, a user message, then exchanges: an assistant message and what answers it. So two
user messages never meet, every tool call has its result right behind it, and no assistant message is empty.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from conflictbench.types import Message, Reply, ToolCall
from conflictbench.wrappers.chat.protocols import ChatProtocol
from conflictbench.wrappers.chat.replies import MAX_CALLS, command_call, offered, shown_call, shown_text


@dataclass(frozen=True, kw_only=True)
class Exchange:
    """An assistant message and its answers: one user message, or one result for every call; none once all is over."""

    said: Message
    answers: tuple[Message, ...]


class Conversation:
    """The messages of one episode."""

    def __init__(
        self,
        protocol: ChatProtocol,
        opening: str,
        help_page: str | None,
        max_commands: int = 1,
        keep_last: int | None = None,
    ) -> None:
        """Begin with the protocol's first two messages; `keep_last` exchanges are shown, None for all."""
        self._protocol = protocol
        self._first = protocol.begin(opening, help_page, max_commands)
        self._keep_last = keep_last
        self._exchanges: list[Exchange] = []

    def messages(self) -> tuple[Message, ...]:
        """What the model is sent. Left-out exchanges are the oldest; the second message then says how many."""
        system, second = self._first
        kept = self._exchanges if self._keep_last is None else self._exchanges[-self._keep_last :]
        if left_out := len(self._exchanges) - len(kept):
            note = self._protocol.texts["left_out"].replace("{count}", str(left_out))
            second = replace(second, content=f"{second.content}\n\n{note}")
        return system, second, *(message for exchange in kept for message in (exchange.said, *exchange.answers))

    def carried_out(self, command: str, calls: Sequence[ToolCall], answer: str) -> None:
        """Add a command that reached the world and the world's answer; the thoughts round it are not kept.

        Args:
            command: canonical, or the unknown words as the world was given them.
            calls: tool calls of the reply, as sent; empty for a reply in text.
        """
        acting = [offered(call) for call in calls]
        if not self._protocol.uses_tool or not any(acting):
            self._say(f"ACTION: {command}", answer)
            return
        shown, chosen = [shown_call(call) for call in calls], acting.index(True)
        shown[chosen] = replace(command_call(command), id=shown[chosen].id)
        self._call(shown, chosen, answer)

    def asked_again(self, reply: Reply, sentence: str | None) -> None:
        """Add a reply without a command and the sentence that asks again; None where nothing is asked any more."""
        if self._protocol.uses_tool and reply.tool_calls:
            self._call([shown_call(call) for call in reply.tool_calls[:MAX_CALLS]], 0, sentence)
        else:
            self._say(shown_text(reply) or self._protocol.texts["empty_reply"], sentence)

    def _say(self, words: str, answer: str | None) -> None:
        answers = () if answer is None else (Message(role="user", content=answer),)
        self._exchanges.append(Exchange(said=Message(role="assistant", content=words), answers=answers))

    def _call(self, calls: Sequence[ToolCall], chosen: int, answer: str | None) -> None:
        """Add calls of which one is answered with `answer`, the others with a word that nothing came of them."""
        calls = self._with_ids(calls)
        others = self._protocol.texts["not_carried_out"]
        answers = tuple(
            Message(
                role="tool",
                content=answer if answer is not None and place == chosen else others,
                tool_call_id=call.id,
            )
            for place, call in enumerate(calls)
        )
        self._exchanges.append(
            Exchange(said=Message(role="assistant", content="", tool_calls=tuple(calls)), answers=answers)
        )

    def _with_ids(self, calls: Sequence[ToolCall]) -> list[ToolCall]:
        """The provider's own ids; one of ours where it gave none, or the same one twice."""
        known: set[str] = set()
        named = []
        for place, call in enumerate(calls):
            own = f"call_{len(self._exchanges)}_{place}"
            identity = call.id if call.id and call.id not in known else own
            known.add(identity)
            named.append(replace(call, id=identity))
        return named
