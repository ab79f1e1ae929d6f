"""Which whole numbers a text names: digits, number words and ordinals up to 120. Own design."""

from __future__ import annotations

import re

_UNITS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = {20: "twenty", 30: "thirty", 40: "forty", 50: "fifty", 60: "sixty", 70: "seventy", 80: "eighty", 90: "ninety"}
_ORDINALS = {"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth"}
_ORDINALS |= {"twelve": "twelfth"}
HIGHEST = 120  # the highest number that is understood in words

_DIGITS = re.compile(r"(?<![\w.,])(\d{1,3}(?:,\d{3})+|\d+)(?:st|nd|rd|th)?(?![\w]|[.,]\d)")


def numbers_in(text: str) -> frozenset[int]:
    """Whole numbers named in a text; decimals and times such as 22:41 are no whole numbers."""
    plain = re.sub(r"\d+:\d+", " ", text)
    found = {int(match[1].replace(",", "")) for match in _DIGITS.finditer(plain)}
    words = tuple(re.findall(r"[a-z]+", text.lower()))
    at = 0
    while at < len(words):
        for length in range(_LONGEST, 0, -1):  # the longest phrase wins: forty eight is not also forty
            value = _PHRASES.get(words[at : at + length])
            if value is not None:
                found.add(value)
                at += length - 1
                break
        at += 1
    return frozenset(found)


def _below_hundred(n: int) -> tuple[str, ...]:
    if n < 20:
        return (_UNITS[n],)
    return (_TENS[n - n % 10], _UNITS[n % 10]) if n % 10 else (_TENS[n],)


def _cardinals(n: int) -> list[tuple[str, ...]]:
    if n < 100:
        return [_below_hundred(n)]
    heads = [("hundred",), ("a", "hundred"), ("one", "hundred")]
    if n == 100:
        return heads
    tail = _below_hundred(n - 100)
    return [head + joint + tail for head in heads for joint in ((), ("and",))]


def _ordinal(phrase: tuple[str, ...]) -> tuple[str, ...]:
    *head, last = phrase
    if last in _ORDINALS:
        return (*head, _ORDINALS[last])
    return (*head, last[:-1] + "ieth" if last.endswith("y") else last + "th")


_PHRASES: dict[tuple[str, ...], int] = {}
for _n in range(HIGHEST + 1):
    for _phrase in _cardinals(_n):
        _PHRASES[_phrase] = _n
        _PHRASES[_ordinal(_phrase)] = _n
_LONGEST = max(map(len, _PHRASES))
