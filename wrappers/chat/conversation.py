"""What has been said so far, as messages that any provider accepts. Own design.

A conversation is a system message, a user message, then exchanges: an assistant message and what answers it. So two
user messages never meet, every tool call has its result right behind it, and no assistant message is empty.

Images stand in user messages alone, since a tool's result has no room for them: while it has images, the answer to a
call is told in a user message behind the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from conflictbench.types import Image, Message, Reply, ToolCall
from conflictbench.wrappers.chat.pictures import ClipImages
from conflictbench.wrappers.chat.protocols import ChatProtocol
from conflictbench.wrappers.chat.replies import MAX_CALLS, command_call, offered, shown_call, shown_text


@dataclass(frozen=True, kw_only=True)
class Exchange:
    """An assistant message and its answers: one user message, or one result for every call; none once all is over."""

    said: Message
    answers: tuple[Message, ...]
    told: int = 0  # which of the answers the world, or the sentence that asks again, gave
    clips: tuple[ClipImages, ...] = ()  # images of that one


class Conversation:
    """The messages of one episode."""

    def __init__(
        self,
        protocol: ChatProtocol,
        opening: str,
        help_page: str | None,
        max_commands: int = 1,
        keep_last: int | None = None,
        *,
        note: str = "",
        clips: Sequence[ClipImages] = (),
        keep_clips: int | None = None,
        answer_follows: str = "",
    ) -> None:
        """Begin with the protocol's first two messages; `keep_last` exchanges are shown, None for all.

        Args:
            note: told beside the protocol's own words.
            clips: images of the second message.
            keep_clips: clips whose images are shown, the latest; None for all.
            answer_follows: the result of a call whose answer has images.
        """
        self._protocol = protocol
        self._first = protocol.begin(opening, help_page, max_commands, note)
        self._keep_last, self._keep_clips = keep_last, keep_clips
        self._clips, self._answer_follows = tuple(clips), answer_follows
        self._exchanges: list[Exchange] = []

    def messages(self) -> tuple[Message, ...]:
        """What the model is sent. Left-out exchanges are the oldest; the second message then says how many."""
        system, second = self._first
        kept = self._exchanges if self._keep_last is None else self._exchanges[-self._keep_last :]
        if left_out := len(self._exchanges) - len(kept):
            note = self._protocol.texts["left_out"].replace("{count}", str(left_out))
            second = replace(second, content=f"{second.content}\n\n{note}")
        clips = [self._clips, *(exchange.clips for exchange in kept)]
        if not any(clips):  # almost every conversation
            return (system, second, *(message for one in kept for message in (one.said, *one.answers)))
        images = _latest(clips, self._keep_clips)
        shown = [system, replace(second, images=images[0])]
        for exchange, pictures in zip(kept, images[1:], strict=True):
            shown += [exchange.said, *self._with_images(exchange, pictures)]
        return tuple(shown)

    def carried_out(
        self, command: str, calls: Sequence[ToolCall], answer: str, clips: Sequence[ClipImages] = ()
    ) -> None:
        """Add a command that reached the world and the world's answer; the thoughts round it are not kept.

        Args:
            command: canonical, or the unknown words as the world was given them.
            calls: tool calls of the reply, as sent; empty for a reply in text.
            clips: images that go with the answer.
        """
        acting = [offered(call) for call in calls]
        if not self._protocol.uses_tool or not any(acting):
            self._say(f"ACTION: {command}", answer, clips)
            return
        shown, chosen = [shown_call(call) for call in calls], acting.index(True)
        shown[chosen] = replace(command_call(command), id=shown[chosen].id)
        self._call(shown, chosen, answer, clips)

    def asked_again(self, reply: Reply, sentence: str | None) -> None:
        """Add a reply without a command and the sentence that asks again; None where nothing is asked any more."""
        if self._protocol.uses_tool and reply.tool_calls:
            self._call([shown_call(call) for call in reply.tool_calls[:MAX_CALLS]], 0, sentence)
        else:
            self._say(shown_text(reply) or self._protocol.texts["empty_reply"], sentence)

    def went_on(self, words: str) -> None:
        """Add words behind the last ones: no reply has come to them, and none may be put into the model's mouth."""
        if not self._exchanges:
            system, second = self._first
            self._first = system, replace(second, content=f"{second.content}\n\n{words}")
            return
        last = self._exchanges[-1]
        answers = tuple(
            replace(answer, content=f"{answer.content}\n\n{words}") if place == last.told else answer
            for place, answer in enumerate(last.answers)
        )
        self._exchanges[-1] = replace(last, answers=answers or (Message(role="user", content=words),))

    def _say(self, words: str, answer: str | None, clips: Sequence[ClipImages] = ()) -> None:
        answers = () if answer is None else (Message(role="user", content=answer),)
        said = Message(role="assistant", content=words)
        self._exchanges.append(Exchange(said=said, answers=answers, clips=tuple(clips)))

    def _call(
        self, calls: Sequence[ToolCall], chosen: int, answer: str | None, clips: Sequence[ClipImages] = ()
    ) -> None:
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
        said = Message(role="assistant", content="", tool_calls=tuple(calls))
        self._exchanges.append(Exchange(said=said, answers=answers, told=chosen, clips=tuple(clips)))

    def _with_images(self, exchange: Exchange, images: tuple[Image, ...]) -> tuple[Message, ...]:
        """The answers of an exchange; a result that has images moves into a message of its own, and says so."""
        answers = exchange.answers
        if not images:
            return answers
        told = answers[exchange.told]
        if told.role == "user":
            return (replace(told, images=images),)
        follows = replace(told, content=self._answer_follows)
        place = exchange.told
        return (
            *answers[:place],
            follows,
            *answers[place + 1 :],
            Message(role="user", content=told.content, images=images),
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


def _latest(clips: Sequence[Sequence[ClipImages]], keep: int | None) -> list[tuple[Image, ...]]:
    """The images of each message, those of its clips that are among the last `keep` of all."""
    left = sum(map(len, clips)) if keep is None else keep
    shown: list[tuple[Image, ...]] = []
    for of_message in reversed(clips):
        kept = of_message[max(0, len(of_message) - left) :]
        left -= len(kept)
        shown.append(tuple(image for clip in kept for image in clip))
    return shown[::-1]
