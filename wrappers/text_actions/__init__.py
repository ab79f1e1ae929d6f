"""Words in: what a reply was taken for, and the environment that accepts replies. Own design (cases R01-R14)."""

from __future__ import annotations

from conflictbench.wrappers.text_actions.parser import Parsed, ReplyParser
from conflictbench.wrappers.text_actions.wrapper import REASK_SENTENCES, TextActions

__all__ = ["REASK_SENTENCES", "Parsed", "ReplyParser", "TextActions"]
