"""Numbers with their nouns. Own design."""

from __future__ import annotations


def counted(number: float, thing: str) -> str:
    """A number with its noun: `1 turn`, `2 turns`, `1,000 episodes`, `0.5 hours`."""
    shown = f"{number:,}" if isinstance(number, int) else f"{number:g}"
    return f"{shown} {thing}{'' if number == 1 else 's'}"
