"""What an unquoted word means in a scenario file: true, false, a decimal number, or text; nothing else.

Source: YAML 1.2 core schema, cut down. Whatever YAML 1.1 or another reader would take for a boolean, a null, a date
or a number in another base is refused instead of guessed at, since two readers would disagree about the file.
"""

from __future__ import annotations

import re

MAX_INTEGER = 1_000_000

_INTEGER = re.compile(r"-?(0|[1-9][0-9]*)")
_FRACTION = re.compile(r"-?(0|[1-9][0-9]*)\.[0-9]{1,12}")
_BOOLEAN_WORDS = re.compile(r"(y|n|yes|no|on|off|true|false)", re.IGNORECASE)
_NULL_WORDS = re.compile(r"(~|null)", re.IGNORECASE)
_DATE = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt ].*)?")
_INFINITE = re.compile(r"[-+]?\.(inf|nan)", re.IGNORECASE)
_OTHER_NUMBER = re.compile(
    r"[-+]?(0x[0-9a-f_]+|0o?[0-7_]+|0b[01_]+"  # other bases
    r"|[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?"  # sexagesimal
    r"|[0-9][0-9_]*\.?[0-9_]*(e[-+]?[0-9]+)?|\.[0-9_]+(e[-+]?[0-9]+)?)",  # underscores, exponents, bare points, + and 0
    re.IGNORECASE,
)
_LONG_NUMBER = re.compile(r"[-+]?[0-9][-+0-9_.:]*")
_LONG = 40  # characters; longer words are only looked at with expressions that cannot backtrack

Scalar = bool | int | float | str


class ScalarError(ValueError):
    """An unquoted word that is refused; `fix` is what to write instead."""

    def __init__(self, message: str, fix: str) -> None:
        super().__init__(message)
        self.fix = fix


def read_plain(text: str) -> Scalar:
    """Value of an unquoted scalar.

    Raises:
        ScalarError: an empty value, a null, a YAML 1.1 boolean, a date, or a number that is not a plain decimal.
    """
    if text == "":
        raise ScalarError(
            "has no value (null); inside { } an unquoted comma ends a text and leaves such an empty key behind",
            'give it a value, and put a text with commas in double quotes: "..."',
        )
    if text in ("true", "false"):
        return text == "true"
    if _NULL_WORDS.fullmatch(text):
        raise ScalarError(f"{text} is a null, and no key may be null", f'leave the key out, or write "{text}" as text')
    if _BOOLEAN_WORDS.fullmatch(text):
        raise ScalarError(
            f"unquoted {text} is a boolean to some readers and a word to others; valid: true, false",
            f'"{text}" for the word, true or false for a boolean',
        )
    if len(text) <= _LONG:
        return _number_or_text(text)
    if _LONG_NUMBER.fullmatch(text):
        raise _too_large(text)
    return text


def _number_or_text(text: str) -> Scalar:
    if _INTEGER.fullmatch(text) and text != "-0":
        if len(text) > 8 or abs(int(text)) > MAX_INTEGER:
            raise _too_large(text)
        return int(text)
    if _FRACTION.fullmatch(text):
        if abs(float(text)) > MAX_INTEGER:
            raise _too_large(text)
        return float(text)
    if _DATE.fullmatch(text):
        raise ScalarError(f"unquoted {text} is a date to YAML; times are texts", f'"{text}"')
    if _INFINITE.fullmatch(text):
        raise ScalarError(f"{text} is not a number that a scenario can hold", "a plain decimal such as 0.5")
    if _OTHER_NUMBER.fullmatch(text):
        raise ScalarError(
            f"{text} is not a plain decimal number (no octal, hex, sexagesimal, exponent, _ or leading + or zero)",
            f'digits such as 12 or 0.5, or "{text}" in quotes for a text',
        )
    return text


def _too_large(text: str) -> ScalarError:
    shown = text if len(text) <= 20 else f"{text[:12]}... ({len(text)} digits)"
    return ScalarError(f"{shown} is too large", f"a number within +-{MAX_INTEGER:,}")
