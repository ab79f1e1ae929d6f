"""What a model is told that is one of two parties, or both of them. Own design, as `protocols.py`.

The words are the files of `prompts/party-v1/`. They hold no class of a game, no name of an outcome and nothing of the
other party's worth: what a party is told of its game is the environment's.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from conflictbench.types import Message
from conflictbench.wrappers.chat.protocols import ChatProtocol

_PARTY_TEXTS = (
    "empty_reply",
    "held",
    "left_out",
    "no_reply_held",
    "no_reply_silent",
    "reask_cut_off",
    "reask_mixed",
    "reask_refused",
    "reask_unparsed",
    "silent",
    "solo",
    "solo_facts",
    "solo_first",
    "solo_other",
    "solo_system",
    "system",
    "talk_none",
    "talk_signal",
    "talk_text",
)


@dataclass(frozen=True, kw_only=True)
class PartyProtocol(ChatProtocol):
    """A conversation of one party; with `template` "solo_system" that of a model which decides for either."""

    template: str = "system"

    @property
    def file_names(self) -> tuple[str, ...]:
        """The files that hold the words."""
        return _PARTY_TEXTS

    @cached_property
    def id(self) -> str:
        """As of every protocol, over the words of both templates."""
        return super().id

    def begin(
        self, opening: str, help_page: str | None, max_commands: int = 1, note: str = ""
    ) -> tuple[Message, Message]:
        """The first two messages: instructions with the briefing behind them, then the first situation.

        Args:
            opening: the briefing.
            help_page: the situation.
            max_commands: has no meaning here.
            note: how to reply under the talk that is played.
        """
        # the briefing last: what stands in it is the author's, and no place to put anything in
        system = self.texts[self.template].replace("{talk}", note).replace("{briefing}", opening)
        return Message(role="system", content=system), Message(role="user", content=help_page or "")

    def of_both(self, incumbent: str, requester: str) -> str:
        """What either party is told, for a model that decides for both."""
        before, after = self.texts["solo_facts"].replace("{incumbent}", incumbent).split("{requester}")
        return f"{before}{requester}{after}"


PARTY = PartyProtocol(name="party", version=1, uses_tool=False, summary="one of two parties, THINK and ACTION as text")
SOLO = PartyProtocol(
    name="party", version=1, uses_tool=False, summary="both parties, one after the other", template="solo_system"
)
