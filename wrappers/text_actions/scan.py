"""Sorts a cleaned reply into actions, thoughts and other prose, line by line. Own design."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from conflictbench.wrappers.text_actions.markers import action_value, inline_action, thought_value
from conflictbench.wrappers.text_actions.structured import Given, pieces

_FENCE = ("```", "~~~")
_MARK = re.compile("\x00(\\d+)\x00")  # stands for a piece of data; `clean` leaves no other NUL in a reply
_SENTENCE_END = tuple(".!?\"')*_`]}")


@dataclass
class Scan:
    """What the lines of a reply hold."""

    actions: list[str] = field(default_factory=list)
    thoughts: list[str] = field(default_factory=list)
    prose: list[str] = field(default_factory=list)  # lines that are neither, those without a letter left out
    given: list[str] = field(default_factory=list)  # what gave or announced the actions, as it stands in the reply
    said: list[str] = field(default_factory=list)  # every line that is no thought, as it stands in the reply
    data: int = 0  # pieces of data, with an action or without
    malformed: int = 0
    too_many: bool = False  # more data than is read: what the rest says is not known
    announced: bool = False  # an action was announced at the very end, and nothing followed
    broke_off: bool = False  # the reply ends in the middle of a thought
    ends_in_action: bool = False  # the last line is that of an action: it may be cut


class _Scanner:
    def __init__(self, text: str) -> None:
        self.scan = Scan()
        self._given: list[Given] = []
        self._source: list[str] = []
        self._lines = self._without_data(text).split("\n")
        self._thinking = False
        self._waiting = False  # for the action a heading has announced

    def run(self) -> Scan:
        for line in self._lines:
            self._read(line)
        last = self._restored(next((line for line in reversed(self._lines) if line.strip()), "")).rstrip()
        self.scan.data = len(self._given)
        self.scan.announced = self._waiting
        self.scan.broke_off = self._thinking and "ACTION:" not in last and not last.endswith(_SENTENCE_END)
        self.scan.ends_in_action = bool(self._lines[-1].strip()) and action_value(self._lines[-1]) is not None
        return self.scan

    def _without_data(self, text: str) -> str:
        """The text with a mark in place of each piece of data."""
        parts: list[str] = []
        position = 0
        for piece in pieces(text):
            if piece is None:
                self.scan.too_many = True
                break
            parts += [text[position : piece.start], f"\x00{len(self._given)}\x00"]
            self._given.append(piece.given)
            self._source.append(text[piece.start : piece.end])
            position = piece.end
        return "".join([*parts, text[position:]])

    def _restored(self, line: str) -> str:
        return _MARK.sub(lambda mark: self._source[int(mark.group(1))], line)

    def _read(self, line: str) -> None:
        if not line.strip() or line.lstrip().startswith(_FENCE):
            if not self._thinking:
                self.scan.said.append(line)
            return
        value = action_value(line)
        thought = thought_value(line)
        if value is not None:
            self._thinking = False
            self._waiting = not value
            self._keep(line)
            if value:
                self._take(value)
        elif thought is not None:
            self._thinking, self._waiting = True, False
            self.scan.thoughts.append(self._restored(thought))
        elif self._waiting:
            self._waiting = False
            self._keep(line)
            self._take(line)
        elif self._thinking:
            # data inside a line of thought is part of the thought; data on a line of its own ends it
            if _MARK.match(line.lstrip()):
                self._thinking = False
                self._take_prose(line)
            else:
                self.scan.thoughts.append(self._restored(line))
        else:
            self._take_prose(line)

    def _keep(self, line: str) -> None:
        """A line that gives an action or announces one."""
        self.scan.given.append(self._restored(line))
        self.scan.said.append(self._restored(line))

    def _take(self, value: str) -> None:
        """An action's value: words, or data that holds it."""
        if _MARK.search(value):
            self._take_data(value)
        else:
            self.scan.actions.append(value)

    def _take_prose(self, line: str) -> None:
        self.scan.said.append(self._restored(line))
        inline = inline_action(line)
        if inline is not None:
            self._take_prose_part(inline[0])
            self._waiting = not inline[1]
            self.scan.given.append(self._restored(line[len(inline[0]) :].strip()))
            if inline[1]:
                self._take(inline[1])
        else:
            self._take_prose_part(line)

    def _take_prose_part(self, line: str) -> None:
        self._take_data(line)
        self.scan.given += [self._restored(mark[0]) for mark in _MARK.finditer(line) if self._gives(mark)]
        if any(char.isalpha() for char in _MARK.sub("", line)):
            self.scan.prose.append(self._restored(line))

    def _gives(self, mark: re.Match[str]) -> bool:
        return bool(self._given[int(mark.group(1))].actions)

    def _take_data(self, line: str) -> None:
        for mark in _MARK.finditer(line):
            given = self._given[int(mark.group(1))]
            self.scan.actions += given.actions
            self.scan.thoughts += given.thoughts
            self.scan.malformed += given.malformed


def scan(text: str) -> Scan:
    """Sort a reply that `clean` has been over. One pass; never raises."""
    return _Scanner(text).run()
