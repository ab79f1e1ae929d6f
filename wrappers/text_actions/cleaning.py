"""Brings the characters of a reply to the few the parser reads: no colours, no invisible marks, one kind of quote.

Own design. Everything here is one pass over the reply: replies of megabytes happen.
"""

from __future__ import annotations

import re

_ANSI = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?")
# left in by local models: <|im_end|>, <|channel|>, </s>, <end_of_turn>, [/INST]
_CHAT_TOKEN = re.compile(r"<\|[^<>|]{1,40}\|>|</?s>|<(?:start|end)_of_turn>|\[/?INST\]|<</?SYS>>")


def _table() -> dict[int, str]:
    controls = (*range(0x20), *range(0x7F, 0xA0))
    table = dict.fromkeys(controls, " ")  # a control character separates, as a blank does
    table.update({0x09: "\t", 0x0A: "\n", 0x0B: "\n", 0x0C: "\n", 0x85: "\n", 0x2028: "\n", 0x2029: "\n"})
    blanks = (0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000)
    table.update(dict.fromkeys(blanks, " "))
    invisible = (0xAD, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070), 0xFEFF)
    table.update(dict.fromkeys(invisible, ""))
    table.update({0xFF01 + offset: chr(0x21 + offset) for offset in range(0x5E)})  # full-width ASCII
    table.update({ord(char): "'" for char in "\u2018\u2019\u201a\u201b\u2032\u00b4"})
    table.update({ord(char): '"' for char in "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb"})
    table.update({ord(char): "-" for char in "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"})
    table.update({ord(char): "*" for char in "\u2022\u25cf\u25aa\u25b6\u25ba"})
    table.update({0x2192: "->", 0x21D2: "->", 0x27A1: "->", 0x2026: "...", 0xFE0F: ""})
    return table


_TABLE = _table()


def clean(text: str) -> str:
    """Return the reply with one newline convention, plain quotes and dashes, and no control characters.

    Afterwards no character below 0x20 but tab and newline occurs: the scanner uses NUL as its own mark.
    """
    text = _ANSI.sub("", text).replace("\r\n", "\n").replace("\r", "\n").translate(_TABLE)
    return _CHAT_TOKEN.sub("\n", text)
