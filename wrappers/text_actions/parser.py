"""Decides what a reply was: one action, one unknown command, or none to carry out. Own design.

The verdict is never a guess between two actions and never a default: what is not exactly one command is asked again.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from conflictbench.types import Reply, Verdict
from conflictbench.wrappers.text_actions.cleaning import clean
from conflictbench.wrappers.text_actions.dressing import undressed
from conflictbench.wrappers.text_actions.markers import MARKUP
from conflictbench.wrappers.text_actions.reading import read
from conflictbench.wrappers.text_actions.refusal import is_refusal
from conflictbench.wrappers.text_actions.scan import Scan

MAX_COMMAND_CHARS = 400
MAX_UNKNOWN_WORDS = 12  # more words are prose, not a command
MAX_SPELLINGS = 16  # of the actions of one reply; more is no answer, whether they agree or not
_EDGES = MARKUP + "\n\"'[](){}<"
_LONGEST_MENTION = 6  # words
_JOINS = re.compile(
    r"[,;/|&()\[\]\n]|[.:!?]\s|\s-{1,2}\s|-{1,2}>"
    r"|\b(?:after|and|because|before|but|instead|or|since|so|that|then|to|which|while)\b",
    re.IGNORECASE,
)


class CommandMatch(Protocol):
    """What a command book says of some words."""

    @property
    def kind(self) -> str: ...  # "action" | "look" | "help" | "status" | "examine" | "unknown"
    @property
    def action(self) -> int | None: ...  # index, for kind "action"
    @property
    def command(self) -> str: ...  # canonical


class Commands(Protocol):
    """The commands of a world; matches whole commands only."""

    def match(self, text: str) -> CommandMatch:
        """Find the command that these words are, up to case, articles, markup and closing punctuation."""


@dataclass(frozen=True, kw_only=True)
class Parsed:
    """A reply, understood as far as it can be without guessing."""

    verdict: Verdict
    action: int | None = None  # index; None for free commands and every verdict but ACTION
    command: str = ""  # canonical for ACTION, the words as given for UNKNOWN, else ""
    reasoning: str = ""
    reasoning_source: str = ""  # "provider" | "tag" | "text" | ""
    malformed: int = 0  # tool calls and JSON objects that were not one action in words


@dataclass(frozen=True, kw_only=True)
class _Resolved:
    verdict: Verdict  # ACTION, UNKNOWN or UNPARSED
    action: int | None = None
    command: str = ""


_AMBIGUOUS = _Resolved(verdict=Verdict.UNPARSED)


class ReplyParser:
    """Reads replies against the commands of one world."""

    def __init__(self, commands: Commands) -> None:
        """Take the command book of the world that is played."""
        self._commands = commands

    def parse(self, reply: str | Reply) -> Parsed:
        """Return the verdict on a reply; never raises, whatever the reply, and takes time linear in its length.

        Order: actions given (tool calls, `ACTION:` lines, JSON, elements), all the same, decide; a reply that is
        nothing but a command of this world decides; then refusal, then a cut, else unparsed. What a thought mentions
        is never an action.
        """
        given = reply if isinstance(reply, Reply) else Reply(text=reply)
        reading = read(given)
        tagged, found, cut = reading.tagged, reading.found, reading.cut
        reasoning, source = _reasoning(given, tagged.reasoning, found)

        resolved = self._decide(found)
        if resolved is None:
            resolved = self._bare(found) or _AMBIGUOUS
            cut = cut or tagged.unclosed or found.announced or found.broke_off
        elif resolved.verdict is not Verdict.ACTION:
            cut = cut and found.ends_in_action
        else:
            cut = False
        verdict = resolved.verdict
        if verdict is Verdict.UNPARSED or (verdict is Verdict.UNKNOWN and cut):
            resolved = _AMBIGUOUS
            declined = is_refusal("\n".join(found.prose + found.actions[:1]), given.finish_reason)
            verdict = Verdict.REFUSED if declined else Verdict.CUT_OFF if cut else Verdict.UNPARSED
        return Parsed(
            verdict=verdict,
            action=resolved.action,
            command=resolved.command,
            reasoning=reasoning,
            reasoning_source=source,
            malformed=found.malformed,
        )

    def _decide(self, found: Scan) -> _Resolved | None:
        """The one thing all given actions say; None if none is given."""
        if found.too_many:
            return _AMBIGUOUS
        one: _Resolved | None = None
        for number, value in enumerate(dict.fromkeys(found.actions)):
            if number >= MAX_SPELLINGS or len(value) > MAX_COMMAND_CHARS:
                return _AMBIGUOUS
            resolved = self._resolve(undressed(clean(value)))
            if one is not None and _key(one) != _key(resolved):
                return _AMBIGUOUS
            one = one or resolved
            if one.verdict is Verdict.UNPARSED:
                return one
        return one

    def _resolve(self, words: str) -> _Resolved:
        if not any(char.isalnum() for char in words):
            return _AMBIGUOUS
        known = self._named(words)
        if known is not None:
            return known
        if len(words.split()) > MAX_UNKNOWN_WORDS or is_refusal(words, "") or self._mentions_more(words):
            return _AMBIGUOUS
        return _Resolved(verdict=Verdict.UNKNOWN, command=words)

    def _named(self, words: str) -> _Resolved | None:
        """The command that the words are; a bracket or quote at their edge may be its own, or dressing."""
        return self._known(words) or self._known(words.strip(_EDGES))

    def _known(self, words: str) -> _Resolved | None:
        match = self._commands.match(words)
        if match.kind == "unknown":
            return None
        return _Resolved(verdict=Verdict.ACTION, action=match.action, command=match.command)

    def _mentions_more(self, words: str) -> bool:
        """True if the words join a command to something else, or hold two of the world's actions."""
        parts = [part.strip(_EDGES) for part in _JOINS.split(words)]
        if len(parts) > 1 and any(part and self._known(part) for part in parts):
            return True
        return len(self._mentioned(words.split())) > 1

    def _mentioned(self, words: Sequence[str]) -> set[int]:
        """Indices of the actions whose command occurs as consecutive words."""
        found: set[int] = set()
        for first in range(len(words)):
            for last in range(first + 1, min(first + _LONGEST_MENTION, len(words)) + 1):
                match = self._commands.match(" ".join(words[first:last]))
                if match.action is not None:
                    found.add(match.action)
        return found

    def _bare(self, found: Scan) -> _Resolved | None:
        """A reply of one line that is a command and nothing else."""
        if len(found.prose) != 1 or found.thoughts or found.data or len(found.prose[0]) > MAX_COMMAND_CHARS:
            return None
        return self._named(undressed(found.prose[0]))


def _key(resolved: _Resolved) -> tuple[Verdict, str]:
    return resolved.verdict, resolved.command.casefold()


def _reasoning(reply: Reply, tagged: str, found: Scan) -> tuple[str, str]:
    """The reasoning and where it stood: the provider's own field, tags, or the text round the action."""
    if reply.reasoning:
        return reply.reasoning, "provider"
    if tagged:
        return tagged, "tag"
    text = "\n".join(found.thoughts or (found.prose if found.actions else [])).strip()
    return text, "text" if text else ""
