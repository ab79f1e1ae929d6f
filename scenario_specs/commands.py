"""From words to one command of a scenario: exact after ignoring what does not matter, never a guess.

Source: docs/scenario-format.md, "Semantics": matching ignores case, surrounding blanks, quotes, markup, articles and
trailing punctuation. Everything else, a synonym nobody declared or two commands at once, is unknown.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

from conflictbench.errors import Fault, SpecError
from conflictbench.scenario_specs.schema import Scenario

ARTICLES = frozenset({"a", "an", "the"})
FREE_COMMANDS = ("look", "help", "status")
EXAMINE_WORDS = ("examine", "x")
MAX_INPUT = 2_000  # characters; a longer input is no command of any scenario
MAX_ECHO = 200  # characters of an unknown command that are kept

Kind = Literal["action", "look", "help", "status", "examine", "unknown"]

_IGNORED = re.compile(
    "[*`#\"'\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u2032\u2033\u00ab\u00bb\u2039\u203a\u00b4]"
)
_BLANK = re.compile("[\\s\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]+")
_EDGE = "_>"  # Markdown's emphasis and quotation at the edge of a word
_TRAILING = ".,;:!?\u2026\u3002"


def normalise(text: str) -> str:
    """The words of `text` without case, markup, quotes, articles and trailing punctuation, joined by single blanks.

    Inner dots, dashes and underscores stay: `set v2.5 limiter` keeps its version. Normalising twice changes nothing.
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).lower())
    words = [word for raw in _BLANK.sub(" ", _IGNORED.sub("", folded)).split(" ") if (word := raw.strip(_EDGE))]
    while words:
        last = words[-1].rstrip(_TRAILING + _EDGE)
        if last and last not in ARTICLES:
            words[-1] = last
            break
        words.pop()
    return " ".join(word for word in words if word not in ARTICLES)


def printable(text: str, limit: int = MAX_ECHO) -> str:
    """`text` as one line of printable ASCII, at most `limit` characters; others are escaped as in Python."""
    escaped = "".join(c if " " <= c <= "~" else c.encode("unicode_escape").decode("ascii") for c in text[:limit])
    return escaped[:limit]


@dataclass(frozen=True, kw_only=True)
class Match:
    """What words mean in one scenario."""

    kind: Kind
    command: str  # canonical command; for unknown words the words themselves, printable, at most 200 characters
    action: int | None = None  # index in file order
    item: str | None = None  # id


def free_commands(spec: Scenario) -> tuple[str, ...]:
    """Canonical commands that cost no turn."""
    return (*FREE_COMMANDS, *(f"examine {item.name}" for item in spec.items))


class CommandBook:
    """All that can be said in one scenario. The four readings share it, since commands and names are not replaced."""

    def __init__(self, spec: Scenario) -> None:
        """Index the commands, synonyms and items.

        Raises:
            SpecError: two actions or two items answer to the same words.
        """
        self.commands: tuple[str, ...] = tuple(action.command for action in spec.actions)
        self.items: dict[str, str] = {item.id: item.name for item in spec.items}
        self._matches: dict[str, Match] = {}
        for command in FREE_COMMANDS:
            self._add(command, Match(kind=command, command=command))  # type: ignore[arg-type]
        for item, name in self.items.items():
            match = Match(kind="examine", command=f"examine {name}", item=item)
            for word in EXAMINE_WORDS:
                for words in (name, item):
                    self._add(f"{word} {words}", match)
        for index, action in enumerate(spec.actions):
            match = Match(kind="action", command=action.command, action=index)
            for command in (action.command, *action.also):
                self._add(command, match)

    def match(self, text: str) -> Match:
        """What `text` means; `unknown` unless it is exactly one command after normalising."""
        stripped = text.strip()
        if len(stripped) <= MAX_INPUT and (found := self._matches.get(normalise(stripped))) is not None:
            return found
        return Match(kind="unknown", command=printable(stripped))

    def _add(self, words: str, match: Match) -> None:
        key = normalise(words)
        other = self._matches.setdefault(key, match)
        if other != match or not key:
            message = f"{words!r} means {match.command!r} and {other.command!r}; words must mean one thing"
            raise SpecError([Fault(file="", key="actions", rule="reference", message=message)])
