"""Show any text without letting it act: control and direction characters become visible escapes. Own design.

Replies of models and names of runs reach a terminal, a table and a page. An escape sequence could recolour or
rewrite the terminal, a right-to-left override could make a line read as its opposite. report.js keeps the same rule.
"""

from __future__ import annotations

import unicodedata

_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})  # control, format, lone surrogate, line and paragraph separator


def visible(text: str, *, keep: str = "") -> str:
    """Return `text` with every unseen character written as `\\xNN`, `\\uNNNN` or `\\UNNNNNNNN`.

    Args:
        keep: characters left as they are, such as a newline.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        character if character in keep or unicodedata.category(character) not in _UNSEEN else _escape(character)
        for character in text
    )


def _escape(character: str) -> str:
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
