"""`PartyChat` and `SoloChat`: the two-party game as a language model meets it. Own design, as `ChatEnv`.

A conversation is begun once the game is reset, and told the situation again after every phase. It knows one party's
texts alone: what the other said stands in them as the environment quotes it, and replies are read from the model's own
words, never from what it was told.
"""

from __future__ import annotations

from typing import Any, Protocol

from conflictbench.types import Message, Reply, Verdict
from conflictbench.wrappers.chat.conversation import Conversation
from conflictbench.wrappers.chat.party_protocol import PARTY, SOLO, PartyProtocol
from conflictbench.wrappers.chat.party_reply import PartyReply, read_party_reply

REASKS = 1  # replies without a choice that are asked again, a phase


class PartyWorld(Protocol):
    """What a conversation needs of the environment (`envs.task_conflict`)."""

    @property
    def phase(self) -> str: ...
    def briefing(self, agent: str) -> str: ...
    def situation(self, agent: str) -> str: ...
    def command(self, agent: str, line: str) -> int | None: ...


class _Talk:
    """What both kinds of conversation share: a reply is read, asked again once, then given up."""

    def __init__(self, world: PartyWorld, talk: str, conversation: Conversation, protocol: PartyProtocol) -> None:
        self._world, self._talk, self._conversation, self._protocol = world, talk, conversation, protocol
        self._failed = 0
        self._last: tuple[Reply, PartyReply] | None = None
        self._phase = world.phase  # in which the model is asked; the world's own is the next one once it has stepped

    def messages(self) -> tuple[Message, ...]:
        """What the model is sent."""
        return self._conversation.messages()

    def _read(self, agent: str, reply: Reply) -> tuple[PartyReply, bool]:
        """The reply, understood, and whether it was asked again and another one is wanted."""
        writes = self._talk == "text"
        talks = writes and self._world.phase == "talk"
        read = read_party_reply(reply, lambda line: self._world.command(agent, line), talks=talks, writes=writes)
        if read.verdict is not Verdict.ACTION and self._failed < REASKS:
            self._failed += 1
            self._conversation.asked_again(
                reply, self._protocol.texts["reask_mixed"] if read.mixed else self._protocol.reask(read.verdict)
            )
            return read, True
        self._failed, self._last = 0, (reply, read)
        return read, False

    def _answer(self, words: str) -> None:
        """Put the last reply into the conversation, with what it led to: none is a hold, or silence in a talk."""
        nothing = "silent" if self._phase == "talk" else "held"
        if self._last is None:
            self._conversation.went_on(f"{self._protocol.texts[f'no_reply_{nothing}']}\n\n{words}")
        elif self._last[1].verdict is Verdict.ACTION:
            self._conversation.carried_out(self._last[1].command, (), words)
        else:
            self._conversation.asked_again(self._last[0], f"{self._protocol.texts[nothing]}\n\n{words}")
        self._failed, self._last, self._phase = 0, None, self._world.phase


class PartyChat(_Talk):
    """One party's conversation.

    `messages`, then `read` each reply until none is asked again; when the environment has stepped, `told`.
    """

    def __init__(self, world: PartyWorld, agent: str, talk: str) -> None:
        """Begin with what the party is told at the start; the environment has been reset.

        Args:
            agent: of the environment: "incumbent_0" or "requester_0".
            talk: "none", "signal" or "text", as the environment's.
        """
        self._agent = agent
        note = PARTY.texts[f"talk_{talk}"]
        begun = Conversation(PARTY, world.briefing(agent), world.situation(agent), note=note)
        super().__init__(world, talk, begun, PARTY)

    def read(self, reply: Reply) -> tuple[PartyReply, bool]:
        """The reply, understood, and whether it is asked again, which happens once a phase."""
        return self._read(self._agent, reply)

    def told(self) -> None:
        """Tell the party how things stand after the phase."""
        self._answer(self._world.situation(self._agent))


class SoloChat(_Talk):
    """The conversation of one model that decides for both, told what either party is told.

    In each turn `messages` and `read` once for the incumbent, `asked_other`, once for the requester, then `told`.
    """

    def __init__(self, world: PartyWorld, agents: tuple[str, str]) -> None:
        """Begin; `agents` are the environment's, the incumbent first."""
        self._agents, self._world = agents, world
        begun = Conversation(SOLO, self._of_both(world.briefing), self._situation(), note=SOLO.texts["solo"])
        super().__init__(world, "none", begun, SOLO)

    def read(self, party: int, reply: Reply) -> tuple[PartyReply, bool]:
        """As `PartyChat.read`, for one of the parties."""
        return self._read(self._agents[party], reply)

    def asked_other(self) -> None:
        """Ask for the requester's move; the incumbent's is not carried out yet."""
        self._answer(self._protocol.texts["solo_other"])

    def told(self) -> None:
        """Tell how things stand after the turn."""
        self._answer(self._situation())

    def _situation(self) -> str:
        return f"{self._of_both(self._world.situation)}\n\n{SOLO.texts['solo_first']}"

    def _of_both(self, text_of: Any) -> str:
        return SOLO.of_both(*(text_of(agent) for agent in self._agents))
