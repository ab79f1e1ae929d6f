"""A command book over a plain list of commands, for tests of what replies are taken for."""

from __future__ import annotations

import re
from dataclasses import dataclass

COMMANDS = ("seal door", "vent bay", "set v2.5 limiter", "activate port")
FREE = ("look", "help", "status")


@dataclass(frozen=True)
class SmallMatch:
    kind: str
    command: str
    action: int | None = None
    item: str | None = None


class SmallBook:
    """Matches whole commands, up to case, articles, markup and closing punctuation."""

    def __init__(self, commands: tuple[str, ...] = COMMANDS) -> None:
        self.commands = commands
        self.asked = 0  # how often `match` was called

    def match(self, text: str) -> SmallMatch:
        self.asked += 1
        words = re.sub(r"[*_`\"']", " ", text.casefold()).split()
        plain = " ".join(word for word in words if word not in ("a", "an", "the")).rstrip(".,;:!? ")
        if plain in self.commands:
            return SmallMatch(kind="action", command=plain, action=self.commands.index(plain))
        if plain in FREE:
            return SmallMatch(kind=plain, command=plain)
        return SmallMatch(kind="unknown", command=text)
