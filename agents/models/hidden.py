"""Finds a secret whose characters are escaped, or have others between them that nobody sees. Own design.

A model that echoes its key may write `\u0073\u006b-...` in a tool's arguments, or put a zero-width space or a colour
into it. What reads the reply takes these out, and the key stands there whole. So texts are compared unfolded: without
what is not seen, escapes as the characters they stand for. One pass, linear in the text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

# Anything that could be a part of one: a backslash, a control character, or beyond ASCII.
_MAY_HIDE = re.compile(r"[^\n\r\t -\[\]-~]")
_UNSEEN = (
    (0x00, 0x08), (0x0B, 0x0C), (0x0E, 0x1F), (0x7F, 0x9F), (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C),
    (0x180B, 0x180E), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0xD800, 0xDFFF), (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF), (0xFFF9, 0xFFFB), (0xE0000, 0xE007F), (0xE0100, 0xE01EF),
)  # fmt: skip
_SEEN_AS = dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-")
_SEEN_AS |= {chr(code + 0xFEE0): chr(code) for code in range(0x21, 0x7F)}  # full-width twins
_SEEN_AS |= {chr(code): "" for first, last in _UNSEEN for code in range(first, last + 1)}
_ESCAPE_SIGN = r"(?:\x1b|\\++(?:u001[bB]|x1[bB]|e|033))"
# A terminal sequence; any number of backslashes (JSON in JSON doubles them) and what they escape; one odd character.
_PIECE = re.compile(
    rf"{_ESCAPE_SIGN}\[[0-?]*+[ -/]*+[@-~]"
    r"|\\++(?:u(?P<u>[0-9a-fA-F]{4})|x(?P<x>[0-9a-fA-F]{2})|(?P<sign>[\"'/]))?"
    rf"|[{''.join(re.escape(char) for char in _SEEN_AS)}]"
)


def without_hidden(text: str, secrets: Sequence[str], put: str) -> str:
    """The text with `put` in the place of each secret, however it is disguised; the text itself if there is none."""
    if _MAY_HIDE.search(text) is None:  # the usual case, told quickly
        return text
    unfolded = _Unfolded(text)
    spans = sorted(span for secret in secrets for span in unfolded.find(_Unfolded(secret).text))
    kept, behind = [], 0
    for first, end in spans:
        if end > behind:
            kept += [text[behind : max(first, behind)], put] if first >= behind else []
            behind = end
    return "".join([*kept, text[behind:]]) if spans else text


class _Unfolded:
    """A text as it is seen, and where each character of it stood."""

    def __init__(self, text: str) -> None:
        self._starts: list[int] = []  # of each stretch, in the unfolded text
        self._places: list[tuple[int, int]] = []  # its first character and its end, in the folded one
        parts: list[str] = []
        length = behind = 0
        for piece in _PIECE.finditer(text):
            for first, end, seen in (
                (behind, piece.start(), text[behind : piece.start()]),
                (piece.start(), piece.end(), _seen(piece)),
            ):
                if seen:
                    self._starts.append(length)
                    self._places.append((first, end))
                    parts.append(seen)
                    length += len(seen)
            behind = piece.end()
        if behind < len(text):
            self._starts.append(length)
            self._places.append((behind, len(text)))
            parts.append(text[behind:])
        self.text = "".join(parts)

    def find(self, word: str) -> list[tuple[int, int]]:
        """Where a word stands in the folded text: first character and end of each."""
        spans, at = [], self.text.find(word) if word else -1
        while at >= 0:
            spans.append((self._place(at)[0], self._place(at + len(word) - 1)[1]))
            at = self.text.find(word, at + len(word))
        return spans

    def _place(self, index: int) -> tuple[int, int]:
        stretch = bisect_right(self._starts, index) - 1
        first, end = self._places[stretch]
        offset = index - self._starts[stretch]
        last = stretch + 1 == len(self._starts)
        seen = (len(self.text) if last else self._starts[stretch + 1]) - self._starts[stretch]
        return (first, end) if seen == 1 else (first + offset, first + offset + 1)


def _seen(piece: re.Match[str]) -> str:
    """What a piece is seen as: one character, or none."""
    said = piece[0]
    if code := piece["u"] or piece["x"]:
        char = chr(int(code, 16))
        return _SEEN_AS.get(char, char)
    if sign := piece["sign"]:
        return sign
    return "\\" if said.strip("\\") == "" else _SEEN_AS.get(said, "")
