"""How findings of the lint are worded; file and line are added by the one that keeps them. Own design."""

from __future__ import annotations

from conflictbench.errors import Fault

RULE = "picture"


def fault(key: str, message: str, fix: str = "") -> Fault:
    """Something that is drawn and cannot be seen."""
    return Fault(file="", key=key, rule=RULE, message=message, fix=fix)
