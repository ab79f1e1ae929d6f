"""What one party's words look like to the other: one quoted line that cannot pass for anything else. Own design.

Words of a partner are hostile input. They are shown inside double quotes, so there are none within them; a status line
is `Label: value.`, a command `ACTION: command`, so no colon follows a word; chat formats and Markdown need brackets,
pipes, backticks and the like, so these become blanks or round brackets. Digits keep their colon: 05:00 is a time.
"""

from __future__ import annotations

import re
import unicodedata

MAX_MESSAGE = 280  # characters

_AS = str.maketrans({
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4`\"\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", "'"),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
    **dict.fromkeys("<[{", "("),
    **dict.fromkeys(">]}", ")"),
    **dict.fromkeys("|\\~^@*#_=", " "),
    "\u2026": "...",
    ";": ",",
})  # fmt: skip
_COLON = re.compile(r"(?<![0-9]):+|:+(?![0-9])")
_BLANKS = re.compile(r"[\s\x00-\x1f\x7f-\x9f]+")
_READ = 20 * MAX_MESSAGE  # characters looked at; what is longer was never meant to be read


def clean_message(text: str) -> str:
    """`text` as the other party is shown it, between quotes: one line of printable ASCII, at most 280 characters.

    Letters with marks lose them; what has no ASCII form becomes a question mark. Cleaning twice changes nothing.
    """
    line = unicodedata.normalize("NFKC", text[:_READ]).translate(_AS)
    line = "".join(c for c in unicodedata.normalize("NFKD", line) if not unicodedata.combining(c)).translate(_AS)
    line = "".join(c for c in line if unicodedata.category(c) != "Cf")  # invisible: marks of direction, joiners
    line = _COLON.sub(" - ", _BLANKS.sub(" ", line))
    line = "".join(c if " " <= c <= "~" else "?" for c in line)
    return _BLANKS.sub(" ", line).strip()[:MAX_MESSAGE].rstrip(" :")  # a time may have been cut in two
