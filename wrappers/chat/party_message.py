"""What of a party's reply is meant for the other, told from what it thinks and chooses. Own design.

A message is marked as an action is (`MESSAGE: x`, `### MESSAGE` above x, a key of a JSON object, an element). It ends
where a thought or an action begins; every mark of a thought that the reply parser knows ends it, and some more. Where
a thought stands inside it, nobody can say where the message goes on: it is `mixed`, and not for the other to read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from conflictbench.types import Reply
from conflictbench.wrappers.text_actions.markers import (
    action_value,
    inline_action,
    inline_message,
    message_value,
    opens_thought,
    thought_inside,
)
from conflictbench.wrappers.text_actions.reading import read
from conflictbench.wrappers.text_actions.structured import Given, pieces, tool_arguments

_FENCE = ("```", "~~~")
_MARK = re.compile("\x00(\\d+)\x00")  # stands for a piece of data; a cleaned reply holds no other NUL


@dataclass(frozen=True, kw_only=True)
class Said:
    """A reply's answer in two."""

    message: str  # its parts in their order, on one line; "" where nothing is said
    rest: str  # the answer without it
    mixed: bool  # the message cannot be told from thoughts


def split_message(reply: Reply) -> Said:
    """Read a reply; never raises, and takes time linear in its length."""
    reading = read(reply)
    splitter = _Splitter(reading.tagged.answer)
    splitter.run()
    for call in reply.tool_calls:
        for words in tool_arguments(call.arguments).messages:
            splitter.take_value(words)
    # a tag that never closes: whether the message in it was thought or said is not known
    unclosed = reading.tagged.unclosed and any(
        message_value(line) is not None for line in reading.tagged.reasoning.split("\n")
    )
    return Said(
        message=" ".join(" ".join(splitter.said).split()),
        rest="\n".join(splitter.rest),
        mixed=splitter.mixed or unclosed,
    )


class _Splitter:
    def __init__(self, answer: str) -> None:
        self.said: list[str] = []
        self.rest: list[str] = []
        self.mixed = False
        self._given: list[Given] = []
        self._source: list[str] = []
        self._lines = self._without_data(answer).split("\n")
        self._inside = ""  # "message", "thought" or neither

    def run(self) -> None:
        for line in self._lines:
            self._read(line)

    def take_value(self, words: str) -> None:
        """A message that stands in data: whole, whatever its lines look like."""
        self.mixed = self.mixed or any(opens_thought(line) for line in words.split("\n")) or thought_inside(words)
        self.said.append(words)

    def _without_data(self, text: str) -> str:
        """The text with a mark in place of each piece of data that says something."""
        parts: list[str] = []
        position = 0
        for piece in pieces(text):
            if piece is None:
                break
            if piece.given.actions or piece.given.messages or piece.given.thoughts:
                parts += [text[position : piece.start], f"\x00{len(self._given)}\x00"]
                self._given.append(piece.given)
                self._source.append(text[piece.start : piece.end])
                position = piece.end
        return "".join([*parts, text[position:]])

    def _read(self, line: str) -> None:
        value = message_value(line)
        if line.lstrip().startswith(_FENCE):
            self._keep(line)
        elif value is not None:
            self._inside = "message"
            self._take(value)
        elif action_value(line) is not None:
            self._inside = ""
            self._take_data(line)
        elif self._inside == "message" and not opens_thought(line):
            self._take(line)
        elif self._inside != "message" and (inline := inline_message(line)) is not None:
            self._keep(inline[0])
            self._inside = "message"
            self._take(inline[1])
        elif opens_thought(line):
            self._inside = "thought"
            self._keep(line)
        elif self._inside == "thought" and not _MARK.match(line.lstrip()):
            self._keep(line)  # data inside a line of thought is part of the thought
        else:
            self._take_data(line)

    def _keep(self, line: str) -> None:
        self.rest.append(_MARK.sub(lambda mark: self._source[int(mark.group(1))], line))

    def _take(self, words: str) -> None:
        """Words behind the mark of a message."""
        data = _MARK.search(words)
        if data is not None:  # it ends the message; a thought in the middle of a line may go on behind it
            before = words[: data.start()]
            self.mixed = self.mixed or (bool(before.strip()) and bool(self._given[int(data.group(1))].thoughts))
            self._take_data(words[data.start() :])
            words = before
        inline = inline_action(words)
        if inline is not None:
            self._inside = ""
            self._keep(f"ACTION: {inline[1]}")
            words = inline[0]
        self.mixed = self.mixed or thought_inside(words)
        self.said.append(words)

    def _take_data(self, line: str) -> None:
        """A line that may hold data: the messages in it are said, the line itself is not."""
        self._inside = "" if _MARK.search(line) else self._inside
        for mark in _MARK.finditer(line):
            for words in self._given[int(mark.group(1))].messages:
                self.take_value(words)
        self._keep(line)
