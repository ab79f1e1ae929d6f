"""The world as a language model meets it: a conversation in, a reply out. ConflictBench B.1, and own design."""

from __future__ import annotations

from conflictbench.wrappers.chat.env import ChatEnv
from conflictbench.wrappers.chat.protocols import PROTOCOLS, ChatProtocol, get_protocol
from conflictbench.wrappers.chat.space import ChatSpace

__all__ = ["PROTOCOLS", "ChatEnv", "ChatProtocol", "ChatSpace", "get_protocol"]
