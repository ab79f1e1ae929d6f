"""What a person should be told about the calls of a run, once each. Own design (nothing is silently adjusted)."""

from __future__ import annotations


class Notes:
    """One-line notes in order of first appearance; the same line twice is one note."""

    def __init__(self) -> None:
        self._lines: dict[str, None] = {}

    def add(self, line: str) -> None:
        """Keep a line."""
        self._lines.setdefault(line)

    @property
    def lines(self) -> tuple[str, ...]:
        """All lines so far."""
        return tuple(self._lines)
