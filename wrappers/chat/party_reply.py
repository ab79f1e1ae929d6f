"""What a party's reply chooses, and what it says to the other. Own design.

The choice is read by the parser that reads every other agent's replies; its commands are those of the party's own
menu, so nothing that the other party wrote is ever looked at here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from conflictbench.scenario_specs.commands import printable
from conflictbench.types import Reply, Verdict
from conflictbench.wrappers.chat.party_message import split_message
from conflictbench.wrappers.text_actions.parser import CommandMatch, ReplyParser

MAX_MESSAGE = 4_000  # characters kept of what was written; the other party is shown far fewer

Command = Callable[[str], int | None]  # words -> action index of the present phase


@dataclass(frozen=True, kw_only=True)
class PartyReply:
    """A reply, understood as far as it can be without guessing."""

    verdict: Verdict  # ACTION, UNPARSED, REFUSED or CUT_OFF: words that are no move of this menu are unparsed
    action: int | None = None
    command: str = ""  # the words of an ACTION
    message: str = ""
    reasoning: str = ""
    mixed: bool = False  # unparsed because its message cannot be told from its thoughts


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


def read_party_reply(reply: Reply, command: Command, *, talks: bool, writes: bool = False) -> PartyReply:
    """Read a reply of one phase; never raises, whatever the reply.

    Args:
        command: of the environment, for this party.
        talks: a message may be given.
        writes: in some phase of the game one may, so that what stands behind `MESSAGE:` is no thought.
    """
    parser = ReplyParser(_Menu(command))
    parsed = parser.parse(reply)
    verdict = Verdict.UNPARSED if parsed.verdict is Verdict.UNKNOWN else parsed.verdict
    said = split_message(reply) if talks or writes else None
    mixed = verdict is Verdict.ACTION and talks and said is not None and said.mixed
    if mixed:  # rather no decision than the other reading what was not meant for it
        verdict = Verdict.UNPARSED
    chosen = verdict is Verdict.ACTION
    reasoning = parsed.reasoning
    if said is not None and parsed.reasoning_source == "text":  # the provider's own, and tags, hold no message
        reasoning = parser.parse(replace(reply, text=said.rest)).reasoning
    return PartyReply(
        verdict=verdict,
        action=parsed.action if chosen else None,
        command=parsed.command if chosen else "",
        message=said.message[:MAX_MESSAGE].strip() if talks and chosen and said is not None else "",
        reasoning=reasoning,
        mixed=mixed,
    )


def message_of(reply: Reply) -> str:
    """What is marked as a message, its parts in their order; "" where nothing is, or where thoughts stand in it."""
    said = split_message(reply)
    return "" if said.mixed else said.message[:MAX_MESSAGE].strip()
