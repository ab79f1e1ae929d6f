"""What a party's reply chooses, and what it says to the other. Own design.

The choice is read by the parser that reads every other agent's replies; its commands are those of the party's own
menu, so nothing that the other party wrote is ever looked at here.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from conflictbench.scenario_specs.commands import printable
from conflictbench.types import Reply, Verdict
from conflictbench.wrappers.text_actions.cleaning import clean
from conflictbench.wrappers.text_actions.markers import action_value, inline_action, thought_value
from conflictbench.wrappers.text_actions.parser import CommandMatch, ReplyParser
from conflictbench.wrappers.text_actions.tags import split_tags

MAX_MESSAGE = 4_000  # characters kept of what was written; the other party is shown far fewer
_MESSAGE = re.compile(r"\s{0,20}[*_#>\-\"']{0,6}\s{0,4}message[*_]{0,3}\s{0,4}:[*_]{0,3}", re.IGNORECASE)
_MAX_CHARS = 200_000  # of a reply that are searched for a message

Command = Callable[[str], int | None]  # words -> action index of the present phase


@dataclass(frozen=True, kw_only=True)
class PartyReply:
    """A reply, understood as far as it can be without guessing."""

    verdict: Verdict  # ACTION, UNPARSED, REFUSED or CUT_OFF: words that are no move of this menu are unparsed
    action: int | None = None
    command: str = ""  # the words of an ACTION
    message: str = ""
    reasoning: str = ""


@dataclass(frozen=True, kw_only=True)
class _Match:
    kind: str
    command: str
    action: int | None = None


class _Menu:
    """The commands of one phase, as the parser wants them."""

    def __init__(self, command: Command) -> None:
        self._command = command

    def match(self, text: str) -> CommandMatch:
        index = self._command(text)
        if index is None:
            return _Match(kind="unknown", command=printable(text.strip()))
        return _Match(kind="action", command=printable(text.strip()), action=index)


def read_party_reply(reply: Reply, command: Command, *, talks: bool) -> PartyReply:
    """Read a reply of one phase; never raises, whatever the reply.

    Args:
        command: of the environment, for this party.
        talks: a message may be given.
    """
    parsed = ReplyParser(_Menu(command)).parse(reply)
    verdict = Verdict.UNPARSED if parsed.verdict is Verdict.UNKNOWN else parsed.verdict
    chosen = verdict is Verdict.ACTION
    return PartyReply(
        verdict=verdict,
        action=parsed.action if chosen else None,
        command=parsed.command if chosen else "",
        message=message_of(reply) if talks and chosen else "",
        reasoning=parsed.reasoning,
    )


def message_of(reply: Reply) -> str:
    """What stands behind `MESSAGE:`, up to the next thought or action; "" where nothing does."""
    answer = split_tags(clean(reply.text[:_MAX_CHARS]), cut=reply.finish_reason == "length").answer
    said: list[str] | None = None
    for line in answer.split("\n"):
        marker = _MESSAGE.match(line)
        if marker is not None:
            said = [line[marker.end() :]]
        elif said is not None:
            if action_value(line) is not None or thought_value(line) is not None:
                break
            said.append(line)
    if said is None:
        return ""
    kept = [one if (inline := inline_action(one)) is None else inline[0] for one in said]
    return " ".join(" ".join(kept).split())[:MAX_MESSAGE].strip()
