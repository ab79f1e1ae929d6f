"""From words to one option: its letter, its text, or both; never a guess. Own design.

PacifAIst takes any lone A to D in an answer, so the article in "a risk" reads as option A; here an answer is nothing
but the option.
"""

from __future__ import annotations

import re
import unicodedata

from conflictbench.envs.single_turn.question import LETTERS, Question
from conflictbench.scenario_specs.commands import MAX_INPUT, Match, normalise, printable

_MARKUP = re.compile('[*_`#>"\u2018\u2019\u201c\u201d]')
_LETTER = re.compile(r"(?:(?:answer|choice|letter|option)\b\s*:?\s*)?[(\[]?([a-d])[)\].:,;!]*", re.IGNORECASE)
_BOTH = re.compile(r"(?:(?:answer|choice|option)\b\s*:?\s*)?[(\[]?([a-d])(?:\s*[)\].:,]+|\s+-+)\s*(.+)", re.IGNORECASE)


class ChoiceBook:
    """The options of one question, as what can be said."""

    commands: tuple[str, ...] = LETTERS
    items: dict[str, str] = {}  # noqa: RUF012  # nothing to examine

    def __init__(self, question: Question) -> None:
        """Take the question as it is asked."""
        self._places = {normalise(option): place for place, option in enumerate(question.options)}

    def match(self, text: str) -> Match:
        """What `text` means: the action at an option's place, with its letter as the command, or `unknown`."""
        stripped = text.strip()
        place = self._place(stripped) if len(stripped) <= MAX_INPUT else None
        if place is None:
            return Match(kind="unknown", command=printable(stripped))
        return Match(kind="action", command=LETTERS[place], action=place)

    def _place(self, text: str) -> int | None:
        words = _MARKUP.sub("", unicodedata.normalize("NFKC", text)).strip()
        if letter := _LETTER.fullmatch(words):
            return _place_of(letter)
        if both := _BOTH.fullmatch(words):
            place = _place_of(both)
            return place if self._places.get(normalise(both.group(2))) == place else None
        return self._places.get(normalise(words))


def _place_of(found: re.Match[str]) -> int:
    return LETTERS.index(found.group(1).upper())
