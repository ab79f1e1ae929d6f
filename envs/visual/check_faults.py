"""How faults of a `visual` block are worded; file and line are added by `check.py`. Own design."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from conflictbench.errors import Fault

RULE = "visual"


def fault(key: str, message: str, fix: str = "") -> Fault:
    """Something in the block that cannot be drawn."""
    return Fault(file="", key=key, rule=RULE, message=message, fix=fix)


def unknown(key: str, kind: str, name: str, known: Iterable[str]) -> Fault:
    """A name outside a closed list; the nearest is offered."""
    names = sorted(known)
    near = get_close_matches(name, names, n=1)
    return fault(key, f"unknown {kind} {name[:60]!r}; known: {listed(names)}", near[0] if near else "")


def listed(names: Sequence[str]) -> str:
    """Names in a sentence."""
    return ", ".join(names) or "none"
