"""Messages to a person: wrapped in a terminal, one line each where they are piped, so that a log can be searched.

Own design.
"""

from __future__ import annotations

import shutil
import sys
import textwrap
from typing import IO

WIDTH = 80  # of running text, also in a wider terminal
NARROWEST = 40  # below it nothing reads well any more


def page_width() -> int:
    """Columns of running text: those of the terminal, or of COLUMNS, within 40..80; 80 where there is no terminal."""
    return max(NARROWEST, min(WIDTH, shutil.get_terminal_size((WIDTH, 24)).columns))


def say(message: str, stream: IO[str] | None = None) -> None:
    """Print a message, by default to stderr."""
    stream = stream if stream is not None else sys.stderr
    print(fitted(message, stream), file=stream, flush=True)


def fitted(message: str, stream: IO[str]) -> str:
    """The message as `stream` is to have it; nothing a person would copy, a path or an option, is broken in two."""
    if not stream.isatty():
        return message
    width = min(WIDTH, shutil.get_terminal_size().columns)
    return "\n".join(
        textwrap.fill(line, width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
        for line in message.split("\n")
    )
