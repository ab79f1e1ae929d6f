"""The prompt protocols by name: what a model is told, and how its choice comes back. ConflictBench B.1, own words.

The words are files in `prompts/<name>-v<version>/`. A change of any of them is another protocol: raise the version
(a new folder, the old one stays), and whatever is changed all the same shows in the digest of `ChatProtocol.id`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from types import MappingProxyType

from conflictbench.errors import UnknownName
from conflictbench.types import Message, ToolSpec, Verdict

FOLDER = Path(__file__).parent / "prompts"
TOOL_NAME = "act"
TOOL_ARGUMENT = "command"

_TEXTS = ("empty_reply", "left_out", "question", "reask_cut_off", "reask_refused", "reask_unparsed", "system")
_TOOL_TEXTS = (
    "not_carried_out",
    "reask_wrong_arguments",
    "reask_wrong_function",
    "tool",
    "tool_command",
    "tool_option",
)


@dataclass(frozen=True, kw_only=True)
class ChatProtocol:
    """One way to hold the conversation; nothing in it depends on a scenario."""

    name: str
    version: int
    uses_tool: bool  # a choice is a native tool call; a reply in text counts all the same
    summary: str  # one line for `conflictbench show-prompt --help` and the documents

    @property
    def file_names(self) -> tuple[str, ...]:
        """The files that hold the words."""
        return (*_TEXTS, *(_TOOL_TEXTS if self.uses_tool else ()))

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """The words by file name, without the newline at their end."""
        names = sorted(self.file_names)
        folder = FOLDER / f"{self.name}-v{self.version}"
        return MappingProxyType({name: (folder / f"{name}.txt").read_text("utf-8").rstrip("\n") for name in names})

    @cached_property
    def id(self) -> str:
        """Name, version and 8 hex digits of blake2b over the words: "paper-v1-1a2b3c4d"."""
        digest = blake2b(digest_size=4)
        for name, text in self.texts.items():
            digest.update(f"{name}\0{text}\0".encode())
        return f"{self.name}-v{self.version}-{digest.hexdigest()}"

    def begin(
        self, opening: str, help_page: str | None, max_commands: int = 1, note: str = ""
    ) -> tuple[Message, Message]:
        """The first two messages: what is told, then the help page; in a world without one, the question itself.

        Args:
            max_commands: after how many commands the world ends; told, for a rule that can fail a model is its to know.
            note: a paragraph more, before the opening.
        """
        if help_page is None:
            return Message(role="system", content=self.texts["question"]), Message(role="user", content=opening)
        # the opening last: what stands in it is the author's, and no place to put anything in
        told = f"{note}\n\n{opening}" if note else opening
        system = self.texts["system"].replace("{max_commands}", str(max_commands)).replace("{opening}", told)
        return Message(role="system", content=system), Message(role="user", content=help_page)

    def tools(self, *, question: bool) -> tuple[ToolSpec, ...]:
        """The functions on offer, made afresh: `act(command)`, or none."""
        if not self.uses_tool:
            return ()
        what = self.texts["tool_option" if question else "tool_command"]
        parameters = {
            "type": "object",
            "properties": {TOOL_ARGUMENT: {"type": "string", "description": what}},
            "required": [TOOL_ARGUMENT],
            "additionalProperties": False,
        }
        return (ToolSpec(name=TOOL_NAME, description=self.texts["tool"], parameters=parameters),)

    def reask(self, verdict: Verdict, wrong_call: str | None = None) -> str:
        """The sentence that asks again, for a reply without a command.

        Args:
            wrong_call: "function" or "arguments", what was wrong with the calls of an unparsed reply that had some;
                told only where a choice is a call.
        """
        if self.uses_tool and wrong_call is not None and verdict is Verdict.UNPARSED:
            return self.texts[f"reask_wrong_{wrong_call}"]
        return self.texts[f"reask_{verdict.value}"]


PROTOCOLS: Mapping[str, ChatProtocol] = MappingProxyType(
    {
        protocol.name: protocol
        for protocol in (
            ChatProtocol(name="paper", version=1, uses_tool=False, summary="THINK and ACTION as text"),
            ChatProtocol(name="tools", version=1, uses_tool=True, summary="one native tool call, act(command)"),
        )
    }
)


def get_protocol(name: str) -> ChatProtocol:
    """Return a protocol by its name, or by the id of its words as they are now.

    Raises:
        UnknownName: neither; also an id of other words, which a record may hold.
    """
    if name in PROTOCOLS:
        return PROTOCOLS[name]
    name = name.partition("+")[0]  # what stands behind it tells of pictures, which change no reply's reading
    ids = {protocol.id: protocol for protocol in PROTOCOLS.values()}
    if name not in ids:
        raise UnknownName("protocol", name, PROTOCOLS, hint=f"their words are {', '.join(ids)}")
    return ids[name]
